import type { Clock } from '../../lib/clock.ts'
import type { ApiObject, ObjectApi, ResourceRef } from '../objects.ts'
import { ApiError } from '../status.ts'
import { type Job, type JobPod, type JobCondition, JOB_TRACKING_FINALIZER, toStatus } from './model.ts'
import type { PodIndex } from './pod-index.ts'
import { makePod } from './pod.ts'
import type { JobAction } from './reconcile.ts'

export const JOBS: ResourceRef = { group: 'batch', version: 'v1', plural: 'jobs' }
export const PODS: ResourceRef = { group: '', version: 'v1', plural: 'pods' }

/** What the writes of one Job need. */
export interface ApplyContext {
  readonly api: ObjectApi
  readonly clock: Clock
  readonly pods: PodIndex
  /** The Job as it was decided on; its resourceVersion makes the status write a compare-and-swap. */
  readonly object: ApiObject
  readonly job: Job
}

/** Performs one action; the only code of the Job controller that writes. */
export async function applyAction(action: JobAction, context: ApplyContext): Promise<void> {
  const { api, job, object } = context
  const { namespace } = job
  switch (action.kind) {
    case 'writeStatus':
      // Deleted by somebody meanwhile, as whoever cancels an execution does.
      await ignoreMissing(api.updateStatus(JOBS, { ...object, status: toStatus(action.status) }))
      return recordConditions(context, job.status.conditions, action.status.conditions)
    case 'createPods':
      for (let i = 0; i < action.count; i += 1) await createPod(context)
      return
    case 'releasePod':
      return releasePod(api, namespace, action.pod)
    case 'deletePod':
      return deletePod(context, action.pod)
    case 'deleteJob':
      return ignoreMissing(
        api.delete(
          JOBS,
          { namespace, name: job.name },
          { propagationPolicy: 'Foreground', preconditions: { uid: job.uid } },
        ),
      )
    default:
      return action satisfies never
  }
}

async function createPod(context: ApplyContext): Promise<void> {
  const pod = await context.api.create(PODS, makePod(context.object))
  context.pods.add(pod)
  await recordEvent(context, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
}

async function deletePod(context: ApplyContext, pod: JobPod): Promise<void> {
  const key = { namespace: context.job.namespace, name: pod.name }
  await ignoreMissing(context.api.delete(PODS, key, { preconditions: { uid: pod.uid } }))
  await recordEvent(context, 'SuccessfulDelete', `Deleted pod: ${pod.name}`)
}

/** Takes the tracking finalizer off a pod, so that it can be deleted; other finalizers stay. */
export async function releasePod(
  api: ObjectApi,
  namespace: string,
  pod: { readonly name: string; readonly uid: string },
): Promise<void> {
  const current = api.find(PODS, { namespace, name: pod.name })
  const finalizers = current?.metadata.finalizers ?? []
  if (current?.metadata.uid !== pod.uid || !finalizers.includes(JOB_TRACKING_FINALIZER)) return
  const left = finalizers.filter((name) => name !== JOB_TRACKING_FINALIZER)
  await ignoreMissing(api.update(PODS, { ...current, metadata: { ...current.metadata, finalizers: left } }))
}

/** Someone else was faster: what was to go is gone, or is another object of that name. */
async function ignoreMissing(write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error
  }
}

const EVENTS: ResourceRef = { group: '', version: 'v1', plural: 'events' }

/** Who tells, about which Job, and when. */
interface EventContext {
  readonly api: ObjectApi
  readonly clock: Clock
  readonly job: Job
}

/** The Event for a condition that became true (or, for Suspended, false). */
function eventOf({ type, status, reason, message }: JobCondition) {
  if (type === 'Complete') return { type: 'Normal', reason: 'Completed', message: 'Job completed' }
  if (type === 'Failed') return { type: 'Warning', reason, message }
  if (type !== 'Suspended') return undefined
  return status === 'True'
    ? { type: 'Normal', reason: 'Suspended', message: 'Job suspended' }
    : { type: 'Normal', reason: 'Resumed', message: 'Job resumed' }
}

/** Records an Event for each condition that is new, so that `kubectl describe` tells how a Job ended. */
async function recordConditions(
  context: EventContext,
  before: readonly JobCondition[],
  after: readonly JobCondition[],
): Promise<void> {
  const isNew = (now: JobCondition): boolean =>
    !before.some(({ type, status }) => type === now.type && status === now.status)
  for (const condition of after.filter(isNew)) {
    const event = eventOf(condition)
    if (event !== undefined) await recordEvent(context, event.reason, event.message, event.type)
  }
}

/** Records one Event about a Job. */
async function recordEvent(
  { api, clock, job }: EventContext,
  reason: string,
  message: string,
  type = 'Normal',
): Promise<void> {
  const time = clock
    .now()
    .toISOString()
    .replace(/\.\d{3}Z$/, 'Z')
  await api.create(EVENTS, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: `${job.name}.`, namespace: job.namespace },
    involvedObject: { apiVersion: 'batch/v1', kind: 'Job', name: job.name, namespace: job.namespace, uid: job.uid },
    type,
    reason,
    message,
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: 'job-controller' },
    reportingComponent: 'job-controller',
    reportingInstance: '',
  })
}
