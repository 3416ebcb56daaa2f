import assert from 'node:assert/strict'
import type { TaskStatus } from '../../core/crd/types.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import type { Job } from '../../kube/builtin.ts'
import { AGENTS, EXECUTIONS, JOBS, LEASES, PODS } from '../../kube/resources.ts'
import { MAX_KEPT_JOBS } from '../../operator/execution/kept-jobs.ts'
import { aJob, aPod, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld, syncOnce } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }

describe('the operator with Jobs, pods and slots', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  it('cancels a RUNNING task by deleting its Job, and frees the slot only when the pod has ended', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const pod = world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Running' } }))
    world.annotate('task-a', { 'slipway.dev/action': 'cancel' })
    await world.sync()
    assert.equal(world.job('task-a-1-run'), undefined)
    assert.deepEqual([world.task().status?.state, world.holderOf('slipway-slot-script-1')], ['RUNNING', 'task-a-1'])
    world.kube.put(PODS, { ...pod, status: { phase: 'Failed' } })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.holderOf('slipway-slot-script-1')], ['CANCELLED', undefined])
  })

  it('makes no second Job while its caches have yet to hear of the first', async () => {
    world.given({ status: QUEUED })
    const { views } = world.context
    const deaf = { get: () => undefined, list: () => [], byIndex: () => [] }
    const context = {
      ...world.context,
      views: { ...views, jobs: { ...views.jobs, ...deaf }, pods: { ...views.pods, ...deaf } },
    }
    await syncOnce(context, 'task-a')
    world.kube.put(PODS, aPod({ status: { phase: 'Pending' } }))
    await syncOnce(context, 'task-a')
    assert.deepEqual(
      world.kube.all(JOBS).map(({ metadata }) => metadata.name),
      ['task-a-1-run'],
    )
    assert.equal(world.task().status?.state, 'RUNNING')
  })

  it('records the steps of a running pod once, and writes nothing while they stay as they are', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const startedAt = world.clock.now().toISOString()
    const state = { running: { startedAt } }
    const initContainerStatuses = [{ name: 'prepare', state, ready: false, restartCount: 0, image: '', imageID: '' }]
    world.kube.put(PODS, aPod({ status: { initContainerStatuses } }))
    const writes: string[] = []
    world.kube.onWrite = (moment, write) => void (moment === 'before' && writes.push(write))
    await world.sync()
    await world.sync()
    assert.deepEqual(writes, ['status Execution task-a-1'])
    assert.deepEqual(world.execution('task-a-1')?.phases, [{ name: 'prepare', startedAt }])
  })

  it('holds the slot of a pod that does not end, and says which pod it is', async () => {
    world.given({ status: QUEUED })
    world.given({ name: 'task-b', status: { ...QUEUED, queuedAt: '2026-01-01T00:01:00Z' } })
    await world.sync()
    const deletionTimestamp = world.clock.now().toISOString()
    world.kube.put(
      PODS,
      aPod({ job: 'task-a-1-run', metadata: { deletionTimestamp, finalizers: ['x'] }, status: { phase: 'Running' } }),
    )
    await world.clock.advance(5 * 60_000)
    await world.sync()
    assert.equal(world.execution('task-a-1')?.error?.category, 'lost')
    assert.equal(world.holderOf('slipway-slot-script-1'), 'task-a-1')
    assert.equal(world.task('task-b').status?.state, 'QUEUED')
  })

  it("fails a pod that does not start within ten minutes with the pod's reason", async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const waiting = {
      name: 'prepare',
      state: { waiting: { reason: 'ErrImagePull' } },
      ready: false,
      restartCount: 0,
      image: '',
      imageID: '',
    }
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { phase: 'Pending', initContainerStatuses: [waiting] } }))
    await world.clock.advance(10 * 60_000)
    await world.sync()
    assert.equal(world.task().status?.error?.category, 'unavailable')
    assert.match(world.task().status?.error?.message ?? '', /ErrImagePull/)
    assert.equal(world.job('task-a-1-run'), undefined)
  })

  it('ends by its Job, not for a pod that never started, where that was there and is gone before the Job says why', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const startedAt = world.clock.now().toISOString()
    const status = { ready: true, restartCount: 0, image: '', imageID: '' }
    const initContainerStatuses = [
      { ...status, name: 'prepare', state: { terminated: { exitCode: 0, startedAt, finishedAt: startedAt } } },
      { ...status, name: 'agent', state: { running: { startedAt } } },
    ]
    const pod = world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { initContainerStatuses } }))
    await world.sync()
    await world.kube.delete(PODS, { namespace: NAMESPACE, name: pod.metadata.name })
    // As a machine that slept.
    await world.clock.advance(60 * 60_000)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    const job = world.job('task-a-1-run')
    assert.ok(job)
    const conditions = [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }] as const
    world.kube.put(JOBS, { ...job, status: { conditions } })
    await world.sync()
    assert.equal(world.task().status?.state, 'TIMED_OUT')
  })

  it("frees the slot of a pod whose agent's image cannot be had, ten minutes after prepare has ended", async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const finishedAt = world.clock.now().toISOString()
    const ended = { terminated: { exitCode: 0, reason: 'Completed', startedAt: finishedAt, finishedAt } }
    const status = { ready: false, restartCount: 0, image: '', imageID: '' }
    const initContainerStatuses = [
      { ...status, name: 'prepare', state: ended },
      { ...status, name: 'agent', state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } },
    ]
    const initContainers = [{ name: 'agent', image: 'registry.example/agent:1', command: [], env: [] }]
    const spec = { containers: [], initContainers }
    const pod = world.kube.put(PODS, aPod({ job: 'task-a-1-run', spec, status: { initContainerStatuses } }))
    await world.clock.advance(10 * 60_000 - 1)
    await world.sync()
    assert.equal(world.task().status?.state, 'RUNNING')
    await world.clock.advance(1)
    await world.sync()
    assert.deepEqual(world.task().status?.error, {
      category: 'unavailable',
      message:
        'step agent did not start within 10 minutes: ImagePullBackOff (image registry.example/agent:1): not found; ' +
        'correct that, then run the task again',
    })
    world.kube.put(PODS, { ...pod, status: { ...pod.status, phase: 'Failed' } })
    await world.sync()
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
  })

  it('records what of prepare the mirror took, as the step says, and no longer than the step', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const phasesAfter = async (message: string) => {
      const times = { startedAt: '2026-01-01T00:00:10Z', finishedAt: '2026-01-01T00:00:14Z' }
      const ended = { terminated: { exitCode: 0, reason: 'Completed', message, ...times } }
      const prepare = { name: 'prepare', ready: true, restartCount: 0, image: '', imageID: '', state: ended }
      world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { initContainerStatuses: [prepare] } }))
      await world.sync()
      return world.execution('task-a-1')?.phases?.map(({ name, finishedAt }) => [name, finishedAt])
    }
    const prepare = ['prepare', '2026-01-01T00:00:14Z']
    assert.deepEqual(await phasesAfter('{"mirrorSeconds":1.5}'), [['mirror', '2026-01-01T00:00:11.500Z'], prepare])
    assert.deepEqual(await phasesAfter('{"mirrorSeconds":9}'), [['mirror', '2026-01-01T00:00:14Z'], prepare])
    assert.deepEqual(await phasesAfter('cloned'), [prepare])
  })

  it('writes no times that nobody knows, of a step that the kubelet has missed', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const missed = { terminated: { exitCode: 0, startedAt: null, finishedAt: null } }
    const prepare = { name: 'prepare', ready: true, restartCount: 0, image: '', imageID: '', state: missed }
    world.kube.put(PODS, aPod({ job: 'task-a-1-run', status: { initContainerStatuses: [prepare] } }))
    await world.sync()
    const { state, phases = [] } = world.execution('task-a-1') ?? {}
    assert.deepEqual([state, phases], ['RUNNING', []])
  })

  it('starts nothing beside an execution whose Lease was deleted by hand', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const [lease] = world.kube.all(LEASES)
    assert.ok(lease)
    await world.kube.delete(LEASES, lease.metadata)
    world.given({ name: 'task-b', status: QUEUED })
    await world.sync()
    assert.equal(world.task('task-b').status?.state, 'QUEUED')
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task('task-b').status?.state], ['READY', 'RUNNING'])
  })

  it('keeps the Job of an ended execution for an hour, then deletes it', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    await world.endJob('task-a-1-run')
    await world.sync()
    await world.clock.advance(3_599_000)
    await world.sync()
    assert.notEqual(world.job('task-a-1-run'), undefined)
    await world.clock.advance(1_000)
    await world.sync()
    assert.equal(world.job('task-a-1-run'), undefined)
    assert.equal(world.task().status?.state, 'READY')
  })

  it('keeps the 200 Jobs that ended last, and takes away at once what ended before', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    await world.endJob('task-a-1-run')
    await world.sync()
    const putEnded = (job: Job, minute: number): void => {
      const lastTransitionTime = toTimestamp(addMs(world.clock.now(), minute * 60_000))
      world.kube.put(JOBS, {
        ...job,
        status: { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime }] },
      })
    }
    const own = world.job('task-a-1-run')
    assert.ok(own)
    putEnded(own, 0)
    for (let n = 1; n < MAX_KEPT_JOBS; n++) putEnded(aJob({ execution: `other-${n}` }), 1)
    await world.sync()
    assert.notEqual(world.job('task-a-1-run'), undefined)
    // One that still runs, or that ended before, needs no room.
    world.kube.put(JOBS, aJob({ execution: 'runs-1' }))
    putEnded(aJob({ execution: 'early-1' }), -1)
    await world.sync()
    assert.notEqual(world.job('task-a-1-run'), undefined)
    putEnded(aJob({ execution: 'late-1' }), 2)
    await world.sync()
    assert.equal(world.job('task-a-1-run'), undefined)
    assert.equal(world.task().status?.state, 'READY')
  })

  it('ends no execution before it began, though the clock was set back meanwhile', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    const { startedAt } = world.execution('task-a-1') ?? {}
    world.clock.set(-3_600_000)
    await world.endJob('task-a-1-run')
    await world.sync()
    assert.deepEqual([world.execution('task-a-1')?.finishedAt, world.task().status?.finishedAt], [startedAt, startedAt])
  })

  it('finishes a task whose Execution was deleted while it ran', async () => {
    world.given({ spec: { maxAttempts: 1 }, status: { ...QUEUED, attempts: 1 } })
    await world.sync()
    await world.kube.delete(EXECUTIONS, { namespace: NAMESPACE, name: 'task-a-1' })
    await world.kube.delete(JOBS, { namespace: NAMESPACE, name: 'task-a-1-run' })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().status?.error?.category], ['FAILED', 'lost'])
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
  })

  it('gives back a slot that a deleted task left, but not while a pod of it may run', async () => {
    const lease = {
      metadata: { name: 'slipway-slot-script-1', namespace: NAMESPACE, labels: { 'slipway.dev/agent': 'script' } },
    }
    world.kube.put(LEASES, { ...lease, spec: { holderIdentity: 'gone-1' } })
    const job = world.kube.put(JOBS, aJob({ execution: 'gone-1' }))
    await world.sync('gone')
    assert.equal(world.holderOf('slipway-slot-script-1'), 'gone-1')
    world.kube.put(JOBS, { ...job, status: { conditions: [{ type: 'FailureTarget', status: 'True' }] } })
    await world.sync('gone')
    assert.equal(world.holderOf('slipway-slot-script-1'), 'gone-1')
    world.kube.put(JOBS, { ...job, status: { conditions: [{ type: 'Failed', status: 'True' }] } })
    await world.sync('gone')
    assert.equal(world.holderOf('slipway-slot-script-1'), undefined)
  })
})
