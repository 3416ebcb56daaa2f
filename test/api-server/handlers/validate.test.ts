// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { EXECUTIONS } from '../../../kube/resources.ts'
import { aProject, aTask, text } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type QueryOperator, aClaude, playOperator, postAfresh } from '../queries/query-operator.ts'
import { type Rig, itemsOf, startRig } from '../rig.ts'

const REPOSITORY = 'https://git.example/repo.git'
const FINE = { name: 'Fine', repository_url: REPOSITORY, agent: { type: 'script', instructions: 'true' } }

describe('POST /api/tasks/validate', () => {
  let api: Rig
  // Every test has a server of its own: one client may validate five times in a row.
  beforeEach(async () => {
    api = await startRig()
  })
  afterEach(() => api.stop())

  const validate = async (draft: unknown) => {
    const { status, body } = await api.post('/api/tasks/validate', draft)
    assert.equal(status, 200)
    return body
  }
  const errorsOf = async (draft: unknown) => {
    const body = await validate(draft)
    const errors = itemsOf(at(body, 'errors'))
    assert.equal(at(body, 'valid'), errors.length === 0)
    return errors
  }

  it('finds nothing wrong with a task that create takes, and stores nothing', async () => {
    const empty = { valid: true, errors: [], warnings: [], questions: [], suggestions: [] }
    assert.deepEqual(await validate({ id: 'dry', ...FINE }), empty)
    assert.equal((await api.get('/api/tasks/dry')).status, 404)
    assert.equal((await api.post('/api/tasks', { id: 'dry', ...FINE })).status, 201)
    const taken = await errorsOf({ id: 'dry', ...FINE })
    assert.deepEqual(taken, [{ field: 'id', message: 'task dry already exists' }])
  })

  it('names every field that does not fit the schema, and answers 200 for anything that is JSON', async () => {
    const errors = await errorsOf({ priority: 'high', colour: 1, agent: { tipe: 'x' } })
    const fields = errors.map((error) => textAt(error, 'field'))
    assert.deepEqual([...fields].sort(), ['agent.tipe', 'colour', 'name', 'priority'])
    for (const draft of [[], '"text"', 'null']) assert.equal((await errorsOf(draft)).length > 0, true)
    const broken = await api.post('/api/tasks/validate', '{')
    assert.deepEqual([broken.status, textAt(broken.body, 'error').startsWith('invalid JSON: ')], [400, true])
  })

  it('names every reference that create would refuse, in the words of create', async () => {
    const draft = {
      ...FINE,
      agent: { type: 'nobody' },
      project: 'nothing',
      depends_on: ['lost', 'gone'],
      parent_task_id: 'orphan',
      story_id: 'untold',
    }
    assert.deepEqual(await errorsOf(draft), [
      { field: 'agent.type', message: 'agent nobody does not exist' },
      { field: 'project', message: 'project nothing does not exist' },
      { field: 'depends_on', message: 'task lost does not exist' },
      { field: 'depends_on', message: 'task gone does not exist' },
      { field: 'parent_task_id', message: 'task orphan does not exist' },
      { field: 'story_id', message: 'story untold does not exist' },
    ])
    const created = await api.post('/api/tasks', draft)
    assert.deepEqual([created.status, textAt(created.body, 'error')], [400, 'agent.type: agent nobody does not exist'])
  })

  it('finds circles, missing repositories, and what only the rules of the CRD refuse', async () => {
    await api.given(aTask({ name: 'ancestor' }))
    const circle = await errorsOf({ ...FINE, id: 'child', parent_task_id: 'ancestor', depends_on: ['ancestor'] })
    assert.deepEqual(
      circle.map((error) => textAt(error, 'field')),
      ['depends_on'],
    )
    assert.match(textAt(circle[0], 'message'), /^tasks would wait for one another: /)
    const { repository_url: _, ...homeless } = FINE
    assert.deepEqual(await errorsOf(homeless), [{ field: 'repository_url', message: 'task has no repository_url' }])
    const strange = await errorsOf({ ...FINE, repository_url: 'https://-x/' })
    assert.deepEqual(
      strange.map((error) => textAt(error, 'field')),
      ['repository_url'],
    )
  })

  it('warns, asks and suggests without calling the task invalid', async () => {
    const body = await validate({ name: 'Vague', repository_url: REPOSITORY, timeout_seconds: 5, claude: {} })
    // No agent claude is in this namespace, which is an error of its own.
    assert.deepEqual(
      itemsOf(at(body, 'errors')).map((error) => textAt(error, 'field')),
      ['agent.type'],
    )
    const { warnings, questions, suggestions } = body as Record<string, string[]>
    assert.equal(warnings?.length, 2)
    assert.deepEqual(questions, ['What is to be changed, and how can one see that it is done?'])
    assert.deepEqual(suggestions, ['write agent in place of claude, which is its older name'])
    const vague = await validate({ name: 'Vague', repository_url: REPOSITORY })
    assert.deepEqual([at(vague, 'valid'), itemsOf(at(vague, 'warnings')).length], [true, 2])
  })

  it('is limited per client: the sixth in a row is 429 with Retry-After', async () => {
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await api.post('/api/tasks/validate', FINE)).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  })
})

describe('POST /api/tasks/validate with an agent', () => {
  let api: Rig
  let operator: QueryOperator
  before(async () => {
    api = await startRig({ trustedProxies: ['127.0.0.1'] })
    operator = playOperator(api)
    await api.givenAgent(aClaude())
    await api.givenProject(aProject({ name: 'shop', spec: { title: 'The shop', testCommand: 'npm test' } }))
    await until('claude is known', async () => (await api.get('/api/agents/claude')).status === 200)
  })
  after(() => api.stop())

  const DRAFT = { name: 'Export', description: 'Print the report as CSV, too, when --csv is given.', project: 'shop' }
  const validate = (draft: unknown, query = '') => postAfresh(api, `/api/tasks/validate${query}`, draft)
  const asked = async () => (await api.client.list(EXECUTIONS, { namespace: api.namespace })).items.length

  it('adds what an agent that has read the repository would ask and suggests', async () => {
    const answer = validate(DRAFT)
    const { execution, name, prompt } = await operator.next()
    assert.match(prompt, /--csv is given/)
    const { purpose, answerSchema, projectRef, timeout } = execution.spec
    assert.deepEqual(
      { purpose, answerSchema, projectRef, timeout },
      { purpose: 'Validate', answerSchema: 'Validation', projectRef: { name: 'shop' }, timeout: '2m' },
    )
    await operator.answer(name, { questions: ['With a header?'], suggestions: ['Name report.ts.'] })
    const { status, body } = await answer
    const found = {
      valid: true,
      errors: [],
      warnings: [],
      questions: ['With a header?'],
      suggestions: ['Name report.ts.'],
    }
    assert.deepEqual([status, body], [200, found])
  })

  it('answers with what is known without an agent, and a warning, when the agent fails', async () => {
    const answer = validate(DRAFT)
    const { name } = await operator.next()
    await operator.end(name, { state: 'FAILED', error: { category: 'auth', message: text('not logged in') } })
    const { status, body } = await answer
    assert.deepEqual([status, at(body, 'valid')], [200, true])
    assert.match(textAt(body, 'warnings.0'), /^no agent looked at the task: agent claude failed: not logged in/)
  })

  it('is cancelled when its client goes', async () => {
    const gone = new AbortController()
    const body = JSON.stringify(DRAFT)
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': '10.7.7.7' }
    const answer = fetch(`${api.url}/api/tasks/validate`, { method: 'POST', headers, body, signal: gone.signal })
    const { name } = await operator.next()
    gone.abort()
    await assert.rejects(answer)
    await operator.cancelled(name)
  })

  it('asks no agent about what create refuses, about scripts, and where none is wanted', async () => {
    const before = await asked()
    const script = { ...FINE, agent: { type: 'script', instructions: 'true' } }
    for (const [draft, query] of [
      [{ name: 'No repository' }, ''],
      [script, ''],
      [DRAFT, '?agent=none'],
    ] as const) {
      const { status, body } = await validate(draft, query)
      assert.deepEqual([status, at(body, 'warnings.1')], [200, undefined])
      assert.doesNotMatch(JSON.stringify(body), /no agent looked/)
    }
    assert.equal((await validate(DRAFT, '?agent=nobody')).status, 400)
    assert.equal(await asked(), before)
  })
})

describe('a repository of this machine in a cluster', () => {
  it('is refused for a task at validate, create and edit alike', async () => {
    const api = await startRig({ embedded: false })
    try {
      const local = { ...FINE, repository_url: '/srv/git/repo.git' }
      const { body } = await api.post('/api/tasks/validate', local)
      assert.equal(textAt(at(body, 'errors'), '0.field'), 'repository_url')
      assert.equal((await api.post('/api/tasks', local)).status, 400)
      assert.equal((await api.post('/api/tasks', { id: 'far', ...FINE })).status, 201)
      assert.equal((await api.put('/api/tasks/far', { repository_url: local.repository_url })).status, 400)
    } finally {
      await api.stop()
    }
  })
})
