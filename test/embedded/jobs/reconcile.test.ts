import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Job, JobCondition, JobPod, JobStatus } from '../../../embedded/jobs/model.ts'
import { type JobStep, reconcileJob } from '../../../embedded/jobs/reconcile.ts'

const NOW = new Date('2026-01-01T00:10:00Z')
const START = '2026-01-01T00:00:00Z'

const EMPTY: JobStatus = {
  active: 0,
  ready: 0,
  terminating: 0,
  succeeded: 0,
  failed: 0,
  uncountedSucceeded: [],
  uncountedFailed: [],
  conditions: [],
}

function aJob({ status = {}, ...more }: Partial<Omit<Job, 'status'>> & { status?: Partial<JobStatus> } = {}): Job {
  return {
    name: 'job',
    namespace: 'default',
    uid: 'job-uid',
    isDeleting: false,
    parallelism: 1,
    completions: 1,
    backoffLimit: 0,
    suspend: false,
    replacesOnlyFailed: true,
    ...more,
    status: { ...EMPTY, startTime: START, ...status },
  }
}

let count = 0
function aPod(more: Partial<JobPod> = {}): JobPod {
  count += 1
  return {
    name: `job-${count}`,
    uid: `uid-${count}`,
    phase: 'Running',
    isDeleting: false,
    isReady: false,
    isTracked: true,
    restarts: 0,
    ...more,
  }
}

function aCondition(type: JobCondition['type'], reason = ''): JobCondition {
  return { type, status: 'True', reason, message: '', lastProbeTime: START, lastTransitionTime: START }
}

const ACTIVE_MS = NOW.getTime() - Date.parse(START)

const look = (job: Job, pods: readonly JobPod[] = []): JobStep =>
  reconcileJob({ now: NOW, activeMs: ACTIVE_MS, job, pods })
const kinds = (step: JobStep): string[] => step.actions.map(({ kind }) => kind)

function written(step: JobStep): JobStatus {
  const action = step.actions.find(({ kind }) => kind === 'writeStatus')
  assert.ok(action?.kind === 'writeStatus', 'the step writes no status')
  return action.status
}

const conditionsOf = (step: JobStep): string[] =>
  written(step).conditions.map(({ type, reason }) => `${type} ${reason}`.trim())

describe('a step of a Job', () => {
  it('writes when it started, then makes its pod', () => {
    const { startTime, ...status } = aJob().status
    assert.equal(startTime, START)
    const step = look({ ...aJob(), status })
    assert.deepEqual(kinds(step), ['writeStatus', 'createPods'])
    assert.equal(written(step).startTime, '2026-01-01T00:10:00Z')
  })

  it('makes no second pod while the first one runs', () => {
    assert.deepEqual(kinds(look(aJob({ status: { active: 1 } }), [aPod()])), [])
  })

  it('makes as many pods as may run at once, and no more than are still needed', () => {
    const step = look(aJob({ completions: 5, parallelism: 3, status: { succeeded: 3 } }))
    assert.deepEqual(
      step.actions.filter(({ kind }) => kind === 'createPods'),
      [{ kind: 'createPods', count: 2 }],
    )
  })

  it('replaces a pod that is being deleted only when it has ended', () => {
    const leaving = aPod({ isDeleting: true })
    assert.ok(!kinds(look(aJob({ backoffLimit: 1 }), [leaving])).includes('createPods'))
    const step = look(aJob({ backoffLimit: 1, replacesOnlyFailed: false }), [leaving])
    assert.ok(kinds(step).includes('createPods'))
  })

  it('writes an ended pod down before it lets it go', () => {
    const pod = aPod({ phase: 'Succeeded' })
    const first = look(aJob(), [pod])
    assert.deepEqual([kinds(first), written(first).uncountedSucceeded], [['writeStatus'], [pod.uid]])
    const second = look(aJob({ status: written(first) }), [pod])
    assert.deepEqual(kinds(second), ['releasePod'])
    const third = look(aJob({ status: written(first) }), [{ ...pod, isTracked: false }])
    assert.deepEqual([written(third).succeeded, written(third).uncountedSucceeded], [1, []])
  })

  it('counts a pod that vanished after it was written down', () => {
    const step = look(aJob({ status: { uncountedFailed: ['gone'], conditions: [aCondition('FailureTarget')] } }))
    assert.deepEqual([written(step).failed, written(step).uncountedFailed], [1, []])
  })

  it('sets the interim condition at once and the final one when all pods are counted', () => {
    const pod = aPod({ phase: 'Succeeded' })
    const interim = look(aJob(), [pod])
    assert.deepEqual(conditionsOf(interim), ['SuccessCriteriaMet CompletionsReached'])
    const end = look(aJob({ status: written(interim) }), [{ ...pod, isTracked: false }])
    assert.deepEqual(conditionsOf(end), ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'])
    assert.equal(written(end).completionTime, '2026-01-01T00:10:00Z')
  })

  it('fails over its backoff limit', () => {
    const step = look(aJob(), [aPod({ phase: 'Failed' })])
    assert.deepEqual(conditionsOf(step), ['FailureTarget BackoffLimitExceeded'])
  })

  it('counts restarts in place towards the backoff limit', () => {
    assert.deepEqual(conditionsOf(look(aJob({ backoffLimit: 2 }), [aPod({ restarts: 2 })])), [
      'FailureTarget BackoffLimitExceeded',
    ])
  })

  it('fails past its deadline, deletes its pod and waits for its end', () => {
    const pod = aPod()
    const step = look(aJob({ activeDeadlineSeconds: 600, status: { active: 1 } }), [pod])
    assert.deepEqual(
      [kinds(step), conditionsOf(step)],
      [['writeStatus', 'deletePod'], ['FailureTarget DeadlineExceeded']],
    )
    const waiting = look(aJob({ activeDeadlineSeconds: 600, status: written(step) }), [{ ...pod, isDeleting: true }])
    assert.deepEqual(conditionsOf(waiting), ['FailureTarget DeadlineExceeded'])
  })

  it('looks again at its deadline', () => {
    const step = look(aJob({ activeDeadlineSeconds: 700, status: { active: 1 } }), [aPod()])
    assert.deepEqual(step.requeueAt, new Date('2026-01-01T00:11:40Z'))
  })

  it('waits longer after each failure before it tries again', () => {
    const finishedAt = new Date(NOW.getTime() - 5000)
    const failed = (finished: Date): JobPod => aPod({ phase: 'Failed', isTracked: false, finishedAt: finished })
    const one = look(aJob({ backoffLimit: 5, status: { failed: 1 } }), [failed(finishedAt)])
    assert.deepEqual([kinds(one), one.requeueAt], [[], new Date(NOW.getTime() + 5000)])
    const two = look(aJob({ backoffLimit: 5, status: { failed: 2 } }), [failed(finishedAt), failed(finishedAt)])
    assert.deepEqual(two.requeueAt, new Date(NOW.getTime() + 15_000))
  })

  it('ends its pods while suspended, and starts anew when resumed', () => {
    const step = look(aJob({ suspend: true, status: { active: 1 } }), [aPod()])
    assert.deepEqual([kinds(step), conditionsOf(step)], [['writeStatus', 'deletePod'], ['Suspended JobSuspended']])
    assert.equal(written(step).startTime, undefined)
    const { startTime, ...suspended } = aJob({ status: { conditions: written(step).conditions } }).status
    assert.equal(startTime, START)
    const resumed = look({ ...aJob(), status: suspended })
    assert.deepEqual([kinds(resumed), conditionsOf(resumed)], [['writeStatus', 'createPods'], ['Suspended JobResumed']])
  })

  it('deletes itself when its time to live is over', () => {
    const job = aJob({ ttlSecondsAfterFinished: 60, status: { conditions: [aCondition('Complete')] } })
    assert.deepEqual(kinds(look(job)), ['deleteJob'])
    const later = look({ ...job, ttlSecondsAfterFinished: 660 })
    assert.deepEqual([kinds(later), later.requeueAt], [[], new Date('2026-01-01T00:11:00Z')])
  })

  it('makes nothing more for a Job that is being deleted', () => {
    assert.deepEqual(kinds(look(aJob({ isDeleting: true }))), [])
  })
})

const arbitraryPod = fc.record({
  phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
  isDeleting: fc.boolean(),
  isTracked: fc.boolean(),
})

describe('any step of a Job', () => {
  it('never has more pods than parallelism, and is the same for the same observation', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryPod, { maxLength: 6 }),
        fc.integer({ min: 0, max: 4 }),
        fc.boolean(),
        (shapes, parallelism, replacesOnlyFailed) => {
          const pods = shapes.map((shape) =>
            aPod({ ...shape, isTracked: shape.isTracked || shape.phase === 'Running' }),
          )
          const job = aJob({ parallelism, completions: 10, backoffLimit: 10, replacesOnlyFailed })
          const step = look(job, pods)
          const created = step.actions.reduce(
            (sum, action) => sum + (action.kind === 'createPods' ? action.count : 0),
            0,
          )
          const active = pods.filter(
            ({ phase, isDeleting }) => !isDeleting && (phase === 'Pending' || phase === 'Running'),
          ).length
          assert.ok(created === 0 || active + created <= parallelism)
          assert.deepEqual(look(job, pods), step)
        },
      ),
    )
  })

  it('counts no pod twice, whatever step is lost', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), (survives) => {
        let job = aJob({ completions: 2, parallelism: 2 })
        let pods = [aPod({ phase: 'Succeeded' }), aPod({ phase: 'Succeeded' })]
        for (const isKept of [...survives, true, true, true, true]) {
          // A crash loses the rest of a step after its first write.
          const { actions } = look(job, pods)
          for (const action of isKept ? actions : actions.slice(0, 1)) {
            if (action.kind === 'writeStatus') job = { ...job, status: action.status }
            if (action.kind === 'releasePod')
              pods = pods.map((pod) => (pod.uid === action.pod.uid ? { ...pod, isTracked: false } : pod))
          }
          assert.ok(job.status.succeeded + job.status.uncountedSucceeded.length <= 2)
        }
        assert.deepEqual([job.status.succeeded, job.status.uncountedSucceeded], [2, []])
      }),
    )
  })
})
