import type { Condition, ExecutionStatus, Task, TaskState, TaskStatus } from './crd/types.ts'
import { omit } from './omit.ts'
import { WAITING } from './sentences/waiting.ts'
import { clip } from './text.ts'
import { toTimestamp } from './time.ts'
import { failedServersText } from './transcript/own-words.ts'

/** Longest message of a condition; the schema's limit. */
const MAX_MESSAGE = 32_768

/** A condition as a rule states it, before it is merged with what the object already carries. */
export interface ConditionClaim {
  readonly type: 'Ready' | 'Reconciling' | 'Stalled' | 'DecisionsProven' | 'ServersStarted'
  readonly status: 'True' | 'False'
  /** CamelCase, for programs. */
  readonly reason: string
  /** For people. */
  readonly message: string
}

/** A claim, or a condition that is to stay. */
export type ConditionFacts = Pick<Condition, 'type' | 'status' | 'reason'> & Pick<ConditionClaim, 'message'>

/** An object whose status has conditions: all our kinds but StoryEvent. */
export interface Conditioned {
  readonly metadata: { readonly generation?: number }
  readonly status?: Conditions
}

/** The part of a status that says how the object stands, and by which spec. */
export interface Conditions {
  readonly conditions?: readonly Condition[]
  readonly observedGeneration?: number
}

/**
 * The conditions of an object after a change: exactly the claimed ones, in the claimed order, with the generation of
 * the spec that they were claimed from (specification §3.5). `lastTransitionTime` moves only where type or status
 * changed, so that an equal claim gives an equal list and nothing needs writing.
 */
export function claimConditions(
  { metadata: { generation }, status: before }: Conditioned,
  claims: readonly ConditionFacts[],
  now: Date,
): Conditions {
  const observed = generation === undefined ? {} : { observedGeneration: generation }
  const conditions = claims.map((claim): Condition => {
    const old = before?.conditions?.find(({ type, status }) => type === claim.type && status === claim.status)
    return {
      ...claim,
      message: clip(claim.message, MAX_MESSAGE),
      ...observed,
      lastTransitionTime: old?.lastTransitionTime ?? toTimestamp(now),
    }
  })
  return { ...observed, conditions }
}

/**
 * Whether the conditions were claimed from the spec as it is now. What bears no mark is of the first spec, or of a
 * version that wrote none: then it is marked as soon as the spec changes.
 */
export function isObserved({ metadata, status }: Conditioned): boolean {
  return (status?.observedGeneration ?? 1) >= (metadata.generation ?? 1)
}

/** Whether two lists of conditions say the same, whenever they were claimed. */
export function sayTheSame(a: readonly Condition[] = [], b: readonly Condition[] = []): boolean {
  const said = (list: readonly Condition[]): string =>
    JSON.stringify(list.map(({ type, status, reason, message }) => [type, status, reason, message]))
  return said(a) === said(b)
}

/** The same conditions, claimed from the spec as it is now: for an object to which its change makes no difference. */
export function reclaimConditions({ metadata: { generation }, status }: Conditioned): Conditions {
  const observed = generation === undefined ? {} : { observedGeneration: generation }
  const { conditions } = status ?? {}
  return { ...observed, ...(conditions && { conditions: conditions.map((one) => ({ ...one, ...observed })) }) }
}

/**
 * The new status of a task with these conditions, and what it waits for in the same words: `kubectl get` can show one field,
 * but not whichever condition says that a task waits.
 */
export function withConditions(
  task: Task,
  status: TaskStatus,
  claims: readonly ConditionFacts[],
  now: Date,
): TaskStatus {
  const [claim] = claims
  const waits = claim !== undefined && isWaiting(status)
  return {
    ...omit(status, ['waitingFor']),
    ...(waits ? { waitingFor: clip(claim.message, MAX_MESSAGE) } : {}),
    ...claimConditions(task, claims, now),
  }
}

function isWaiting({ state = 'PENDING', resumeAfter }: TaskStatus): boolean {
  return state === 'PENDING' || state === 'QUEUED' || state === 'BLOCKED' || resumeAfter !== undefined
}

/** What the claim about a task's state depends on beside the state itself. */
export interface TaskConditionFacts {
  readonly state: TaskState
  /** Error category of a failed task, `Failed` when absent. */
  readonly category?: string | undefined
  readonly message?: string | undefined
  readonly hasQuestion?: boolean
  /** An automatic attempt is due: a failure is then still on its way. */
  readonly retryAt?: string | undefined
  /** What keeps a planned attempt from being made. */
  readonly heldBy?: string | undefined
}

/**
 * The conditions of a task by its state, read by Flux, Argo CD and `kubectl wait` through kstatus.
 *
 * Source: specification §3.5.
 */
export function claimTaskConditions(facts: TaskConditionFacts): ConditionClaim[] {
  switch (facts.state) {
    case 'PENDING':
      return []
    case 'QUEUED':
      return [
        { type: 'Reconciling', status: 'True', reason: 'Queued', message: facts.message ?? 'waits to be started' },
      ]
    case 'RUNNING':
      return [{ type: 'Reconciling', status: 'True', reason: 'Running', message: facts.message ?? 'an execution runs' }]
    case 'BLOCKED':
      return [claimBlocked(facts)]
    case 'READY':
      return [{ type: 'Ready', status: 'True', reason: 'WorkReady', message: 'the work waits for a decision' }]
    case 'COMPLETED':
      return [{ type: 'Ready', status: 'True', reason: 'Accepted', message: 'the work was accepted' }]
    case 'CANCELLED':
      return [{ type: 'Stalled', status: 'True', reason: 'Cancelled', message: 'the task was cancelled' }]
    case 'FAILED':
    case 'TIMED_OUT':
    case 'BUDGET_EXCEEDED':
      return [claimFailed(facts)]
    default:
      return facts.state satisfies never
  }
}

function claimBlocked({ hasQuestion, message }: TaskConditionFacts): ConditionClaim {
  return hasQuestion === true
    ? { type: 'Ready', status: 'False', reason: 'QuestionPending', message: message ?? 'the agent asks a question' }
    : { type: 'Ready', status: 'False', reason: 'WaitingForSubtasks', message: message ?? 'subtasks are unfinished' }
}

function claimFailed({ category, message, retryAt, heldBy }: TaskConditionFacts): ConditionClaim {
  const reason = toReason(category ?? 'failed')
  const text = `${message ?? 'the execution failed'}${heldBy === undefined ? '' : `; ${WAITING.noRetry(heldBy)}`}`
  return retryAt === undefined
    ? { type: 'Stalled', status: 'True', reason, message: text }
    : { type: 'Reconciling', status: 'True', reason, message: `${text}; ${WAITING.retry(retryAt)}` }
}

/** The condition of an execution by its state; a question is an end like any other, so that it can be waited for. */
export function claimExecution({ state = 'PENDING', error }: ExecutionStatus): ConditionClaim {
  switch (state) {
    case 'PENDING':
    case 'RUNNING':
      return { type: 'Reconciling', status: 'True', reason: 'Running', message: 'the execution runs' }
    case 'COMPLETED':
      return { type: 'Ready', status: 'True', reason: 'Completed', message: 'the execution succeeded' }
    case 'BLOCKED':
      return { type: 'Ready', status: 'True', reason: 'QuestionAsked', message: 'the agent asks a question' }
    case 'FAILED':
    case 'TIMED_OUT':
    case 'CANCELLED':
    case 'BUDGET_EXCEEDED':
      return {
        type: 'Stalled',
        status: 'True',
        reason: toReason(error?.category ?? state.toLowerCase()),
        message: error?.message ?? '',
      }
    default:
      return state satisfies never
  }
}

/** What an agent had to work without, beside how its execution stands; nothing where all MCP servers started. */
export function claimServers({ failedServers = [] }: ExecutionStatus): ConditionClaim[] {
  if (failedServers.length === 0) return []
  const message = failedServersText(failedServers)
  return [{ type: 'ServersStarted', status: 'False', reason: 'ServersFailed', message }]
}

/** `no_repository` → `NoRepository`: a condition reason is CamelCase by API convention. */
export function toReason(category: string): string {
  return category.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
