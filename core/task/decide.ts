import { claimTaskConditions, mergeConditions } from '../conditions.ts'
import type { Task, TaskState, TaskStatus } from '../crd/types.ts'
import { toTimestamp } from '../time.ts'
import { appendDecision } from './decisions.ts'
import { renderAnswer } from './answer.ts'
import type { HumanTrigger } from './transitions.ts'
import { findNextState, HUMAN_TRIGGERS } from './transitions.ts'

/** What a person decided about a task, whether over REST or by annotation. */
export interface Decision {
  readonly action: HumanTrigger
  /** Who, as it is shown: a token's name, or `kubectl (annotation)`. */
  readonly by: string
  readonly at: Date
  /** Of a reject; may be empty. */
  readonly comment?: string | undefined
  /** Of an answer: one text, or question → answer. */
  readonly answer?: string | Readonly<Record<string, string>> | undefined
  /** Of a run: the agent asked for; classification is then skipped. */
  readonly agent?: string | undefined
}

/** What becomes of a decision. `message` is the contract's wording, for the response body and the Event. */
export type Verdict =
  | {
      readonly kind: 'allowed'
      /** The whole new status, to be written as compare-and-swap on the task that was judged. */
      readonly status: TaskStatus
      /** 202 where the work itself comes later. */
      readonly code: 200 | 202
      readonly message: string
    }
  | { readonly kind: 'refused'; readonly code: 400 | 409; readonly message: string }

/** The state of a task; one without status is PENDING (decisions, section 2). */
export function stateOf(task: Task): TaskState {
  return task.status?.state ?? 'PENDING'
}

/**
 * Judges one human decision and gives the status that follows from it. Pure: the caller writes.
 *
 * Source: interface specification, section 3; decisions, section 4.
 */
export function decideTask(task: Task, decision: Decision): Verdict {
  if (!isActionAllowed(task, decision.action)) return refuse(409, refusal(task, decision.action))
  switch (decision.action) {
    case 'accept':
      return allow(200, 'task accepted', settle(task, decision, 'COMPLETED'))
    case 'reject':
      return allow(200, 'task rejected', reject(task, decision))
    case 'cancel':
      return cancel(task, decision)
    case 'run':
      return run(task, decision)
    case 'resume':
      return allow(202, `${inWords(stateOf(task))} task queued for resume`, requeue(task, decision))
    case 'answer':
      return answer(task, decision)
    default:
      return decision.action satisfies never
  }
}

/** The decisions that a person may take on a task as it is now, in the order of the table; the UI offers exactly these. */
export function actionsAllowed(task: Task): readonly HumanTrigger[] {
  return HUMAN_TRIGGERS.filter((action) => isActionAllowed(task, action))
}

function isActionAllowed(task: Task, action: HumanTrigger): boolean {
  const state = stateOf(task)
  // A request only: the move is made when the execution has ended, so a second request is as good as the first.
  if (state === 'RUNNING' && action === 'cancel') return true
  if (findNextState(state, action) === undefined) return false
  if (action === 'answer') return task.status?.question !== undefined
  const waitsForRetry = task.status?.resumeAfter !== undefined
  return action !== 'cancel' || (state !== 'FAILED' && state !== 'BUDGET_EXCEEDED') || waitsForRetry
}

function reject(task: Task, decision: Decision): TaskStatus {
  const { state: _, ...kept } = task.status ?? {}
  const rejected = { ...kept, rejectionComment: decision.comment ?? '' }
  return enter(task, { ...rejected, state: 'PENDING' }, decision)
}

function cancel(task: Task, decision: Decision): Verdict {
  if (stateOf(task) !== 'RUNNING') return allow(200, 'task cancelled', settle(task, decision, 'CANCELLED'))
  const status: TaskStatus = task.status ?? {}
  // Again 202, and nothing to write: the first request stands.
  if (status.cancelRequestedAt !== undefined) return allow(202, 'task cancellation requested', status)
  const requested = { ...status, cancelRequestedAt: toTimestamp(decision.at) }
  return allow(202, 'task cancellation requested', enter(task, requested, decision))
}

function run(task: Task, decision: Decision): Verdict {
  const wanted = decision.agent
  if (wanted !== undefined && wanted !== 'script' && specAgentType(task) === 'script') {
    return refuse(400, `task is a script and cannot be run by agent ${wanted}`)
  }
  const { agent: _, ...status } = requeue(task, decision)
  const asked = { agent: { type: wanted ?? '', chosenBy: 'Request' as const, reason: `asked for by ${decision.by}` } }
  return allow(202, 'task queued for execution', wanted === undefined ? status : { ...status, ...asked })
}

function answer(task: Task, decision: Decision): Verdict {
  const text = renderAnswer(decision.answer)
  if (text === undefined) return refuse(400, 'answer must not be empty')
  return allow(202, 'task queued for resume', requeue(task, { ...decision, comment: text }))
}

/** QUEUED as if it had not failed: what the last end left behind is gone, what belongs to its work stays. */
function requeue(task: Task, decision: Decision): TaskStatus {
  const { question, error, resumeAfter, cancelRequestedAt, startedAt, finishedAt, ...kept } = task.status ?? {}
  const queued: TaskStatus = { ...kept, state: 'QUEUED', attempts: 0, queuedAt: toTimestamp(decision.at) }
  return enter(task, queued, decision)
}

function settle(task: Task, decision: Decision, state: 'COMPLETED' | 'CANCELLED'): TaskStatus {
  const { question, resumeAfter, cancelRequestedAt, ...kept } = task.status ?? {}
  return enter(task, { finishedAt: toTimestamp(decision.at), ...kept, state }, decision)
}

function enter(task: Task, status: TaskStatus, decision: Decision): TaskStatus {
  const claims = claimTaskConditions({ state: status.state ?? 'PENDING' })
  return {
    ...status,
    decisions: appendDecision(status.decisions, decision),
    conditions: mergeConditions(task.status?.conditions, claims, decision.at),
  }
}

/** The agent type that the task's author asked for; the legacy key counts as the new one. */
export function specAgentType(task: Task): string | undefined {
  return task.spec.agent?.type ?? (task.spec.claude === undefined ? undefined : 'claude')
}

const PAST_TENSE: Readonly<Record<HumanTrigger, string>> = {
  run: 'run',
  accept: 'accepted',
  reject: 'rejected',
  cancel: 'cancelled',
  resume: 'resumed',
  answer: 'answered',
}

function refusal(task: Task, action: HumanTrigger): string {
  return `task cannot be ${PAST_TENSE[action]} from state ${stateOf(task)}`
}

function inWords(state: TaskState): string {
  return state.toLowerCase().replaceAll('_', ' ')
}

function allow(code: 200 | 202, message: string, status: TaskStatus): Verdict {
  return { kind: 'allowed', code, message, status }
}

function refuse(code: 400 | 409, message: string): Verdict {
  return { kind: 'refused', code, message }
}
