/** What Jobs and Pods say about whether something of them can still run. */
import type { Job, Pod } from './builtin.ts'

/** Whether no container of a Pod can run any more. */
export function hasPodEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** A Job is finished at condition Complete or Failed; FailureTarget comes while pods still end (specification §6.3). */
export function isJobFinished(job: Job): boolean {
  return job.status?.conditions?.some(({ type, status }) => isEnd(type) && status === 'True') === true
}

function isEnd(type: string): boolean {
  return type === 'Complete' || type === 'Failed'
}

/** When a Job was finished (RFC 3339); when it was made, where nobody says. */
export function findJobEnd({ metadata, status }: Job): string {
  const end = status?.conditions?.find(({ type }) => isEnd(type))
  return end?.lastTransitionTime ?? metadata.creationTimestamp ?? ''
}

/** The Job that made a Pod. */
export function jobOf({ metadata }: Pod): string | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === 'Job')?.name
}

export function isOfJob(pod: Pod, job: string): boolean {
  return jobOf(pod) === job
}

/**
 * Whether a pod of a Job can still run. A Job that retries nothing makes no second pod once its first has ended, even
 * while the Job controller has yet to say so; one without any pod may be about to make it.
 */
export function mayJobRun(job: Job, pods: readonly Pod[]): boolean {
  const own = pods.filter((pod) => isOfJob(pod, job.metadata.name))
  return own.length === 0 ? !isJobFinished(job) : own.some((pod) => !hasPodEnded(pod))
}
