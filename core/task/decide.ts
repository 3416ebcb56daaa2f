import { claimTaskConditions, withConditions } from '../conditions.ts'
import type { Agent, ChosenAgent, Decision, Story, Task, TaskState, TaskStatus } from '../crd/types.ts'
import { type DecisionOutcome, refuse, rememberDecision } from '../decision.ts'
import { apiError } from '../errors.ts'
import { findOwnTaskRefusal } from '../four-eyes.ts'
import { omit } from '../omit.ts'
import { findDoneRefusal } from '../story/done.ts'
import { endTimestamp, toMicroTimestamp, toTimestamp } from '../time.ts'
import { agentWish, SCRIPT_AGENT } from './agent-spec.ts'
import { renderAnswer } from './answer.ts'
import { isDeliveryStuck, requestDelivery } from './delivery.ts'
import { askAlso } from './revision.ts'
import { type HumanTrigger, findNextState, HUMAN_TRIGGERS } from './transitions.ts'
import { clip, fits } from '../text.ts'

/** What a person decided about a task, whether over REST or by annotation. */
export interface TaskDecision {
  readonly action: HumanTrigger
  /** Who, as it is shown: a token's name, or `kubectl (annotation)`. */
  readonly by: string
  readonly at: Date
  /** For a reject, which may be without; for a revise and, as the reason, a waive, which may not. */
  readonly comment?: string | undefined
  /** For an answer: one text, or question → answer. */
  readonly answer?: string | Readonly<Record<string, string>> | undefined
  /** For a run: the agent asked for; classification is then skipped. */
  readonly agent?: string | undefined
}

/** What a decision about a task depends on beside the task itself, as plain data; surroundings.ts reads it. */
export interface TaskSurroundings {
  /** The one it belongs to, where that exists. */
  readonly story?: Story | undefined
  /** The agent that the decision names, where that exists. */
  readonly agent?: Agent | undefined
  /** The agent that the task ran with, where that exists. */
  readonly ownAgent?: Agent | undefined
  /** What a run of the task resets and queues first, those first that others of them wait for. */
  readonly failedDependencies: readonly FailedDependency[]
  /** Whether an accept needs somebody else than the task's author; absent: it does not. */
  readonly fourEyes?: boolean | undefined
}

/** Longest answer and longest comment, in characters; the schema's limits. An annotation has room for more. */
const MAX_TEXT = 65_536

/** Those of a task without a story, an agent asked for, or failed dependencies. */
export const NO_SURROUNDINGS: TaskSurroundings = { failedDependencies: [] }

/** A failed task that another one waits for, directly or not. */
export interface FailedDependency {
  readonly task: Task
  /** The one it belongs to, where that exists. */
  readonly story?: Story | undefined
}

/** One task's new status, to be written as a compare-and-swap on the task that the decision was made from. */
export interface TaskWrite {
  readonly task: Task
  readonly status: TaskStatus
}

/** What becomes of a decision about a task. `message` is the contract's wording, for the response body and the Event. */
export type TaskOutcome = DecisionOutcome<{
  /** Dependencies that are reset and queued; written first, in this order. */
  readonly dependencies: readonly TaskWrite[]
  /** The task's whole new status; the same object where nothing is to be written. */
  readonly status: TaskStatus
  /** 202 where the work itself comes later. */
  readonly code: 200 | 202
}>

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
 * Decides what becomes of one human decision: every write that follows from it, or the one refusal. Pure: REST and
 * annotations only apply it. What the state rules out is refused before anything else of the request is looked at.
 *
 * Stories are not moved here: they follow their tasks' events (story/progress.ts), whoever caused them.
 *
 * Source: specification §4.
 */
export function decideTask(task: Task, made: TaskDecision, surroundings: TaskSurroundings): TaskOutcome {
  // Left behind beside another action, as an annotation may be, a comment says nothing.
  const isCommented = made.action === 'reject' || made.action === 'revise' || made.action === 'waive'
  const decision = isCommented ? made : { ...made, comment: undefined }
  const refusal = findRefusal(task, decision.action, surroundings)
  if (refusal !== undefined) return refuse(apiError('transition_refused', refusal))
  switch (decision.action) {
    case 'accept':
      return acceptBySomebodyElse(task, decision, surroundings)
    case 'reject':
      return reject(task, decision)
    case 'cancel':
      return cancel(task, decision)
    case 'run':
      return run(task, decision, surroundings)
    case 'resume':
      return resume(task, decision)
    case 'answer':
      return answer(task, decision)
    case 'revise':
      return revise(task, decision)
    case 'waive':
      return waive(task, decision)
    default:
      return decision.action satisfies never
  }
}

function acceptBySomebodyElse(task: Task, decision: TaskDecision, { fourEyes, story }: TaskSurroundings): TaskOutcome {
  const refusal = fourEyes === true ? findOwnTaskRefusal(task, decision.by, story) : undefined
  return refusal === undefined ? allow(200, 'task accepted', accept(task, decision)) : refuse(refusal)
}

/**
 * The decisions that a person may take on a task as it is now, in the order of the table; the UI offers exactly these.
 *
 * @param by who asks, where that matters for an accept
 */
export function actionsAllowed(task: Task, surroundings: TaskSurroundings, by?: string): readonly HumanTrigger[] {
  const { fourEyes, story } = surroundings
  const isOwn = fourEyes === true && by !== undefined && findOwnTaskRefusal(task, by, story) !== undefined
  return HUMAN_TRIGGERS.filter(
    (action) => !(isOwn && action === 'accept') && findRefusal(task, action, surroundings) === undefined,
  )
}

/**
 * Why a task does not allow an action as things are, in the contract's words; undefined when it does. The rest of a
 * request, such as an empty answer, may still be refused.
 */
export function findRefusal(
  task: Task,
  action: HumanTrigger,
  { story, failedDependencies }: TaskSurroundings,
): string | undefined {
  if (!isActionAllowed(task, action)) {
    const isUnchecked = action === 'waive' && stateOf(task) === 'FAILED'
    const reason = isUnchecked ? ': no check holds its work back' : ''
    return `task cannot be ${PAST_TENSE[action]} from state ${stateOf(task)}${reason}`
  }
  if (!startsWork(action)) return undefined
  const closed = action === 'run' ? failedDependencies.find(isClosed) : undefined
  return findDoneRefusal(story) ?? (closed && formatClosedMessage(closed))
}

/** What sets a task to work, which a DONE story takes no more (specification §4.18). */
function startsWork(action: HumanTrigger): boolean {
  return action === 'run' || action === 'resume' || action === 'answer' || action === 'revise' || action === 'waive'
}

/** Whether a failed dependency can never be queued again: its story takes no more work. */
export function isClosed({ story }: FailedDependency): boolean {
  return findDoneRefusal(story) !== undefined
}

function formatClosedMessage({ task, story }: FailedDependency): string {
  const { name } = task.metadata
  const reason = `its dependency ${name} is ${stateOf(task)}, and the story of ${name}, ${story?.metadata.name ?? ''}, is DONE`
  return `task cannot be run: ${reason}; take ${name} out of the task's dependencies, or out of that story`
}

function isActionAllowed(task: Task, action: HumanTrigger): boolean {
  const state = stateOf(task)
  // A request only: the move is made when the execution has ended, so a second request is as good as the first.
  if (state === 'RUNNING' && action === 'cancel') return true
  if (findNextState(state, action) === undefined) return false
  if (action === 'answer') return task.status?.question !== undefined
  // A delivery without checks that failed, say because the git host was down, may be asked for again.
  if (action === 'waive') return task.status?.error?.category === 'checks' || task.status?.checksWaived !== undefined
  const waitsForRetry = task.status?.resumeAfter !== undefined
  return action !== 'cancel' || (state !== 'FAILED' && state !== 'BUDGET_EXCEEDED') || waitsForRetry
}

/**
 * Whether there is something to deliver depends on the project: the operator, which knows it, goes on from here. A
 * story's work is delivered when the story is accepted, and again by who accepts the task that could not deliver it.
 */
function accept(task: Task, decision: TaskDecision): TaskStatus {
  const status = omit(endTask(task, decision, 'COMPLETED'), ['revision', 'checkedOut'])
  const { branch, delivery, head } = status
  const isOwn = task.spec.storyId === undefined && branch !== undefined
  const isStuck = delivery !== undefined && isDeliveryStuck(delivery)
  if (!isOwn && !isStuck) return status
  const reviewed = delivery?.reviewed ?? head?.commit
  return { ...status, delivery: requestDelivery(decision.at, reviewed) }
}

function reject(task: Task, decision: TaskDecision): TaskOutcome {
  const { comment: rejectionComment = '' } = decision
  if (!fits(rejectionComment, MAX_TEXT)) return refuseLong('comment')
  const kept = omit(task.status ?? {}, [
    'resume',
    'answer',
    'revision',
    'checksWaived',
    'error',
    'checkedOut',
    'handedBack',
  ])
  return allow(200, 'task rejected', enter(task, { ...kept, state: 'PENDING', rejectionComment }, decision))
}

function cancel(task: Task, decision: TaskDecision): TaskOutcome {
  if (stateOf(task) !== 'RUNNING') return allow(200, 'task cancelled', endTask(task, decision, 'CANCELLED'))
  const status = task.status ?? {}
  // Again 202, and nothing to write: the first request stands.
  if (status.cancelRequestedAt !== undefined) return allow(202, 'task cancellation requested', status)
  const requested = { ...status, cancelRequestedAt: toTimestamp(decision.at) }
  return allow(202, 'task cancellation requested', record(requested, decision))
}

function run(task: Task, decision: TaskDecision, { agent, failedDependencies }: TaskSurroundings): TaskOutcome {
  const wanted = decision.agent
  if (wanted !== undefined && agent === undefined)
    return refuse(apiError('unknown_reference', 'agent', 'agent', wanted))
  if (agent !== undefined && agent.spec.adapter !== SCRIPT_AGENT && agentWish(task).type === SCRIPT_AGENT) {
    return refuse(apiError('invalid_request', `task is a script and cannot be run by agent ${wanted}`))
  }
  const { by, at } = decision
  const reset = failedDependencies.map((dependency) => ({
    task: dependency.task,
    status: queueForRun(dependency.task, { action: 'run', by, at }),
  }))
  return allow(202, 'task queued for execution', queueForRun(task, decision), reset)
}

/** Without the agent of the last run: it is chosen anew, unless one is asked for. */
function queueForRun(task: Task, decision: TaskDecision): TaskStatus {
  const queued = omit(requeue(task, decision), ['agent', 'handedBack', 'answer'])
  return decision.agent === undefined ? queued : { ...queued, agent: choose(decision.agent, decision.by) }
}

function choose(type: string, by: string): ChosenAgent {
  return { type, chosenBy: 'Request', reason: clip(`asked for by ${by}`, 1024) }
}

function resume(task: Task, decision: TaskDecision): TaskOutcome {
  const words = stateOf(task).toLowerCase().replaceAll('_', ' ')
  return allow(202, `${words} task queued for resume`, { ...requeue(task, decision), resume: true })
}

function answer(task: Task, decision: TaskDecision): TaskOutcome {
  const text = renderAnswer(decision.answer)
  if (text === undefined) return refuse(apiError('invalid_request', 'answer must not be empty'))
  if (!fits(text, MAX_TEXT)) return refuseLong('answer')
  const unasked = findUnasked(task, decision.answer)
  if (unasked !== undefined) return refuse(apiError('invalid_request', unasked))
  const queued = requeue(task, { ...decision, comment: text })
  return allow(202, 'task queued for resume', { ...queued, resume: true, answer: text })
}

/** Goes on in the clone and session that are kept, whatever became of the work; agent and model stay. */
function revise(task: Task, decision: TaskDecision): TaskOutcome {
  const { comment = '' } = decision
  if (comment.trim() === '') return refuse(apiError('invalid_request', 'comment must not be empty'))
  if (!fits(comment, MAX_TEXT)) return refuseLong('comment')
  const revision = askAlso(task.status ?? {}, comment, decision.by)
  if (!fits(revision, MAX_TEXT)) return refuse(apiError('invalid_request', TOO_MUCH_ASKED))
  // READY work was done with an earlier rejection in mind; what failed may not have come to it.
  const queued = omit(
    requeue(task, decision),
    stateOf(task) === 'READY' ? ['rejectionComment', 'handedBack'] : ['handedBack'],
  )
  return allow(202, 'task queued for resume', { ...queued, resume: true, revision })
}

const TOO_MUCH_ASKED = `comment has, with the changes asked for before that are not done yet, more than ${MAX_TEXT} characters: shorten it, or resume the task and ask when it is READY`

/** Has the work that checks hold back delivered as it is. What somebody asked to change is done in the agent's eyes. */
function waive(task: Task, decision: TaskDecision): TaskOutcome {
  const { comment: reason = '', by, at } = decision
  if (reason.trim() === '') return refuse(apiError('invalid_request', 'reason must not be empty'))
  if (!fits(reason, MAX_COMMENT_LENGTH))
    return refuse(apiError('invalid_request', `reason has more than ${MAX_COMMENT_LENGTH} characters`))
  const checksWaived = { by, reason, at: toTimestamp(at) }
  return allow(202, 'task queued for delivery', { ...requeue(task, decision), resume: true, checksWaived })
}

function findUnasked(task: Task, answer: TaskDecision['answer']): string | undefined {
  if (typeof answer !== 'object') return undefined
  const asked: string[] = (task.status?.question?.items ?? []).map(({ text }) => text)
  const unasked = Object.keys(answer).find((question) => !asked.includes(question))
  if (unasked === undefined) return undefined
  return `answer: nobody asked ${JSON.stringify(unasked)}; the questions are ${asked.map((text) => JSON.stringify(text)).join(', ')}`
}

/** What is remembered of a decision, whatever it was. */
type RecordedDecision = Pick<TaskDecision, 'by' | 'at' | 'comment'> & Pick<Decision, 'action'>

const LEFT_BY_LAST_END = [
  'delivery',
  'question',
  'error',
  'resumeAfter',
  'cancelRequestedAt',
  'startedAt',
  'finishedAt',
  'resume',
  'checksWaived',
] as const

/**
 * QUEUED by a person: what the last end left behind is gone, what belongs to the work stays. So does what somebody asked to
 * change, until it is done: an agent that asks back, or fails, is still to do it. The answer to its last question stays too.
 */
export function requeue(task: Task, decision: RecordedDecision): TaskStatus {
  const kept = omit(task.status ?? {}, LEFT_BY_LAST_END)
  const queued = { ...kept, state: 'QUEUED', attempts: 0, queuedAt: toMicroTimestamp(decision.at) } as const
  return enter(task, queued, decision)
}

function endTask(task: Task, decision: TaskDecision, state: 'COMPLETED' | 'CANCELLED'): TaskStatus {
  const kept = omit(task.status ?? {}, ['question', 'resumeAfter', 'cancelRequestedAt', 'resume'])
  return enter(task, { finishedAt: endTimestamp(decision.at, kept.startedAt), ...kept, state }, decision)
}

function enter(task: Task, status: TaskStatus & { readonly state: TaskState }, decision: RecordedDecision): TaskStatus {
  const claims = claimTaskConditions({ state: status.state })
  return record(withConditions(task, status, claims, decision.at), decision)
}

function refuseLong(what: 'answer' | 'comment'): TaskOutcome {
  return refuse(apiError('invalid_request', `${what} has more than ${MAX_TEXT} characters`))
}

/** Longest comment of a remembered decision; the schema's limit. */
export const MAX_COMMENT_LENGTH = 4096

function record(status: TaskStatus, { action, by, at, comment }: RecordedDecision): TaskStatus {
  const newest = {
    action,
    by,
    at: toMicroTimestamp(at),
    ...(comment === undefined ? {} : { comment: clip(comment, MAX_COMMENT_LENGTH) }),
  }
  return { ...status, decisions: rememberDecision(status.decisions, newest) }
}

const PAST_TENSE: Readonly<Record<HumanTrigger, string>> = {
  run: 'run',
  accept: 'accepted',
  reject: 'rejected',
  cancel: 'cancelled',
  resume: 'resumed',
  answer: 'answered',
  revise: 'revised',
  waive: 'waived',
}

function allow(
  code: 200 | 202,
  message: string,
  status: TaskStatus,
  dependencies: readonly TaskWrite[] = [],
): TaskOutcome {
  return { kind: 'allowed', code, message, status, dependencies }
}
