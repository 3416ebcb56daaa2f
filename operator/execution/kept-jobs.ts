/** How many finished Jobs a namespace keeps to be looked at: their objects, pods and logs must not grow with the day's work. */
import type { Job } from '../../kube/builtin.ts'
import { findJobEnd, isJobFinished } from '../../kube/workload.ts'

/** Source: specification §14.3. */
export const MAX_KEPT_JOBS = 200

/** The finished Jobs beyond the `limit` that ended last, in any order. Those that are being deleted count no more. */
export function findSurplusJobs(jobs: readonly Job[], limit: number = MAX_KEPT_JOBS): Job[] {
  if (jobs.length <= limit) return []
  // Each end is looked up once: this is asked at every look at an ended execution.
  const ends = jobs.flatMap((job) => {
    const isKept = isJobFinished(job) && job.metadata.deletionTimestamp === undefined
    return isKept ? [{ job, end: `${findJobEnd(job)} ${job.metadata.name}` }] : []
  })
  if (ends.length <= limit) return []
  return ends
    .sort((a, b) => (a.end < b.end ? 1 : -1))
    .slice(limit)
    .map(({ job }) => job)
}
