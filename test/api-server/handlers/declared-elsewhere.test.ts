// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { AGENTS, EPICS, PROJECTS, STORIES, TASKS } from '../../../kube/resources.ts'
import type { KubeObject, Resource } from '../../../kube/types.ts'
import { API_VERSION } from '../../../core/names.ts'
import { anAgent, aProject, aStory, aTask } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

describe('an edit of what a manifest declares', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const apply = async <T extends KubeObject>(resource: Resource<T>, object: T, path: string): Promise<string> => {
    const { uid: _, ...metadata } = object.metadata
    const { name } = await api.client
      .create<KubeObject>(resource, { ...object, metadata: { ...metadata, namespace: api.namespace } })
      .then((created) => created.metadata)
    await until(`${path}/${name} is there`, async () => (await api.get(`${path}/${name}`)).status === 200)
    return `${path}/${name}`
  }
  const warningOf = (kind: string, name: string): string =>
    `299 - "the next sync may undo this edit of ${kind} ${name}: it has no label app.kubernetes.io/managed-by: slipway, so a manifest elsewhere declares it"`

  const epic = { apiVersion: API_VERSION, kind: 'Epic', metadata: { name: 'declared' }, spec: { title: 'E' } } as const
  const kinds: readonly [kind: string, make: () => Promise<string>, edit: object][] = [
    ['task', () => apply(TASKS, aTask({ name: 'declared' }), '/api/tasks'), { priority: 7 }],
    ['story', () => apply(STORIES, aStory({ name: 'declared' }), '/api/stories'), { priority: 7 }],
    ['epic', () => apply(EPICS, epic, '/api/epics'), { priority: 7 }],
    ['project', () => apply(PROJECTS, aProject({ name: 'declared' }), '/api/projects'), { test_command: 'make' }],
    ['agent', () => apply(AGENTS, anAgent({ name: 'declared' }), '/api/agents'), { max_concurrent: 2 }],
  ]
  for (const [kind, make, edit] of kinds) {
    it(`of a ${kind} is made, and warns that the next sync may undo it`, async () => {
      const path = await make()
      const answer = await api.put(path, edit, { Origin: 'http://localhost:3000' })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('warning'), warningOf(kind, 'declared'))
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', /\bWarning\b/)
      const again = await api.put(path, edit)
      assert.deepEqual([again.status, again.headers.get('warning')], [200, null], 'nothing was edited')
    })
  }

  it('does not warn of what was created here', async () => {
    const { status } = await api.post('/api/epics', { id: 'ours', name: 'Ours' })
    assert.equal(status, 201)
    const { headers } = await api.put('/api/epics/ours', { priority: 7 })
    assert.equal(headers.get('warning'), null)
  })

  it('leaves the rest of the spec in the words of its manifest', async () => {
    await apply(AGENTS, anAgent({ name: 'claude' }), '/api/agents')
    const spec = { title: 'Old', claude: { model: 'opus' }, timeout: '90m' }
    const path = await apply(TASKS, { ...aTask({ name: 'worded' }), spec }, '/api/tasks')
    const specNow = async () => (await api.client.get(TASKS, { namespace: api.namespace, name: 'worded' })).spec
    const before = await specNow()
    assert.equal((await api.put(path, { priority: 7 })).status, 200)
    assert.deepEqual(await specNow(), { ...before, priority: 7 })
    assert.equal((await api.put(path, { agent: { model: 'haiku' } })).status, 200)
    const { claude, agent } = await specNow()
    assert.deepEqual([claude, agent], [undefined, { type: 'claude', model: 'haiku' }])
  })
})
