import type { Clock } from '../../lib/clock.ts'
import type { ObjectApi, ResourceRef } from '../objects.ts'
import type { Job, JobCondition } from './model.ts'

const EVENTS: ResourceRef = { group: '', version: 'v1', plural: 'events' }

/** Who tells, about which Job, and when. */
export interface EventContext {
  readonly api: ObjectApi
  readonly clock: Clock
  readonly job: Job
}

/** What is told about a condition that became true (or, for Suspended, false). */
function eventOf({ type, status, reason, message }: JobCondition) {
  if (type === 'Complete') return { type: 'Normal', reason: 'Completed', message: 'Job completed' }
  if (type === 'Failed') return { type: 'Warning', reason, message }
  if (type !== 'Suspended') return undefined
  return status === 'True'
    ? { type: 'Normal', reason: 'Suspended', message: 'Job suspended' }
    : { type: 'Normal', reason: 'Resumed', message: 'Job resumed' }
}

/** Records an Event for each condition that is new, so that `kubectl describe` tells how a Job ended. */
export async function recordConditions(
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
export async function recordEvent(
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
