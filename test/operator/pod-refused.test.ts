import assert from 'node:assert/strict'
import type { Pod } from '../../kube/builtin.ts'
import { AGENTS, EVENTS, JOBS, PODS, TASKS } from '../../kube/resources.ts'
import { aPod, aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const QUOTA =
  'Error creating: pods "task-a-1-run-x" is forbidden: exceeded quota: small, requested: cpu=500m,pods=1, used: cpu=2,pods=2, limited: cpu=2,pods=2'
const REFUSAL = 'Error creating: pods "task-a-1-run-x" is forbidden: no PriorityClass with name a was found'

describe('a Job whose pod the cluster refuses', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
    world.kube.put(TASKS, aTask({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync()
  })
  afterEach(() => world.close())

  const stamp = (change: { spec?: object; status?: object } = {}) => {
    const job = world.job('task-a-1-run')
    assert.ok(job)
    const creationTimestamp = job.metadata.creationTimestamp ?? world.clock.now().toISOString()
    const metadata = { ...job.metadata, creationTimestamp }
    world.kube.put(JOBS, { ...job, metadata, spec: { ...job.spec, ...change.spec }, status: { ...change.status } })
  }
  const refuse = (reason: string, message = REFUSAL) =>
    world.kube.put(EVENTS, {
      metadata: { name: `refused-${reason.toLowerCase()}`, namespace: NAMESPACE },
      involvedObject: { kind: 'Job', name: 'task-a-1-run', uid: world.job('task-a-1-run')?.metadata.uid ?? '' },
      reason,
      message,
    })

  const refusedWith = async (message: string, afterMs = 30_000) => {
    stamp()
    refuse('FailedCreate', message)
    await world.clock.advance(afterMs)
    await world.sync()
    return world.task().status ?? {}
  }

  for (const message of [
    'Error creating: pods "a" is forbidden: maximum cpu usage per Container is 500m, but limit is 2',
    'Error creating: pods "a" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
    'Error creating: admission webhook "policy.example" denied the request: no such registry',
    'Error creating: pods "a" is forbidden: failed quota: small: must specify limits.cpu for: sidecar',
    'Error creating: pods "a" is forbidden: exceeded quota: small, requested: pods=1,requests.memory=4Gi, used: pods=0,requests.memory=0, limited: pods=5,requests.memory=2048Mi',
    'Error creating: Pod "a" is invalid: spec.containers[0].image: Required value',
  ])
    it(`is FAILED with the words of the cluster within 30 s, and its slot is free: ${message}`, async () => {
      const { state, error } = await refusedWith(message)
      assert.deepEqual([state, error?.category], ['FAILED', 'unavailable'])
      assert.ok(error?.message?.startsWith(`the cluster refuses the pod: ${message}; change`))
      assert.equal(world.job('task-a-1-run'), undefined)
      assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
    })

  it('waits for room in a full quota without limit, says so, keeps its slot, and runs once there is room', async () => {
    const { state, waitingFor, conditions } = await refusedWith(QUOTA)
    assert.equal(state, 'RUNNING')
    assert.match(waitingFor ?? '', /^the namespace has no room for the pod.*exceeded quota: small/)
    assert.match(conditions?.[0]?.message ?? '', /^runs with agent script; the namespace has no room/)
    assert.equal(world.execution('task-a-1')?.waitingFor, waitingFor)
    await world.clock.advance(24 * 3_600_000)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    assert.equal(world.holderOf('slipway-slot-script-1'), 'task-a-1')
    const running = { name: 'prepare', state: { running: { startedAt: world.clock.now().toISOString() } } }
    const status = { phase: 'Pending', initContainerStatuses: [running] } as unknown as NonNullable<Pod['status']>
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status }))
    await world.sync()
    assert.deepEqual([world.task().status?.waitingFor, world.execution('task-a-1')?.waitingFor], [undefined, undefined])
    assert.equal(world.task().status?.conditions?.[0]?.message, 'runs with agent script')
  })

  it('goes on waiting for room in a further Job when its own has met its deadline', async () => {
    await refusedWith(QUOTA)
    const job = world.job('task-a-1-run')
    assert.ok(job)
    const conditions = [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }] as const
    world.kube.put(JOBS, { ...job, status: { conditions } })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.execution('task-a-1')?.jobs], ['RUNNING', 2])
    assert.ok(world.job('task-a-1-run-2'))
  })

  for (const message of [
    'Error creating: Internal error occurred: failed calling webhook "a": connect: connection refused',
    'Error creating: pods "a" is forbidden: error looking up service account work/default: serviceaccount "default" not found',
  ])
    it(`is tried again for 10 minutes, and then within the attempts of the task, where it may pass: ${message}`, async () => {
      const { state, waitingFor } = await refusedWith(message, 9 * 60_000)
      assert.equal(state, 'RUNNING')
      assert.ok(waitingFor?.includes(message))
      await world.clock.advance(60_000)
      await world.sync()
      const { error, attempts, executions } = world.task().status ?? {}
      assert.deepEqual([error?.category, attempts, executions], [undefined, 1, 2])
      assert.equal(world.execution('task-a-1')?.error?.category, 'lost')
      assert.match(world.execution('task-a-1')?.error?.message ?? '', /took no pod within 10 minutes/)
    })

  it('waits while only its pod is late', async () => {
    stamp()
    refuse('SomethingElse')
    await world.clock.advance(60_000)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('may be suspended by a queue for as long as that takes; its pod is due from its start on', async () => {
    stamp({ spec: { suspend: true } })
    await world.clock.advance(24 * 3_600_000)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    stamp({ spec: { suspend: false }, status: { startTime: world.clock.now().toISOString() } })
    refuse('FailedCreate')
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    await world.clock.advance(15_000)
    await world.sync()
    assert.equal(world.task().status?.state, 'FAILED')
  })

  it('says on its task that the Job is suspended, that the pod has no node, that an image cannot be had', async () => {
    stamp({ spec: { suspend: true } })
    await world.sync()
    assert.match(world.task().status?.waitingFor ?? '', /^Job task-a-1-run is suspended/)
    stamp({ spec: { suspend: false } })
    const unscheduled = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/3 nodes',
    } as const
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Pending', conditions: [unscheduled] } }))
    await world.sync()
    assert.match(world.task().status?.waitingFor ?? '', /waits: Unschedulable: 0\/3 nodes/)
    const waiting = { name: 'prepare', state: { waiting: { reason: 'ErrImagePull', message: 'no such host' } } }
    const status = { phase: 'Pending', initContainerStatuses: [waiting] } as unknown as NonNullable<Pod['status']>
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status }))
    await world.sync()
    assert.match(world.task().status?.waitingFor ?? '', /^step prepare does not start: ErrImagePull.*no such host/)
  })
})

describe('a pod that the cluster has added a container to', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
    world.kube.put(TASKS, aTask({ status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync()
  })
  afterEach(() => world.close())

  const containers = (deliver: object, proxy?: object): NonNullable<Pod['status']> => {
    const of = (name: string, state: object) => ({ name, state })
    const all = [of('deliver', deliver), ...(proxy ? [of('istio-proxy', proxy)] : [])]
    return { phase: 'Running', containerStatuses: all } as unknown as NonNullable<Pod['status']>
  }
  const ended = { terminated: { exitCode: 0, reason: 'Completed' } }

  it('has done its work when the last step has ended: the task is READY, and the Job is deleted with what is left', async () => {
    await world.endJob('task-a-1-run', { jobLags: true })
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: containers(ended, { running: {} }) }))
    await world.sync()
    assert.equal(world.task().status?.state, 'READY')
    assert.equal(world.job('task-a-1-run'), undefined)
  })

  it('goes on while the last step does, and keeps its Job where it ends by itself', async () => {
    await world.endJob('task-a-1-run', { jobLags: true })
    for (const status of [containers({ running: {} }, ended), containers(ended)]) {
      world.kube.put(PODS, aPod({ job: 'task-a-1-run', status }))
      await world.sync()
      assert.equal(world.task().status?.state, 'RUNNING')
    }
    assert.ok(world.job('task-a-1-run'))
  })
})
