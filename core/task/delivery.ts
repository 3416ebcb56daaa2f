/** What becomes of accepted work by its project's `onAccept`: pure decisions about `status.delivery`. */
import { claimTaskConditions, withConditions } from '../conditions.ts'
import type {
  Execution,
  ExecutionStatus,
  Project,
  Story,
  Task,
  TaskDelivery,
  TaskDeliveryState,
  TaskHead,
  TaskStatus,
} from '../crd/types.ts'
import { executionState } from '../execution/state.ts'
import { API_VERSION, deliveryName, LABELS, ownBranch } from '../names.ts'
import { omit, withoutAbsent } from '../omit.ts'
import { storyBranch } from '../story/branch.ts'
import { addMs, parseTimestamp, toTimestamp } from '../time.ts'
import { baseBranchOf } from './project.ts'
import { takeReview } from './reviewed.ts'
import { findNextState } from './transitions.ts'
import { RESULT_LIMITS } from '../execution/result-limits.ts'
import { clip } from '../text.ts'

const MINUTE_MS = 60_000

/** Before each further try of a delivery that failed. */
const RETRY_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]

/** Failures that the next try would meet again: a person must mend something first. */
const NOT_RETRIED = ['credentials', 'no_repository', 'unavailable', 'cancelled']

/** Longest text of a pull request (its schema). */
const TEXT_LENGTH = 32_768

/**
 * That accepted work is to be delivered; whether, and how, the project says.
 *
 * @param reviewed the commit that was accepted; undefined where it is not known: then it is asked for
 */
export function requestDelivery(at: Date, reviewed: string | undefined): TaskDelivery {
  return { state: 'Pending', requestedAt: toTimestamp(at), ...withoutAbsent({ reviewed }) }
}

/** Whether it waits for a person, who may accept the work again. */
export function isDeliveryStuck({ state }: TaskDelivery): boolean {
  return state === 'Conflict' || state === 'Failed' || state === 'Moved'
}

/**
 * The commit that a story's tasks have brought its branch to: what whoever accepts the story accepts. One of them writes
 * the branch at a time, so the last to push has what all others pushed.
 *
 * @param acceptedAt for a story that an earlier version let be accepted without noting the commit: what was pushed later
 *   nobody has accepted
 */
export function reviewedOfStory(tasks: readonly Task[], acceptedAt?: Date): string | undefined {
  const order = ({ metadata, status }: Task): string =>
    `${status?.head?.at ?? ''} ${status?.startedAt ?? ''} ${metadata.creationTimestamp ?? ''} ${metadata.name}`
  const pushed = tasks.filter(
    ({ status }) =>
      status?.head !== undefined && (acceptedAt === undefined || parseTimestamp(status.head.at) <= acceptedAt),
  )
  return pushed.sort((a, b) => (order(a) < order(b) ? 1 : -1))[0]?.status?.head?.commit
}

/** The branch of a task's work. */
export function deliveredBranch({ metadata, spec, status }: Task, story: Story | undefined): string {
  if (spec.storyId !== undefined) return storyBranch(spec.storyId, story?.spec.branchName)
  return status?.branch ?? ownBranch(metadata.name)
}

/** Name of the Execution that delivers a task's branch now: the one that has begun, else the next one. */
export function deliveryExecution({ metadata, status }: Task): string {
  return status?.delivery?.execution ?? deliveryName(metadata.name, (status?.deliveries ?? 0) + 1)
}

/** The Execution that delivers a task's branch, named after the task so that it is made once. */
export function makeDelivery(
  task: Task,
  project: Project,
  story: Story | undefined,
  kind: NonNullable<TaskDelivery['kind']>,
): Execution {
  const { name, namespace, uid = '' } = task.metadata
  const execution = deliveryExecution(task)
  return {
    apiVersion: API_VERSION,
    kind: 'Execution',
    metadata: {
      name: execution,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [LABELS.task]: name, [LABELS.execution]: execution },
      ownerReferences: [
        { apiVersion: API_VERSION, kind: 'Task', name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      purpose: 'Deliver',
      taskRef: { name },
      delivery: {
        kind,
        branch: deliveredBranch(task, story),
        title: story?.spec.title ?? task.spec.title,
        ...withoutAbsent({
          commit: task.status?.delivery?.reviewed,
          base: baseBranchOf(task, project),
          text: (story?.spec.spec ?? task.status?.summary)?.slice(0, TEXT_LENGTH),
          host: project.spec.host,
        }),
      },
    },
  }
}

function deliveryOf({ status }: Task): Omit<TaskDelivery, 'state'> & { readonly state: TaskDeliveryState } {
  return status?.delivery ?? { state: 'Pending' }
}

/** The status of a task whose delivery has begun. */
export function startDelivery(task: Task, kind: NonNullable<TaskDelivery['kind']>): TaskStatus {
  const n = (task.status?.deliveries ?? 0) + 1
  const pending = omit(deliveryOf(task), ['retryAt'])
  return {
    ...task.status,
    deliveries: n,
    delivery: { ...pending, kind, state: 'Pending', execution: deliveryName(task.metadata.name, n) },
  }
}

/**
 * The status of a task whose delivery has ended; undefined stands for an Execution that somebody deleted.
 *
 * What conflicts, what is not what was reviewed, and what fails again and again, waits for a person: a COMPLETED task
 * is READY again.
 */
export function endDelivery(task: Task, execution: Execution | undefined, now: Date): TaskStatus {
  const before = omit(deliveryOf(task), ['message', 'files', 'retryAt'])
  const { delivered, conflicts = [], error, finishedAt, head, resumeAfter } = execution?.status ?? {}
  const at = finishedAt ?? toTimestamp(now)
  if (execution !== undefined && executionState(execution) === 'COMPLETED') {
    return { ...task.status, delivery: { ...before, state: 'Delivered', at, ...delivered } }
  }
  const deleted = 'the Execution of the delivery was deleted before it ended'
  const message = error?.message ?? clip(deleted, RESULT_LIMITS.errorLength)
  if (conflicts.length > 0) {
    return reopen(task, { ...before, state: 'Conflict', at, message, files: conflicts }, now)
  }
  if (head !== undefined) {
    const moved = { ...before, state: 'Moved', at, message, reviewed: head } as const
    return reviewAgain(task, reopen(task, moved, now), { head: { commit: head, at }, found: execution?.status })
  }
  const retries = before.retries ?? 0
  // A branch that is gone, or checked out where it is pushed to, does not come back by itself.
  const isHopeless = error?.category === 'git' && resumeAfter === undefined
  const delayMs = isHopeless || NOT_RETRIED.includes(error?.category ?? '') ? undefined : RETRY_DELAYS_MS[retries]
  if (delayMs === undefined) return reopen(task, { ...before, state: 'Failed', at, message }, now)
  const again = { retries: retries + 1, retryAt: toTimestamp(addMs(now, delayMs)) }
  return { ...task.status, delivery: { ...omit(before, ['execution']), state: 'Pending', ...again, message } }
}

/** The review from now on. For a story's branch a task shows only what it has done to it. */
function reviewAgain(
  { spec }: Task,
  status: TaskStatus,
  { head, found }: { readonly head: TaskHead; readonly found: ExecutionStatus | undefined },
): TaskStatus {
  return spec.storyId === undefined ? { ...takeReview(status, found), head } : status
}

/** A story's task is READY all the time; it stays so. */
function reopen(task: Task, delivery: TaskDelivery, now: Date): TaskStatus {
  const state = findNextState(task.status?.state ?? 'PENDING', 'reopen')
  const status = { ...task.status, delivery }
  if (state === undefined) return status
  return withConditions(task, { ...status, state }, claimTaskConditions({ state }), now)
}
