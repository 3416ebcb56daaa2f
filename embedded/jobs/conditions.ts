import type { Job, JobCondition, JobStatus } from './model.ts'
import type { Tally } from './tally.ts'

/** The instant of a look, and how long the Job has been active. */
export interface JobTime {
  readonly now: Date
  /** Since its `startTime`; 0 before. By the kernel's clock: that of the wall may have been set meanwhile. */
  readonly activeMs: number
}

/** The condition that says how a Job that still has pods will end. */
interface InterimCondition {
  readonly type: 'SuccessCriteriaMet' | 'FailureTarget'
  readonly reason: string
  readonly message: string
}

export function findCondition(
  conditions: readonly JobCondition[],
  type: JobCondition['type'],
): JobCondition | undefined {
  return conditions.find((condition) => condition.type === type && condition.status === 'True')
}

/** Whether nothing of the Job will run any more: Complete or Failed, not the interim conditions that come before them. */
export function isFinished({ conditions }: JobStatus): boolean {
  return findCondition(conditions, 'Complete') !== undefined || findCondition(conditions, 'Failed') !== undefined
}

/**
 * The conditions after this look: first the interim one (`SuccessCriteriaMet`, `FailureTarget`), and the end
 * (`Complete`, `Failed`) with the same reason only when every pod has ended and has been counted.
 */
export function nextConditions(job: Job, pods: Tally, { now, activeMs }: JobTime): readonly JobCondition[] {
  const time = now.toISOString().replace(/\.\d{3}Z$/, 'Z')
  const stamp = { lastProbeTime: time, lastTransitionTime: time }
  const { conditions } = job.status
  const given = findCondition(conditions, 'SuccessCriteriaMet') ?? findCondition(conditions, 'FailureTarget')
  if (given === undefined) {
    const interim = findInterimCondition(job, pods, activeMs)
    if (interim !== undefined) return [...conditions, { ...interim, status: 'True', ...stamp }]
    return suspension(job, time)
  }
  if (!isSettled(pods)) return conditions
  const type = given.type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed'
  return [...conditions, { type, status: 'True', reason: given.reason, message: given.message, ...stamp }]
}

function isSettled(pods: Tally): boolean {
  const uncounted = pods.uncounted.succeeded.length + pods.uncounted.failed.length
  return pods.active.length === 0 && pods.terminating === 0 && uncounted === 0
}

function findInterimCondition(job: Job, pods: Tally, activeMs: number): InterimCondition | undefined {
  if (exceedsBackoff(job, pods)) {
    const message = 'Job has reached the specified backoff limit'
    return { type: 'FailureTarget', reason: 'BackoffLimitExceeded', message }
  }
  if (isPastDeadline(job, activeMs)) {
    const message = 'Job was active longer than specified deadline'
    return { type: 'FailureTarget', reason: 'DeadlineExceeded', message }
  }
  if (!isComplete(job, pods)) return undefined
  const message = 'Reached expected number of succeeded pods'
  return { type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message }
}

/** With restartPolicy OnFailure the kubelet retries in place: its restarts count like failed pods. */
function exceedsBackoff(job: Job, pods: Tally): boolean {
  const restarts = pods.active.reduce((sum, pod) => sum + pod.restarts, 0)
  if (pods.failed > job.backoffLimit) return true
  return restarts > 0 && restarts >= job.backoffLimit
}

function isPastDeadline({ activeDeadlineSeconds, suspend, status }: Job, activeMs: number): boolean {
  if (activeDeadlineSeconds === undefined || suspend || status.startTime === undefined) return false
  return activeMs >= activeDeadlineSeconds * 1000
}

function isComplete({ completions }: Job, pods: Tally): boolean {
  if (completions !== undefined) return pods.succeeded >= completions
  return pods.succeeded > 0 && pods.active.length === 0
}

function suspension({ suspend, status: { conditions } }: Job, time: string): readonly JobCondition[] {
  const current = conditions.find(({ type }) => type === 'Suspended')
  const wanted = suspend ? 'True' : 'False'
  if (current === undefined ? !suspend : current.status === wanted) return conditions
  const texts = suspend
    ? { reason: 'JobSuspended', message: 'Job suspended' }
    : { reason: 'JobResumed', message: 'Job resumed' }
  const next: JobCondition = {
    type: 'Suspended',
    status: wanted,
    ...texts,
    lastProbeTime: time,
    lastTransitionTime: time,
  }
  return [...conditions.filter((condition) => condition !== current), next]
}
