import { claimTaskConditions, withConditions } from '../conditions.ts'
import type { ChosenAgent, Task, TaskState, TaskStatus } from '../crd/types.ts'
import { omit } from '../omit.ts'
import { toTimestamp } from '../time.ts'
import { agentWish, SCRIPT_AGENT } from './agent-spec.ts'
import { renderAnswer } from './answer.ts'
import { appendDecision } from './decisions.ts'
import { isDeliveryStuck, requestDelivery } from './delivery.ts'
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

/** The state of a task; one without status is PENDING (specification §3.2). */
export function stateOf(task: Task): TaskState {
  return task.status?.state ?? 'PENDING'
}

/** Whether the system queues a task without being asked: `Auto` does so once; what was ever queued waits for a person. */
export function isQueuedByPolicy(task: Task): boolean {
  const isFresh = stateOf(task) === 'PENDING' && task.status?.queuedAt === undefined
  return isFresh && task.spec.runPolicy === 'Auto' && task.spec.suspend !== true
}

/**
 * Judges one human decision and gives the status that follows from it. Pure: the caller writes.
 *
 * Source: specification §4.
 */
export function decideTask(task: Task, decision: Decision): Verdict {
  if (!isActionAllowed(task, decision.action)) return refuse(409, refusal(task, decision.action))
  switch (decision.action) {
    case 'accept':
      return allow(200, 'task accepted', accept(task, decision))
    case 'reject':
      return allow(200, 'task rejected', reject(task, decision))
    case 'cancel':
      return cancel(task, decision)
    case 'run':
      return run(task, decision)
    case 'resume':
      return resume(task, decision)
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

/** What sets a task to work, which a DONE story takes no more (specification §4.18). */
export function startsWork(action: HumanTrigger): boolean {
  return action === 'run' || action === 'resume' || action === 'answer'
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

/**
 * Whether there is something to deliver depends on the project: the operator, which knows it, goes on from here. A
 * story's work is delivered when the story is accepted, and again by who accepts the task that could not deliver it.
 */
function accept(task: Task, decision: Decision): TaskStatus {
  const status = settle(task, decision, 'COMPLETED')
  const { branch, delivery, head } = status
  const isOwn = task.spec.storyId === undefined && branch !== undefined
  const isStuck = delivery !== undefined && isDeliveryStuck(delivery)
  if (!isOwn && !isStuck) return status
  const reviewed = delivery?.reviewed ?? head?.commit
  return { ...status, delivery: requestDelivery(decision.at, reviewed) }
}

function reject(task: Task, decision: Decision): TaskStatus {
  const kept = omit(task.status ?? {}, ['resume', 'answer', 'error'])
  return enter(task, { ...kept, state: 'PENDING', rejectionComment: decision.comment ?? '' }, decision)
}

function cancel(task: Task, decision: Decision): Verdict {
  if (stateOf(task) !== 'RUNNING') return allow(200, 'task cancelled', settle(task, decision, 'CANCELLED'))
  const status = task.status ?? {}
  // Again 202, and nothing to write: the first request stands.
  if (status.cancelRequestedAt !== undefined) return allow(202, 'task cancellation requested', status)
  const requested = { ...status, cancelRequestedAt: toTimestamp(decision.at) }
  return allow(202, 'task cancellation requested', record(requested, decision))
}

function run(task: Task, decision: Decision): Verdict {
  const wanted = decision.agent
  if (wanted !== undefined && wanted !== SCRIPT_AGENT && agentWish(task).type === SCRIPT_AGENT) {
    return refuse(400, `task is a script and cannot be run by agent ${wanted}`)
  }
  const queued = omit(requeue(task, decision), ['agent'])
  const chosen = wanted === undefined ? {} : { agent: choose(wanted, decision.by) }
  return allow(202, 'task queued for execution', { ...queued, ...chosen })
}

function choose(type: string, by: string): ChosenAgent {
  return { type, chosenBy: 'Request', reason: `asked for by ${by}` }
}

function resume(task: Task, decision: Decision): Verdict {
  const words = stateOf(task).toLowerCase().replaceAll('_', ' ')
  return allow(202, `${words} task queued for resume`, { ...requeue(task, decision), resume: true })
}

function answer(task: Task, decision: Decision): Verdict {
  const text = renderAnswer(decision.answer)
  if (text === undefined) return refuse(400, 'answer must not be empty')
  const unasked = findUnasked(task, decision.answer)
  if (unasked !== undefined) return refuse(400, unasked)
  const queued = requeue(task, { ...decision, comment: text })
  return allow(202, 'task queued for resume', { ...queued, resume: true, answer: text })
}

function findUnasked(task: Task, answer: Decision['answer']): string | undefined {
  if (typeof answer !== 'object') return undefined
  const asked = (task.status?.question?.items ?? []).map(({ text }) => text)
  const unasked = Object.keys(answer).find((question) => !asked.includes(question))
  if (unasked === undefined) return undefined
  return `answer: nobody asked ${JSON.stringify(unasked)}; the questions are ${asked.map((text) => JSON.stringify(text)).join(', ')}`
}

const LEFT_BY_LAST_END = [
  'delivery',
  'question',
  'error',
  'resumeAfter',
  'cancelRequestedAt',
  'startedAt',
  'finishedAt',
  'resume',
  'answer',
] as const

/** QUEUED by a person: what the last end left behind is gone, what belongs to the work stays. */
function requeue(task: Task, decision: Decision): TaskStatus {
  const kept = omit(task.status ?? {}, LEFT_BY_LAST_END)
  const queued = { ...kept, state: 'QUEUED', attempts: 0, queuedAt: toTimestamp(decision.at) } as const
  return enter(task, queued, decision)
}

function settle(task: Task, decision: Decision, state: 'COMPLETED' | 'CANCELLED'): TaskStatus {
  const kept = omit(task.status ?? {}, ['question', 'resumeAfter', 'cancelRequestedAt', 'resume', 'answer'])
  return enter(task, { finishedAt: toTimestamp(decision.at), ...kept, state }, decision)
}

function enter(task: Task, status: TaskStatus & { readonly state: TaskState }, decision: Decision): TaskStatus {
  const claims = claimTaskConditions({ state: status.state })
  return record(withConditions(status, task.status?.conditions, claims, decision.at), decision)
}

function record(status: TaskStatus, decision: Decision): TaskStatus {
  return { ...status, decisions: appendDecision(status.decisions, decision) }
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

function allow(code: 200 | 202, message: string, status: TaskStatus): Verdict {
  return { kind: 'allowed', code, message, status }
}

function refuse(code: 400 | 409, message: string): Verdict {
  return { kind: 'refused', code, message }
}
