import { type JobTime, findCondition, isFinished, nextConditions } from './conditions.ts'
import { jsonEquals } from '../schema/json.ts'
import { type Job, type JobCondition, type JobPod, type JobStatus, toStatus } from './model.ts'
import { type Tally, tally } from './tally.ts'

/** Everything the next step of one Job depends on. */
export interface ObservedJob extends JobTime {
  readonly job: Job
  readonly pods: readonly JobPod[]
}

/** One write; they are performed in order, and the first that fails ends the step. */
export type JobAction =
  | { readonly kind: 'writeStatus'; readonly status: JobStatus }
  | { readonly kind: 'releasePod'; readonly pod: JobPod }
  | { readonly kind: 'deletePod'; readonly pod: JobPod }
  | { readonly kind: 'createPods'; readonly count: number }
  | { readonly kind: 'deleteJob' }

export interface JobStep {
  readonly actions: readonly JobAction[]
  /** When to look again if nothing changes meanwhile. */
  readonly requeueAt?: Date
}

/** Delay before the pod after the first failure; doubled for each further one. Source: kube-controller-manager. */
const FAILURE_BACKOFF_MS = 10_000
const MAX_FAILURE_BACKOFF_MS = 600_000
/** As many pods as one step may create; the rest follows in the next one. */
const MAX_CREATED_PER_STEP = 500

/**
 * Decides the next step of one Job.
 *
 * Level-triggered: the same observation gives the same step. The status, with the pods about to be counted, is
 * written before any finalizer goes and before any pod is made or deleted, so that a crash in between is repaired
 * by the next look. No pod is created while the status of the previous ones is still to be written.
 */
export function reconcileJob(seen: ObservedJob): JobStep {
  const { job, now } = seen
  const pods = tally(job, seen.pods)
  if (isFinished(job.status)) return cleanUp(job, pods, now)
  if (job.isDeleting) return { actions: [...statusWrite(seen, pods, job.status.conditions), ...releases(pods)] }
  const conditions = nextConditions(job, pods, seen)
  const actions = [...statusWrite(seen, pods, conditions), ...releases(pods)]
  const ends = isEnding(conditions)
  const plan = ends || job.suspend ? { remove: pods.active, create: 0 } : planPods(job, pods)
  const createAt = plan.create > 0 ? nextCreation(seen.pods) : undefined
  const waits = createAt !== undefined && createAt > now
  for (const pod of plan.remove) actions.push({ kind: 'deletePod', pod })
  if (plan.create > 0 && !waits) actions.push({ kind: 'createPods', count: plan.create })
  const requeueAt = earliest(waits ? createAt : undefined, ends ? undefined : deadlineOf(seen))
  return { actions, ...(requeueAt !== undefined && { requeueAt }) }
}

function isEnding(conditions: readonly JobCondition[]): boolean {
  return (
    findCondition(conditions, 'FailureTarget') !== undefined ||
    findCondition(conditions, 'SuccessCriteriaMet') !== undefined
  )
}

/** A finished Job only lets go of its pods and, with a time to live, goes itself. */
function cleanUp(job: Job, pods: Tally, now: Date): JobStep {
  const actions: JobAction[] = releases(pods)
  const { ttlSecondsAfterFinished } = job
  if (ttlSecondsAfterFinished === undefined || job.isDeleting) return { actions }
  const end = findCondition(job.status.conditions, 'Complete') ?? findCondition(job.status.conditions, 'Failed')
  const expiresAt = new Date(Date.parse(end?.lastTransitionTime ?? '') + ttlSecondsAfterFinished * 1000)
  return expiresAt <= now ? { actions: [...actions, { kind: 'deleteJob' }] } : { actions, requeueAt: expiresAt }
}

function releases(pods: Tally): JobAction[] {
  return pods.releasable.map((pod) => ({ kind: 'releasePod', pod }))
}

function statusWrite({ job, now }: ObservedJob, pods: Tally, conditions: readonly JobCondition[]): JobAction[] {
  const completed = findCondition(conditions, 'Complete')
  const { startTime, completionTime, ...rest } = job.status
  const startedAt = job.suspend ? undefined : (startTime ?? toSeconds(now))
  const completedAt = completed?.lastTransitionTime ?? completionTime
  const status: JobStatus = {
    ...rest,
    ...(startedAt !== undefined && { startTime: startedAt }),
    ...(completedAt !== undefined && { completionTime: completedAt }),
    active: isEnding(conditions) || job.suspend ? 0 : pods.active.length,
    ready: pods.ready,
    terminating: pods.terminating,
    succeeded: pods.counted.succeeded,
    failed: pods.counted.failed,
    uncountedSucceeded: pods.uncounted.succeeded,
    uncountedFailed: pods.uncounted.failed,
    conditions,
  }
  return jsonEquals(toStatus(status), toStatus(job.status)) ? [] : [{ kind: 'writeStatus', status }]
}

/** How many pods should run, against how many do. Source: Kubernetes, Jobs, "Parallel execution for Jobs". */
function planPods(job: Job, pods: Tally): { remove: readonly JobPod[]; create: number } {
  const wanted = wantedActive(job, pods)
  const surplus = pods.active.length - wanted
  if (surplus > 0) return { remove: leastUseful(pods.active).slice(0, surplus), create: 0 }
  const replaced = job.replacesOnlyFailed ? pods.terminating : 0
  return { remove: [], create: Math.max(0, Math.min(-surplus - replaced, MAX_CREATED_PER_STEP)) }
}

function wantedActive(job: Job, pods: Tally): number {
  const { completions, parallelism } = job
  if (completions !== undefined) return Math.max(0, Math.min(completions - pods.succeeded, parallelism))
  // A work queue that has a success is winding down: no new pods, the running ones end by themselves.
  return pods.succeeded > 0 ? Math.min(pods.active.length, parallelism) : parallelism
}

/** Pods that do not run yet, then those that are not ready, go first. */
function leastUseful(pods: readonly JobPod[]): JobPod[] {
  const worth = (pod: JobPod): number => (pod.phase === 'Running' ? 1 : 0) + (pod.isReady ? 1 : 0)
  return [...pods].sort((a, b) => worth(a) - worth(b))
}

/** When the next pod may be made: later after each failure since the last success. */
function nextCreation(pods: readonly JobPod[]): Date | undefined {
  const finishedAt = (pod: JobPod): number => pod.finishedAt?.getTime() ?? 0
  const lastSuccess = Math.max(0, ...pods.filter(({ phase }) => phase === 'Succeeded').map(finishedAt))
  const failures = pods.filter((pod) => pod.phase === 'Failed' && finishedAt(pod) > lastSuccess)
  if (failures.length === 0) return undefined
  const delay = Math.min(FAILURE_BACKOFF_MS * 2 ** (failures.length - 1), MAX_FAILURE_BACKOFF_MS)
  return new Date(Math.max(...failures.map(finishedAt)) + delay)
}

function deadlineOf({ job, now, activeMs }: ObservedJob): Date | undefined {
  const { activeDeadlineSeconds, suspend, status } = job
  if (activeDeadlineSeconds === undefined || suspend || status.startTime === undefined) return undefined
  return new Date(now.getTime() + activeDeadlineSeconds * 1000 - activeMs)
}

function earliest(...times: readonly (Date | undefined)[]): Date | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : new Date(Math.min(...known.map((time) => time.getTime())))
}

/** Kubernetes writes instants in whole seconds. */
function toSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z')
}
