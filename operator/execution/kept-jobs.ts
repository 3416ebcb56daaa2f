/** How many finished Jobs a namespace keeps to be looked at: their objects, pods and logs must not grow with the day's work. */
import type { Job } from '../../kube/builtin.ts'
import { findJobEnd, isJobFinished } from '../../kube/workload.ts'

/** Source: specification §14.3. */
export const MAX_KEPT_JOBS = 200

/** The finished Jobs beyond the `limit` that ended last, in any order. Those that are being deleted count no more. */
export function findSurplusJobs(jobs: readonly Job[], limit: number = MAX_KEPT_JOBS): Job[] {
  if (jobs.length <= limit) return []
  const finished = jobs.filter((job) => isJobFinished(job) && job.metadata.deletionTimestamp === undefined)
  const endOf = (job: Job): string => `${findJobEnd(job)} ${job.metadata.name}`
  return finished.toSorted((a, b) => (endOf(a) < endOf(b) ? 1 : -1)).slice(limit)
}
