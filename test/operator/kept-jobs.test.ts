import assert from 'node:assert/strict'
import type { TaskStatus } from '../../core/crd/types.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import type { Job } from '../../kube/builtin.ts'
import type { ChangeHandler } from '../../kube/informer.ts'
import { AGENTS, EXECUTIONS, JOBS } from '../../kube/resources.ts'
import { findJobEnd } from '../../kube/workload.ts'
import { findDueJobs, followEndedJobs, MAX_KEPT_JOBS, runJobKeeper } from '../../operator/execution/kept-jobs.ts'
import { aJob, anAgent, anExecution } from '../helpers/build.ts'
import { type World, openWorld, syncOnce } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }

describe('the finished Jobs of a namespace', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  it('keeps a Job beyond those whose execution has yet to learn how it ended', async () => {
    world.given({ status: QUEUED })
    await world.sync()
    await world.endJob('task-a-1-run')
    const conditions = [
      { type: 'Complete', status: 'True', lastTransitionTime: toTimestamp(world.clock.now()) },
    ] as const
    const { ended } = followEndedJobs(world.context.views)
    for (let n = 1; n <= MAX_KEPT_JOBS; n++)
      world.kube.put(JOBS, { ...aJob({ execution: `other-${n}` }), status: { conditions } })
    assert.deepEqual(findDueJobs(world.context, ended), [])
  })

  it('costs no look at the other Jobs to end an execution, and few to find the Job that falls out of 5,000', async () => {
    let reads = 0
    const endedJob = (execution: string, second: number): Job => {
      const lastTransitionTime = toTimestamp(addMs(world.clock.now(), second * 1000))
      const status = { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime }] as const }
      const job: Job = aJob({ execution })
      return Object.defineProperty(job, 'status', { get: () => ((reads += 1), status) })
    }
    const jobs = Array.from({ length: 5000 }, (_, n) => endedJob(`past-${n}`, n))
    let tell: ChangeHandler<Job> = () => undefined
    const { views } = world.context
    const view = { ...views.jobs, onChange: (handler: ChangeHandler<Job>) => ((tell = handler), () => undefined) }
    const { ended } = followEndedJobs({ jobs: view })
    for (const object of jobs) tell({ type: 'add', object })
    for (const { job } of ended.slice(MAX_KEPT_JOBS, 5000))
      ended.delete({ job, end: `${findJobEnd(job)} ${job.metadata.name}` })
    reads = 0
    tell({ type: 'add', object: endedJob('late', 6000) })
    assert.deepEqual(
      ended.slice(MAX_KEPT_JOBS, ended.size).map(({ job }) => job.metadata.name),
      ['past-4800-run'],
    )
    assert.ok(reads < 10, `${reads} Jobs were looked at`)
    Object.assign(world.context, { views: { ...views, jobs: { ...views.jobs, list: () => assert.fail('a list') } } })
    world.given({ status: QUEUED })
    await syncOnce(world.context, 'task-a')
    await world.endJob('task-a-1-run')
    await syncOnce(world.context, 'task-a')
    assert.equal(world.task().status?.state, 'READY')
  })

  it('deletes thousands of Jobs that it finds at its start without a read of the server, and after the first dispatch', async () => {
    for (let n = 0; n < MAX_KEPT_JOBS + 300; n++) {
      const lastTransitionTime = toTimestamp(addMs(world.clock.now(), n))
      const conditions = [{ type: 'Complete', status: 'True', lastTransitionTime }] as const
      world.kube.put(JOBS, { ...aJob({ execution: `past-${n}` }), status: { conditions } })
      world.kube.put(EXECUTIONS, anExecution({ name: `past-${n}`, status: { state: 'COMPLETED' } }))
    }
    let deletes = 0
    const isRead = () => assert.fail('a read')
    const remove: typeof world.kube.delete = (...of) => ((deletes += 1), world.kube.delete(...of))
    const client = { ...world.kube, find: isRead, get: isRead, list: isRead, delete: remove }
    const stop = new AbortController()
    const running = runJobKeeper({ ...world.context, client }, stop.signal)
    await world.clock.advance(4000)
    assert.equal(deletes, 0)
    await world.clock.advance(2000)
    assert.ok(deletes <= 21, `${deletes} in the first second`)
    await world.clock.advance(30_000)
    stop.abort()
    await running
    assert.equal(deletes, 300)
    assert.equal(world.kube.all(JOBS).length, MAX_KEPT_JOBS)
  })
})
