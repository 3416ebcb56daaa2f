// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import type { ApiClient } from '../../../kube/client.ts'
import { AGENTS, TASKS } from '../../../kube/resources.ts'
import type { KubeObject, Resource } from '../../../kube/types.ts'
import { anAgent, aTask } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { type Rig, startRig } from '../rig.ts'

describe('a decision that writes several objects, when others are at one of them', () => {
  let api: Rig
  /** What somebody else does just before the API server's next write of the status of an object. */
  let beforeWrite: (name: string) => Promise<void> = () => Promise.resolve()
  before(async () => {
    api = await startRig({}, ({ client }) =>
      Promise.resolve<ApiClient>({
        ...client,
        async replaceStatus<T extends KubeObject>(resource: Resource<T>, object: T) {
          await beforeWrite(object.metadata.name)
          return client.replaceStatus(resource, object)
        },
        close: () => Promise.resolve(),
      }),
    )
  })
  afterEach(() => void (beforeWrite = () => Promise.resolve()))
  after(() => api.stop())

  const stateOf = async (id: string) => at((await api.get(`/api/tasks/${id}`)).body, 'state')

  it('leaves a failed dependency alone that was queued meanwhile, and runs the task', async () => {
    await api.given(aTask({ name: 'dep', status: { state: 'FAILED' } }))
    await api.given(aTask({ name: 'top', spec: { dependsOn: ['dep'] } }))
    let races = 1
    beforeWrite = async (name) => {
      if (name === 'dep' && races-- > 0) await api.setStatus(TASKS, 'dep', { state: 'QUEUED' })
    }
    assert.equal((await api.post('/api/tasks/top/run')).status, 202)
    const dep = await api.client.get(TASKS, { namespace: api.namespace, name: 'dep' })
    assert.deepEqual([dep.status, await stateOf('top')], [{ state: 'QUEUED' }, 'QUEUED'])
  })

  it('undrains an agent whose task is queued meanwhile, and leaves that task alone', async () => {
    const question = { items: [{ text: 'undrain?' }] }
    await api.givenAgent(anAgent({ name: 'tired', metadata: { uid: '' } }))
    await api.setStatus(AGENTS, 'tired', { drained: { since: '2026-01-01T00:00:00Z' } })
    await api.given(aTask({ name: 'asks', status: { state: 'FAILED', agent: { type: 'tired' }, question } }))
    let races = 1
    const others = { state: 'QUEUED', agent: { type: 'tired' } } as const
    beforeWrite = async (name) => {
      if (name === 'asks' && races-- > 0) await api.setStatus(TASKS, 'asks', others)
    }
    assert.equal((await api.post('/api/pool/agents/tired/undrain')).status, 200)
    const [task, agent] = await Promise.all([
      api.client.get(TASKS, { namespace: api.namespace, name: 'asks' }),
      api.client.get(AGENTS, { namespace: api.namespace, name: 'tired' }),
    ])
    assert.deepEqual([task.status, agent.status?.drained], [others, undefined])
  })
})
