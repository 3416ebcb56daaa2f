import type { Job, JobPod } from './model.ts'

/** The pods of a Job, sorted by what they mean for it, and its counters after this look. */
export interface Tally {
  /** Neither ended nor being deleted. */
  readonly active: readonly JobPod[]
  readonly ready: number
  /** Being deleted and not ended yet. */
  readonly terminating: number
  /** Counted for good: their pods hold no finalizer any more. */
  readonly counted: { readonly succeeded: number; readonly failed: number }
  /** Ended, to be written down before their finalizer goes. */
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] }
  /** Written down already: their finalizer may go now. */
  readonly releasable: readonly JobPod[]
  /** Counted and uncounted together; what decisions look at. */
  readonly succeeded: number
  readonly failed: number
}

/**
 * Counts each ended pod exactly once, whenever this process dies: a pod is first written into the Job's uncounted
 * list, then loses its finalizer, and only when that is seen does it move from the list to the counter.
 * Source: Kubernetes, KEP-2307 job tracking without lingering pods.
 */
export function tally(job: Job, pods: readonly JobPod[]): Tally {
  const tracked = new Map(pods.filter((pod) => pod.isTracked).map((pod) => [pod.uid, pod]))
  const listed = new Set([...job.status.uncountedSucceeded, ...job.status.uncountedFailed])
  const ended = [...tracked.values()].filter((pod) => !listed.has(pod.uid))
  const succeeded = sortOut(job.status.uncountedSucceeded, tracked, ended.filter(hasSucceeded))
  const failed = sortOut(
    job.status.uncountedFailed,
    tracked,
    ended.filter((pod) => hasFailed(job, pod)),
  )
  const counted = {
    succeeded: job.status.succeeded + succeeded.released,
    failed: job.status.failed + failed.released,
  }
  const active = pods.filter((pod) => !isTerminal(pod) && !pod.isDeleting)
  return {
    active,
    ready: active.filter((pod) => pod.isReady).length,
    terminating: pods.filter((pod) => pod.isDeleting && !isTerminal(pod)).length,
    counted,
    uncounted: { succeeded: succeeded.uids, failed: failed.uids },
    releasable: [...tracked.values()].filter((pod) => listed.has(pod.uid)),
    succeeded: counted.succeeded + succeeded.uids.length,
    failed: counted.failed + failed.uids.length,
  }
}

/** Listed uids whose pod has lost its finalizer are `released`; the others stay, and new ones join. */
function sortOut(listed: readonly string[], tracked: ReadonlyMap<string, JobPod>, ended: readonly JobPod[]) {
  const staying = listed.filter((uid) => tracked.has(uid))
  return { released: listed.length - staying.length, uids: [...staying, ...ended.map((pod) => pod.uid)] }
}

function isTerminal(pod: JobPod): boolean {
  return pod.phase === 'Succeeded' || pod.phase === 'Failed'
}

function hasSucceeded(pod: JobPod): boolean {
  return pod.phase === 'Succeeded'
}

/** Unless only failed pods are replaced, a pod counts as failed as soon as someone deletes it. */
function hasFailed(job: Job, pod: JobPod): boolean {
  return pod.phase === 'Failed' || (pod.isDeleting && pod.phase !== 'Succeeded' && !job.replacesOnlyFailed)
}
