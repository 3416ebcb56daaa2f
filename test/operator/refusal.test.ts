import assert from 'node:assert/strict'
import { AGENTS, JOBS, LEASES } from '../../kube/resources.ts'
import { type KubeClient, type KubeObject, type Resource, KubeError } from '../../kube/types.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

describe('a task of which something is refused', () => {
  let world: World
  let isAllowed: boolean
  let refusal: KubeError
  const key = { namespace: NAMESPACE, name: 'task-a' }
  beforeEach(async () => {
    world = await openWorld()
    isAllowed = false
    refusal = new KubeError(403, 'Forbidden', 'jobs.batch is forbidden: cannot create')
    world.kube.put(AGENTS, anAgent())
    world.given({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
  })
  afterEach(() => world.close())

  const sync = (refused: Resource<KubeObject>) => {
    const create: KubeClient['create'] = async (resource, object) => {
      if (resource.plural === refused.plural && !isAllowed) throw refusal
      return world.kube.create(resource, object)
    }
    return syncTask({ ...world.context, client: { ...world.kube, create } }, key)
  }
  const said = () =>
    world.task().status?.conditions?.map(({ type, reason, message }) => `${type} ${reason}: ${message}`)

  it('says so in its condition while it runs, once, and no longer when it is granted', async () => {
    await assert.rejects(sync(JOBS), refusal)
    assert.deepEqual(said(), ['Reconciling Refused: jobs.batch is forbidden: cannot create'])
    const { resourceVersion } = world.task().metadata
    await assert.rejects(sync(JOBS), refusal)
    assert.equal(world.task().metadata.resourceVersion, resourceVersion)
    isAllowed = true
    await sync(JOBS)
    assert.deepEqual(said(), ['Reconciling Running: runs with agent script'])
    assert.notEqual(world.job('task-a-1-run'), undefined)
  })

  it('is told in an Event', async () => {
    await assert.rejects(sync(JOBS), refusal)
    assert.deepEqual(
      world.events.filter(({ reason }) => reason === 'Refused').map(({ message }) => message),
      [refusal.message],
    )
  })

  it('says so while it is queued, also as what it waits for', async () => {
    await assert.rejects(sync(LEASES), refusal)
    assert.deepEqual(said(), ['Reconciling Refused: jobs.batch is forbidden: cannot create'])
    assert.equal(world.task().status?.waitingFor, 'jobs.batch is forbidden: cannot create')
    isAllowed = true
    await sync(LEASES)
    assert.deepEqual([world.task().status?.state, world.task().status?.waitingFor], ['RUNNING', undefined])
  })

  it('is left as it is when a server is away', async () => {
    refusal = new KubeError(503, 'ServiceUnavailable', 'etcd leader changed')
    await assert.rejects(sync(JOBS), refusal)
    assert.deepEqual(said(), ['Reconciling Running: runs with agent script'])
    assert.deepEqual(
      world.events.filter(({ reason }) => reason === 'Refused'),
      [],
    )
  })
})
