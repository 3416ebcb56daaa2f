import type { ApiObject } from '../objects.ts'
import { type JsonObject, type JsonValue, isObject } from '../schema/json.ts'

/** Finalizer that keeps a finished or deleted pod until its Job has counted it. */
export const JOB_TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking'
export const CONTROLLER_UID_LABEL = 'batch.kubernetes.io/controller-uid'
export const JOB_NAME_LABEL = 'batch.kubernetes.io/job-name'

export interface JobCondition {
  readonly type: 'SuccessCriteriaMet' | 'Complete' | 'FailureTarget' | 'Failed' | 'Suspended'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
  readonly lastProbeTime: string
  readonly lastTransitionTime: string
}

/** `status` of a Job; pods in the uncounted lists are finished but still hold their finalizer, or held it last time. */
export interface JobStatus {
  readonly startTime?: string
  readonly completionTime?: string
  readonly active: number
  readonly ready: number
  readonly terminating: number
  readonly succeeded: number
  readonly failed: number
  readonly uncountedSucceeded: readonly string[]
  readonly uncountedFailed: readonly string[]
  readonly conditions: readonly JobCondition[]
}

/** What the controller reads of a Job, defaults filled in as the API server fills them. */
export interface Job {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly isDeleting: boolean
  readonly parallelism: number
  /** Absent: a work queue, done when one pod has succeeded and all have ended. */
  readonly completions?: number
  readonly backoffLimit: number
  readonly activeDeadlineSeconds?: number
  readonly ttlSecondsAfterFinished?: number
  readonly suspend: boolean
  /** `podReplacementPolicy: Failed`: a pod that is being deleted is not replaced before it has ended. */
  readonly replacesOnlyFailed: boolean
  readonly status: JobStatus
}

/** What the controller reads of a Pod. */
export interface JobPod {
  readonly name: string
  readonly uid: string
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  readonly isDeleting: boolean
  readonly isReady: boolean
  /** Whether the pod still has to be counted. */
  readonly isTracked: boolean
  readonly restarts: number
  /** When its last container ended; for the delay before the next attempt. */
  readonly finishedAt?: Date
}

export function readJob(object: ApiObject): Job {
  const spec = objectAt(object, 'spec')
  const { metadata } = object
  const parallelism = numberAt(spec, 'parallelism')
  const completions = numberAt(spec, 'completions') ?? (parallelism === undefined ? 1 : undefined)
  const activeDeadlineSeconds = numberAt(spec, 'activeDeadlineSeconds')
  const ttlSecondsAfterFinished = numberAt(spec, 'ttlSecondsAfterFinished')
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    uid: metadata.uid ?? '',
    isDeleting: metadata.deletionTimestamp !== undefined,
    parallelism: parallelism ?? 1,
    ...(completions !== undefined && { completions }),
    backoffLimit: numberAt(spec, 'backoffLimit') ?? 6,
    ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
    ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
    suspend: spec['suspend'] === true,
    replacesOnlyFailed: spec['podReplacementPolicy'] === 'Failed',
    status: readStatus(objectAt(object, 'status')),
  }
}

function readStatus(status: JsonObject): JobStatus {
  const uncounted = objectAt(status, 'uncountedTerminatedPods')
  const startTime = textAt(status, 'startTime')
  const completionTime = textAt(status, 'completionTime')
  return {
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    active: numberAt(status, 'active') ?? 0,
    ready: numberAt(status, 'ready') ?? 0,
    terminating: numberAt(status, 'terminating') ?? 0,
    succeeded: numberAt(status, 'succeeded') ?? 0,
    failed: numberAt(status, 'failed') ?? 0,
    uncountedSucceeded: itemsAt(uncounted, 'succeeded').filter((uid) => typeof uid === 'string'),
    uncountedFailed: itemsAt(uncounted, 'failed').filter((uid) => typeof uid === 'string'),
    conditions: itemsAt(status, 'conditions').flatMap((condition) => readCondition(condition) ?? []),
  }
}

/** `status` as the API has it: counters of zero are left out, except `ready` and `terminating`. */
export function toStatus(status: JobStatus): JsonObject {
  const { startTime, completionTime, active, ready, terminating, succeeded, failed } = status
  return {
    ...(status.conditions.length > 0 && { conditions: status.conditions.map((condition) => ({ ...condition })) }),
    ...(startTime !== undefined && { startTime }),
    ...(completionTime !== undefined && { completionTime }),
    ...(active > 0 && { active }),
    ready,
    terminating,
    ...(succeeded > 0 && { succeeded }),
    ...(failed > 0 && { failed }),
    uncountedTerminatedPods: {
      ...(status.uncountedSucceeded.length > 0 && { succeeded: [...status.uncountedSucceeded] }),
      ...(status.uncountedFailed.length > 0 && { failed: [...status.uncountedFailed] }),
    },
  }
}

const CONDITION_TYPES = ['SuccessCriteriaMet', 'Complete', 'FailureTarget', 'Failed', 'Suspended'] as const

function readCondition(value: JsonValue): JobCondition | undefined {
  if (!isObject(value)) return undefined
  const type = CONDITION_TYPES.find((name) => name === value['type'])
  if (type === undefined) return undefined
  return {
    type,
    status: value['status'] === 'True' ? 'True' : 'False',
    reason: textAt(value, 'reason') ?? '',
    message: textAt(value, 'message') ?? '',
    lastProbeTime: textAt(value, 'lastProbeTime') ?? '',
    lastTransitionTime: textAt(value, 'lastTransitionTime') ?? '',
  }
}

export function readPod(object: ApiObject): JobPod {
  const { metadata } = object
  const status = objectAt(object, 'status')
  const isDeleting = metadata.deletionTimestamp !== undefined
  const isScheduled = textAt(objectAt(object, 'spec'), 'nodeName') !== undefined
  const containers = itemsAt(status, 'containerStatuses').filter(isObject)
  const finishedAt = lastFinish(containers)
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    phase: phaseOf(textAt(status, 'phase'), isDeleting && !isScheduled),
    isDeleting,
    isReady: itemsAt(status, 'conditions').some(isReadyCondition),
    isTracked: metadata.finalizers?.includes(JOB_TRACKING_FINALIZER) === true,
    restarts: containers.reduce((sum, container) => sum + (numberAt(container, 'restartCount') ?? 0), 0),
    ...(finishedAt !== undefined && { finishedAt }),
  }
}

/** A pod deleted before it had a node can never run, so nobody will report its end: it has failed. */
function phaseOf(phase: string | undefined, neverRuns: boolean): JobPod['phase'] {
  if (phase === 'Succeeded' || phase === 'Failed') return phase
  if (neverRuns) return 'Failed'
  return phase === 'Running' ? 'Running' : 'Pending'
}

function isReadyCondition(value: JsonValue): boolean {
  return isObject(value) && value['type'] === 'Ready' && value['status'] === 'True'
}

function lastFinish(containers: readonly JsonObject[]): Date | undefined {
  const times = containers
    .map((container) => textAt(objectAt(objectAt(container, 'state'), 'terminated'), 'finishedAt'))
    .filter((time) => time !== undefined)
    .sort()
  const last = times.at(-1)
  return last === undefined ? undefined : new Date(last)
}

export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key]
  return isObject(value) ? value : {}
}

function itemsAt(object: JsonObject, key: string): readonly JsonValue[] {
  const value = object[key]
  return Array.isArray(value) ? value : []
}

function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key]
  return typeof value === 'number' ? value : undefined
}

function textAt(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
