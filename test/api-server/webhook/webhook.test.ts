// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Project } from '../../../core/crd/types.ts'
import { TASKS } from '../../../kube/resources.ts'
import { aProject } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { type Answer, type Rig, itemsOf, startRig } from '../rig.ts'

const SECRET = 'correct horse battery'
const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'webhooks')
const PATH = '/api/webhooks/vcshost'

type Event = Record<string, Record<string, unknown>>

function fixture(name: string): Event {
  return JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8'))
}

/** The failed check of the fixture, with other parts of its run. */
function checkRun(changes: Record<string, unknown> = {}): Event {
  const event = fixture('check_run')
  return { ...event, check_run: { ...event['check_run'], ...changes } }
}

function workflowRun(changes: Record<string, unknown> = {}): Event {
  const event = fixture('workflow_run')
  return { ...event, workflow_run: { ...event['workflow_run'], ...changes } }
}

function sign(body: string, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

const SHOP = aProject({
  name: 'shop',
  spec: { remoteUrl: 'git@github.com:acme/shop.git', localPath: '/workspace/shop' },
})

describe('the webhook with a secret', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ webhookSecret: SECRET, token: 'token-for-people' })
  })
  after(() => api.stop())
  afterEach(async () => {
    await removeAll('tasks')
    await removeAll('projects')
  })

  const person = { Authorization: 'Bearer token-for-people' }
  const removeAll = async (kind: 'tasks' | 'projects'): Promise<void> => {
    const records = itemsOf((await api.get(`/api/${kind}`, person)).body)
    for (const record of records) {
      const { status } = await api.request('DELETE', `/api/${kind}/${textAt(record, 'id')}`, undefined, person)
      assert.equal(status, 204)
    }
  }
  const deliver = (event: Event, headers: Record<string, string> = {}): Promise<Answer> => {
    const body = JSON.stringify(event)
    return api.post(PATH, body, { 'X-Hub-Signature-256': sign(body), ...headers })
  }
  const taskOf = async (answer: Answer): Promise<Answer['body']> =>
    (await api.get(`/api/tasks/${textAt(answer.body, 'task_id')}`, person)).body
  const givenProject = async ({ metadata, spec }: Project): Promise<void> => {
    const { status } = await api.post(
      '/api/projects',
      {
        id: metadata.name,
        name: spec.title,
        remote_url: spec.remoteUrl,
        ...(spec.localPath && { local_path: spec.localPath }),
        ...(spec.runPolicy && { run_policy: spec.runPolicy.toLowerCase() }),
      },
      person,
    )
    assert.equal(status, 201)
  }

  it('POST /api/webhooks/vcshost makes a task of a failed check_run: 201 {task_id}', async () => {
    await givenProject(SHOP)
    const answer = await deliver(fixture('check_run'), { 'X-GitHub-Event': 'check_run' })
    assert.deepEqual([answer.status, Object.keys(Object(answer.body))], [201, ['task_id']])
    assert.equal(answer.headers.get('location'), `/api/tasks/${textAt(answer.body, 'task_id')}`)
    const task = await taskOf(answer)
    assert.equal(at(task, 'name'), 'Fix test (node 20) on cart-totals (0f1e2d3c4b5a)')
    assert.deepEqual([at(task, 'project'), at(task, 'state'), at(task, 'run_policy')], ['shop', 'PENDING', 'manual'])
    assert.equal(at(task, 'repository_url'), 'git@github.com:acme/shop.git')
    assert.match(textAt(task, 'description'), /expected 10\.01, received 10\.00/)
  })

  it('makes one of a failed workflow_run, also form-encoded and without X-GitHub-Event', async () => {
    await givenProject(SHOP)
    const body = new URLSearchParams({ payload: JSON.stringify(fixture('workflow_run')) }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Hub-Signature-256': sign(body) }
    const answer = await api.post(PATH, body, headers)
    assert.equal(answer.status, 201)
    assert.equal(at(await taskOf(answer), 'name'), 'Fix CI on cart-totals (0f1e2d3c4b5a)')
  })

  it('answers an outcome that is no failure, and a ping, with 204 before it looks for a project', async () => {
    for (const event of [checkRun({ conclusion: 'success' }), checkRun({ conclusion: 'skipped' }), fixture('ping')])
      assert.equal((await deliver(event)).status, 204)
  })

  it('answers 422 when no project matches, and 400 when it cannot read the event', async () => {
    const none = await deliver(fixture('check_run'))
    assert.deepEqual([none.status, none.body], [422, { error: 'no project matches repository Shop' }])
    assert.equal((await deliver({ check_run: {} })).status, 204)
    assert.equal((await deliver({})).status, 400)
    const malformed = await api.post(PATH, '{', { 'X-Hub-Signature-256': sign('{') })
    assert.deepEqual([malformed.status, textAt(malformed.body, 'error').startsWith('invalid JSON: ')], [400, true])
  })

  const forged: readonly [string, (right: string) => Record<string, string>][] = [
    ['no signature', () => ({})],
    ['no signature but the token', () => person],
    ['an empty one', () => ({ 'X-Hub-Signature-256': '' })],
    ['another secret', () => ({ 'X-Hub-Signature-256': sign(JSON.stringify(fixture('check_run')), 'wrong secret') })],
    ['upper-case hex', (right) => ({ 'X-Hub-Signature-256': `sha256=${right.slice(7).toUpperCase()}` })],
    ['a digit less', (right) => ({ 'X-Hub-Signature-256': right.slice(0, -1) })],
    ['a digit more', (right) => ({ 'X-Hub-Signature-256': `${right}0` })],
    ['another algorithm', (right) => ({ 'X-Hub-Signature-256': right.replace('sha256', 'sha1') })],
    ['the older header', (right) => ({ 'X-Hub-Signature': right })],
  ]
  for (const [what, headers] of forged) {
    it(`refuses a delivery with ${what} with 401 and makes nothing`, async () => {
      await givenProject(SHOP)
      const body = JSON.stringify(fixture('check_run'))
      assert.equal((await api.post(PATH, body, headers(sign(body)))).status, 401)
      assert.deepEqual((await api.get('/api/tasks', person)).body, [])
    })
  }

  it('refuses a body that is changed by one byte', async () => {
    const body = JSON.stringify(fixture('check_run'))
    assert.equal((await api.post(PATH, `${body} `, { 'X-Hub-Signature-256': sign(body) })).status, 401)
  })

  it('refuses more than 5 MiB with 413 and another content type with 415', async () => {
    assert.equal((await api.post(PATH, ' '.repeat(5 * 1024 * 1024 + 1))).status, 413)
    assert.equal((await api.post(PATH, 'x', { 'Content-Type': 'text/plain' })).status, 415)
  })

  it('answers a redelivery with 200 and the same task, also two that come at once', async () => {
    await givenProject(SHOP)
    // A commit of its own: the name of a task that another test deleted may be free a moment later only.
    const once = checkRun({ head_sha: 'd'.repeat(40) })
    const answers = await Promise.all([1, 2, 3].map(() => deliver(once)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    assert.equal(new Set(answers.map(({ body }) => textAt(body, 'task_id'))).size, 1)
    const later = await deliver(once)
    assert.deepEqual([later.status, later.body], [200, answers[0]?.body])
    assert.equal(textAt(await taskOf(later), 'description').match(/2 tests failed/g)?.length, 1)
  })

  it('appends further failures of the same commit while the task is unfinished, and begins anew when it is done', async () => {
    await givenProject(SHOP)
    const first = await deliver(fixture('check_run'))
    const others = await Promise.all([
      deliver(checkRun({ id: 2, name: 'lint' })),
      deliver(fixture('workflow_run')),
      deliver(checkRun({ id: 3, name: 'docs' })),
    ])
    assert.deepEqual(
      others.map(({ status, text }) => [status, text]),
      others.map(() => [200, first.text]),
    )
    const text = textAt(await taskOf(first), 'description')
    for (const name of ['lint', 'docs', 'CI']) assert.ok(text.includes(`## A further failure: ${name}`), name)
    await api.setStatus(TASKS, textAt(first.body, 'task_id'), { state: 'CANCELLED' })
    const next = await deliver(checkRun({ id: 4, name: 'again' }))
    assert.equal(next.status, 201)
    assert.notEqual(at(next.body, 'task_id'), at(first.body, 'task_id'))
    assert.equal((await deliver(checkRun({ id: 2, name: 'lint' }))).status, 200)
  })

  it('tells a RUNNING task too, and says that its agent may not have seen it', async () => {
    await givenProject(SHOP)
    const first = await deliver(fixture('check_run'))
    const id = textAt(first.body, 'task_id')
    for (const state of ['QUEUED', 'RUNNING'] as const) await api.setStatus(TASKS, id, { state })
    assert.equal((await deliver(checkRun({ id: 2, name: 'lint' }))).status, 200)
    const task = await taskOf(first)
    assert.equal(at(task, 'state'), 'RUNNING')
    assert.match(textAt(task, 'description'), /A further failure: lint\n\nThis arrived while the agent was at work/)
    await api.setStatus(TASKS, id, { state: 'FAILED' })
  })

  it('makes a task of another commit, and queues nothing by itself unless the project says so', async () => {
    await givenProject({ ...SHOP, spec: { ...SHOP.spec, runPolicy: 'Auto' } })
    const [one, two] = [await deliver(checkRun()), await deliver(checkRun({ id: 5, head_sha: 'f'.repeat(40) }))]
    assert.deepEqual([one.status, two.status], [201, 201])
    assert.equal(at(await taskOf(two), 'run_policy'), 'auto')
  })

  it('takes the only project for a repository of another name, by the event’s URL, with a warning and never by itself', async () => {
    await givenProject(
      aProject({ name: 'only', spec: { remoteUrl: 'https://git.example/team/other.git', runPolicy: 'Auto' } }),
    )
    const task = await taskOf(await deliver(fixture('check_run')))
    assert.deepEqual(
      [at(task, 'project'), at(task, 'repository_url'), at(task, 'run_policy')],
      ['only', 'https://github.com/acme/Shop.git', 'manual'],
    )
    assert.match(
      textAt(task, 'description'),
      /^\*\*Look before you run this\.\*\*.*https:\/\/github\.com\/acme\/Shop\.git.*git\.example/,
    )
  })

  it('trusts no name: a repository of the project’s name elsewhere is foreign too', async () => {
    await givenProject({ ...SHOP, spec: { ...SHOP.spec, runPolicy: 'Auto' } })
    const event = checkRun()
    const repository = { ...event['repository'], clone_url: 'https://evil.example/mallory/shop.git' }
    const task = await taskOf(await deliver({ ...event, repository }))
    assert.deepEqual(
      [at(task, 'repository_url'), at(task, 'run_policy')],
      ['https://evil.example/mallory/shop.git', 'manual'],
    )
    assert.match(textAt(task, 'description'), /^\*\*Look before/)
  })

  const forks: readonly [string, () => Event][] = [
    ['a workflow run of a fork', () => workflowRun({ head_repository: { id: 9, full_name: 'mallory/shop' } })],
    ['a workflow run of a fork that is gone', () => workflowRun({ head_repository: null })],
    [
      'a workflow run of a pull request from nobody knows where',
      () => workflowRun({ head_repository: undefined, pull_requests: [] }),
    ],
    [
      'a check run of a fork, whose branch GitHub does not name',
      () => checkRun({ check_suite: { head_branch: null, pull_requests: [] } }),
    ],
    [
      'a check run of a pull request from a fork',
      () => checkRun({ pull_requests: [{ head: { repo: { id: 9, name: 'shop' } } }] }),
    ],
  ]
  for (const [what, event] of forks)
    it(`makes a task of ${what} that waits for a person whatever the project says, with a warning`, async () => {
      await givenProject({ ...SHOP, spec: { ...SHOP.spec, runPolicy: 'Auto' } })
      const task = await taskOf(await deliver(event()))
      assert.deepEqual([at(task, 'run_policy'), at(task, 'base_branch')], ['manual', undefined])
      assert.match(textAt(task, 'description'), /^\*\*Look before you run this\.\*\* The code that failed is of /)
    })

  it('starts a fix of a branch from that branch, and of the default branch from there', async () => {
    await givenProject(SHOP)
    const ofBranch = await taskOf(await deliver(workflowRun()))
    const ofMain = await taskOf(await deliver(workflowRun({ id: 6, head_sha: 'e'.repeat(40), head_branch: 'main' })))
    assert.deepEqual([at(ofBranch, 'base_branch'), at(ofMain, 'base_branch')], ['cart-totals', undefined])
  })

  /** A failure of another commit. */
  const failureOn = (head_branch: string, n: number): Event =>
    workflowRun({ id: 100 + n, head_sha: String(n).repeat(40), head_branch })

  it('makes three tasks for a branch of agents at most until a person has decided about one, and appends what fails then', async () => {
    await givenProject(SHOP)
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => deliver(failureOn('slipway/cart', n))))
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
    assert.equal((await deliver(failureOn('other', 6))).status, 201)
    const told = answers.find(({ status }) => status === 200)
    assert.match(textAt(await taskOf(told ?? assert.fail()), 'description'), /A further failure: CI/)
    const id = textAt(answers.find(({ status }) => status === 201)?.body, 'task_id')
    assert.equal((await api.post(`/api/tasks/${id}/cancel`, undefined, person)).status, 200)
    assert.equal((await deliver(failureOn('slipway/cart', 7))).status, 201)
    assert.equal((await deliver(failureOn('slipway/cart', 8))).status, 200)
  })

  it('makes a task for each commit that people push, however many', async () => {
    await givenProject(SHOP)
    for (const n of [1, 2, 3, 4, 5]) assert.equal((await deliver(failureOn('main', n))).status, 201)
  })

  it('makes no endless row of tasks that mend each other’s branches', async () => {
    await givenProject({ ...SHOP, spec: { ...SHOP.spec, runPolicy: 'Auto' } })
    const statuses: number[] = []
    let branch = 'slipway/cart'
    for (const n of [1, 2, 3, 4, 5]) {
      const answer = await deliver(failureOn(branch, n))
      const id = textAt(answer.body, 'task_id')
      statuses.push(answer.status)
      if (answer.status !== 201) continue
      assert.equal(at(await taskOf(answer), 'base_branch'), branch)
      branch = `slipway/${id}`
      for (const state of ['QUEUED', 'RUNNING', 'READY'] as const) await api.setStatus(TASKS, id, { state, branch })
    }
    assert.deepEqual(statuses, [201, 201, 201, 200, 200])
  })

  it('tells runs apart whose ids are beyond what a number holds exactly', async () => {
    await givenProject(SHOP)
    const bodies = ['9007199254740993', '9007199254740992'].map((id) =>
      JSON.stringify(checkRun()).replace(/"id":31415926535/, `"id":${id}`),
    )
    const answers = []
    for (const body of bodies) answers.push(await api.post(PATH, body, { 'X-Hub-Signature-256': sign(body) }))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200],
    )
    assert.match(textAt(await taskOf(answers[0] ?? assert.fail()), 'description'), /A further failure/)
  })

  it('refuses an event whose only URLs are paths, remote helpers or options', async () => {
    await givenProject(SHOP)
    for (const clone_url of ['/etc', 'file:///etc', 'ext::sh -c id', '--upload-pack=id']) {
      const repository = { name: 'shop', full_name: 'acme/shop', clone_url }
      assert.equal((await deliver({ ...checkRun(), repository })).status, 422, clone_url)
    }
    assert.deepEqual(itemsOf((await api.get('/api/tasks', person)).body), [])
  })
})

describe('the webhook without a secret', () => {
  it('needs the token where one is set', async () => {
    const api = await startRig({ token: 'token-for-people' })
    try {
      assert.equal((await api.post(PATH, fixture('ping'))).status, 401)
      assert.equal((await api.post(PATH, fixture('ping'), { Authorization: 'Bearer token-for-people' })).status, 204)
    } finally {
      await api.stop()
    }
  })

  it('needs nothing where no token is set either', async () => {
    const api = await startRig()
    try {
      assert.equal((await api.post(PATH, fixture('ping'))).status, 204)
    } finally {
      await api.stop()
    }
  })
})
