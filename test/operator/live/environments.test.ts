import assert from 'node:assert/strict'
import { AGENTS, EXECUTIONS, JOBS, LEASES, PROJECTS, TASKS } from '../../../kube/resources.ts'
import type { KubeObject, Resource } from '../../../kube/types.ts'
import { aProject, aTask, anAgent } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { type LiveRig, openLiveRig } from './rig.ts'

const TASK_COUNT = 20

describe('twenty queued tasks of a project that prepares an environment, on a control plane', () => {
  let rig: LiveRig
  before(async () => {
    rig = await openLiveRig()
    await rig.startOperator({ installation: { isolation: 'container', allowUnsandboxed: false, embedded: false } })
  })
  after(() => rig.end())

  const create = async <T extends KubeObject>(resource: Resource<T>, object: T): Promise<void> => {
    const metadata = { name: object.metadata.name, namespace: rig.namespace }
    await rig.client.create(resource, { ...object, metadata })
  }
  const list = async <T extends KubeObject>(resource: Resource<T>): Promise<T[]> => {
    const { items } = await rig.client.list(resource, { namespace: rig.namespace })
    return [...items]
  }

  it('wait for one setup, without a Lease and without an execution of their own', async () => {
    await create(AGENTS, anAgent({ spec: { maxConcurrent: 5 } }))
    const environment = { setup: 'npm ci', cache: [{ path: 'node_modules' }] }
    await create(PROJECTS, aProject({ spec: { environment } }))
    const spec = { project: 'project-a', repositoryUrl: 'https://git.example/repo.git', runPolicy: 'Auto' } as const
    for (let n = 0; n < TASK_COUNT; n++) await create(TASKS, aTask({ name: `task-${n}`, spec }))
    await until('all of them say what they wait for', async () => {
      const tasks = await list(TASKS)
      const reasons = tasks.map(({ status }) => status?.conditions?.[0]?.reason)
      return reasons.length === TASK_COUNT && reasons.every((reason) => reason === 'WaitingForEnvironment')
    })
    await until('its Job is there', async () => (await list(JOBS)).length > 0)
    assert.deepEqual(
      (await list(EXECUTIONS)).map(({ metadata, spec: { purpose, image } }) => [metadata.name, purpose, image]),
      [['project-a-e1', 'Prepare', 'slipway']],
    )
    await create(AGENTS, anAgent({ name: 'other', spec: { image: 'node:24' } }))
    await create(TASKS, aTask({ name: 'task-x', spec: { ...spec, agent: { type: 'other', instructions: 'true' } } }))
    await until('the other image is prepared beside it', async () => {
      const images = (await list(EXECUTIONS)).map((execution) => execution.spec.image)
      return images.length === 2 && images.includes('node:24')
    })
    const held = (await list(LEASES)).filter(({ spec: lease }) => lease?.holderIdentity?.startsWith('task-') === true)
    assert.deepEqual(held, [])
  })
})
