// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { hasSecret, redactUrls } from '../../../core/redact-urls.ts'
import { parseObject } from '../../../core/json.ts'
import { ROUTES } from '../../../core/rest/routes.ts'
import { PROJECTS, TASKS } from '../../../kube/resources.ts'
import { aProject, aTask } from '../../helpers/build.ts'
import { relaxCrd, takes } from '../../helpers/crd-ratcheting.ts'
import { applyCrds } from '../../helpers/crd-suite.ts'
import { textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { endDelivery } from '../deliveries.ts'
import { connectLive } from '../live/live-client.ts'
import { type Rig, startRig } from '../rig.ts'

const TOKEN = 'ghp_5ecret5ecret5ecret'
const URL_WITH_TOKEN = `https://${TOKEN}@git.example/site.git`
const SHOWN = 'https://[redacted]@git.example/site.git'

describe('a token in a repository URL that was stored before that was refused', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await Promise.all(['tasks', 'projects'].map((kind) => relaxCrd(api.client, `${kind}.slipway.dev`)))
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `{"spec":"${URL_WITH_TOKEN}"}` }
    const project = aProject({ name: 'site', spec: { remoteUrl: URL_WITH_TOKEN, defaultBranch: 'main' } })
    const task = aTask({ name: 'old', spec: { repositoryUrl: URL_WITH_TOKEN, project: 'site' } })
    await until('the rules are relaxed', () => takes(() => api.givenProject(project)))
    await until('the rules are relaxed', () =>
      takes(() => api.given({ ...task, metadata: { ...task.metadata, annotations } })),
    )
    await applyCrds(api.client, api.namespace)
    const next = { ...task, metadata: { name: 'next', namespace: api.namespace } }
    await until(
      'the rules hold again',
      async () => !(await takes(() => api.client.create(TASKS, next, { dryRun: true }))),
    )
  })
  after(() => api.stop())

  it('is in no answer of any route that reads', async () => {
    const ids = ['site', 'old']
    const paths = ROUTES.filter(({ method, path }) => method === 'GET' && !/stream|ws$/.test(path)).flatMap(
      ({ path }) => ids.map((id) => path.replace('{id}', id).replace(/\{\w+\}/, 'none')),
    )
    let seen = 0
    for (const path of new Set(paths)) {
      const { text } = await api.get(path)
      assert.ok(!text.includes(TOKEN), `${path}: ${text}`)
      if (text.includes(SHOWN)) seen += 1
    }
    // Lists, records and manifests of the task and the project.
    assert.ok(seen >= 6, `only ${seen} answers show the URL at all`)
  })

  it('is in no live message, and stays stored when a client sends back all that it has read', async () => {
    const live = await connectLive(api.url)
    const before = parseObject((await api.get('/api/projects/site')).text)
    assert.equal((await api.put('/api/projects/site', { ...before, instructions: 'Be kind.' })).status, 200)
    const task = parseObject((await api.get('/api/tasks/old')).text)
    assert.equal((await api.put('/api/tasks/old', { ...task, priority: 3 })).status, 200)
    await until('both are told', () => JSON.stringify(live.messages).split(SHOWN).length > 2)
    assert.ok(!JSON.stringify(live.messages).includes(TOKEN))
    await live.close()
    const [stored, ofTask] = await Promise.all([
      api.client.find(PROJECTS, { namespace: api.namespace, name: 'site' }),
      api.client.find(TASKS, { namespace: api.namespace, name: 'old' }),
    ])
    assert.deepEqual([stored?.spec.remoteUrl, ofTask?.spec.repositoryUrl], [URL_WITH_TOKEN, URL_WITH_TOKEN])
  })

  it('is in no task of a plan, which works in the repository of its project', async () => {
    const plan = {
      name: 'Checkout',
      spec: 'Pay',
      acceptance_criteria: ['it pays'],
      tasks: [{ name: 'Pay', description: 'take money' }],
      validation: { type: 'test', steps: ['npm test'], success_criteria: 'green' },
      project_id: 'site',
    }
    const asked = api.post('/api/stories/approve', plan)
    await endDelivery(api)
    const { status, text, body } = await asked
    assert.equal(status, 201, text)
    assert.ok(!text.includes(TOKEN))
    const name = `${textAt(body, 'story.id')}-t01`
    const task = await api.client.find(TASKS, { namespace: api.namespace, name })
    assert.deepEqual([task?.spec.project, task?.spec.repositoryUrl], ['site', undefined])
  })

  it('is in no task of a failed check of its project', async () => {
    const fixture = fileURLToPath(new URL('../../../../test/fixtures/webhooks/workflow_run.json', import.meta.url))
    const payload = readFileSync(fixture, 'utf8').replaceAll(
      /https:\/\/[^"/]+\/[^"]*\.git/g,
      'https://git.example/site.git',
    )
    const made = await api.request('POST', '/api/webhooks/vcshost', JSON.parse(payload), {
      'x-github-event': 'workflow_run',
    })
    assert.equal(made.status, 201, made.text)
    const { text } = await api.get(`/api/tasks/${textAt(made.body, 'task_id')}`)
    assert.ok(!text.includes(TOKEN), text)
  })

  it('is not repeated by the refusal of a new one', async () => {
    for (const [path, body] of [
      ['/api/tasks', { name: 'x', repository_url: URL_WITH_TOKEN }],
      ['/api/projects', { name: 'x', remote_url: URL_WITH_TOKEN }],
      ['/api/projects/try', { remote_url: URL_WITH_TOKEN }],
    ] as const) {
      const { status, text, body: answer } = await api.post(path, body)
      assert.equal(status, 400)
      assert.ok(!text.includes(TOKEN), text)
      assert.match(textAt(answer, 'error'), /must not carry a user, which may be a token/)
    }
  })
})

describe('what counts as a secret in a repository URL', () => {
  const crd = readFileSync(fileURLToPath(new URL('../../../../crds/slipway.dev_tasks.yaml', import.meta.url)), 'utf8')
  const users = /\^https\?:\/\/\(([a-z0-9|-]+)\)/.exec(crd)?.[1]?.split('|') ?? []

  it('is every user but those that the rules of the CRD allow', () => {
    assert.ok(users.length > 3)
    const user = fc.oneof(fc.constantFrom(...users), fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.~%-]{0,20}$/))
    fc.assert(
      fc.property(user, fc.option(fc.stringMatching(/^[A-Za-z0-9]{1,9}$/)), (name, password) => {
        const url = `https://${name}${password === null ? '' : `:${password}`}@git.example/a/b.git`
        assert.equal(hasSecret(url), password !== null || !users.includes(name))
        assert.equal(redactUrls(url), hasSecret(url) ? 'https://[redacted]@git.example/a/b.git' : url)
      }),
    )
  })
})
