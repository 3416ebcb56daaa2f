import type { Agent, Execution, Task, TaskStatus } from '../../core/crd/types.ts'
import { recordOutcome } from '../../core/agent/drain.ts'
import { executionError } from '../../core/execution/error.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { isObserved, reclaimConditions, sayTheSame, withConditions } from '../../core/conditions.ts'
import { FINALIZER } from '../../core/names.ts'
import { omit, withoutAbsent } from '../../core/omit.ts'
import { clip } from '../../core/text.ts'
import { isQueuedByPolicy, stateOf } from '../../core/task/decide.ts'
import { findDoneRefusal } from '../../core/story/done.ts'
import { formatUndelivered } from '../../core/sentences/review.ts'
import { claimEnd, finishTask } from '../../core/task/finish.ts'
import { needsWorkspace } from '../../core/task/workspaces.ts'
import { findGoingOn } from '../../core/task/going-on.ts'
import { messagedBy } from '../../core/task/messaged-by.ts'
import { claimRunning, makeExecution } from '../../core/task/start.ts'
import { queueTask, readySubtasks, retryTask } from '../../core/task/system-moves.ts'
import { earliest, parseTimestamp, toTimestamp } from '../../core/time.ts'
import { isRefusalShown } from '../refused.ts'
import { type Action, type Step, idle, recordEvent } from '../action.ts'
import { reconcileAnnotation } from './annotation.ts'
import { reconcileDelivery } from './delivery.ts'
import type { ObservedTask } from './observe.ts'
import { reconcileQueued, startAtOnce } from './queued.ts'
import { refreshWaiting } from './waiting.ts'

/**
 * Decides the next step of one task; at most one change of its state per step, but that a task may be queued and start in
 * one.
 *
 * Level-triggered: the same observation gives the same step, so a lost watch event, or a crash between two writes, is
 * repaired by the next call.
 */
export function reconcileTask(seen: ObservedTask): Step {
  if (seen.task.metadata.deletionTimestamp !== undefined) return reconcileDeletion(seen)
  if (hasFinalizer(seen.task)) return removeFinalizer(seen.task)
  const step = reconcileAnnotation(seen) ?? reconcileState(seen)
  return step.actions.length > 0 || isObserved(seen.task) ? step : { ...step, actions: [observeSpec(seen.task)] }
}

/** A change of the spec that makes no difference to how the task stands: whoever waits for a condition must see so. */
function observeSpec(task: Task): Action {
  return { kind: 'writeTask', task, status: { ...task.status, ...reclaimConditions(task) } }
}

function reconcileState(seen: ObservedTask): Step {
  const state = stateOf(seen.task)
  switch (state) {
    case 'PENDING':
      return withDelivery(seen, reconcilePending)
    case 'QUEUED':
      return withDelivery(seen, reconcileQueued)
    case 'RUNNING':
      return reconcileRunning(seen)
    case 'BLOCKED':
      return withDelivery(seen, reconcileBlocked)
    case 'READY':
      return withDelivery(seen, () => idle())
    case 'COMPLETED':
      return withDelivery(seen, forgetWorkspace)
    case 'FAILED':
    case 'BUDGET_EXCEEDED':
      return withDelivery(seen, reconcileRetry)
    case 'TIMED_OUT':
    case 'CANCELLED':
      return withDelivery(seen, () => idle())
    default:
      return state satisfies never
  }
}

function reconcilePending(seen: ObservedTask): Step {
  const { task, story, now } = seen
  if (!isQueuedByPolicy(task) || findDoneRefusal(story) !== undefined) return refreshWaiting(seen)
  const queued = queueTask(task, now)
  return startAtOnce(seen, queued) ?? { actions: [{ kind: 'writeTask', task, status: queued }] }
}

function reconcileRunning(seen: ObservedTask): Step {
  const { task, executions } = seen
  const execution = executions.find(({ metadata }) => metadata.name === task.status?.execution)
  if (execution !== undefined && !isTerminal(execution)) return showExecution(seen, execution)
  // Its Jobs are collected with it; whatever they did is unknown.
  return finish(
    seen,
    execution === undefined || wasDeleted(task, execution) ? lostExecution(seen, execution) : execution,
  )
}

/** A task says why nothing of its execution runs, for as long as that is so, and who speaks to its agent. */
function showExecution({ task, now }: ObservedTask, execution: Execution): Step {
  const { waitingFor } = execution.status ?? {}
  const senders = messagedBy(task, execution)
  if (waitingFor === task.status?.waitingFor || isRefusalShown(task.status)) {
    const status = { ...task.status, ...senders }
    return senders.messagedBy === undefined ? idle() : { actions: [{ kind: 'writeTask', task, status }] }
  }
  const claims = [claimRunning(task.status?.agent, waitingFor)]
  const told = waitingFor === undefined ? {} : { waitingFor: clip(waitingFor, 32_768) }
  const status = { ...withConditions(task, task.status ?? {}, claims, now), ...told, ...senders }
  return { actions: [{ kind: 'writeTask', task, status }] }
}

/** Ended because somebody deleted it, not because its task was to end. */
function wasDeleted({ status }: Task, { metadata, status: ended }: Execution): boolean {
  const isCancelled = status?.cancelRequestedAt !== undefined
  return metadata.deletionTimestamp !== undefined && ended?.state === 'CANCELLED' && !isCancelled
}

/** Stands for an Execution that somebody deleted while it ran. */
function lostExecution({ task, now }: ObservedTask, deleted: Execution | undefined): Execution {
  const n = task.status?.executions ?? 1
  const error = executionError({
    category: 'lost',
    message: `Execution ${task.status?.execution ?? ''} was deleted while it ran`,
  })
  const { messages } = deleted?.status ?? {}
  const status = { state: 'FAILED', error, finishedAt: toTimestamp(now), ...withoutAbsent({ messages }) } as const
  return { ...makeExecution(task, task.status?.agent ?? {}, n), status }
}

/** The Agent is written before the Task: a crash between the two finds the outcome listed and counts it only once. */
function finish(seen: ObservedTask, execution: Execution): Step {
  const { task, agent, openSubtasks, now } = seen
  const recorded = agent === undefined ? undefined : { ...agent, status: recordOutcome(agent, execution, now) }
  const status = finishTask({ task, execution, agent: recorded, hasOpenSubtasks: openSubtasks.length > 0, now })
  const written = writeEnd(task, status, execution)
  return { actions: [...writeAgentIfChanged(agent, recorded), ...written] }
}

function writeEnd(task: Task, status: TaskStatus, execution: Execution): readonly Action[] {
  const notice = formatUndelivered(execution.status?.undelivered, execution.status?.undeliveredCount)
  const { actions } = writeTask(task, status, toReason(status), formatEndMessage(status))
  if (notice === undefined) return actions
  return [...actions, recordEvent(task, 'Warning', 'Undelivered', notice)]
}

function writeAgentIfChanged(agent: Agent | undefined, recorded: Agent | undefined): Action[] {
  if (agent === undefined || recorded?.status === undefined || recorded.status === agent.status) return []
  const { drained } = recorded.status
  const write = { kind: 'writeAgent', agent, status: recorded.status } as const
  const hasDrained = drained !== undefined && agent.status?.drained === undefined
  return hasDrained ? [write, recordEvent(agent, 'Warning', 'Drained', drained.reason ?? '')] : [write]
}

/** A parent waits for its subtasks; those that nobody ran are queued on its behalf. */
function reconcileBlocked(seen: ObservedTask): Step {
  const { task, openSubtasks: open, now } = seen
  if (task.status?.question !== undefined) return idle()
  if (open.length === 0) return writeTask(task, readySubtasks(task, now), 'Ready', 'all subtasks are done')
  const pending = open.filter((subtask) => stateOf(subtask) === 'PENDING' && subtask.status?.queuedAt === undefined)
  if (pending.length === 0) return refreshWaiting(seen)
  return { actions: pending.flatMap((subtask) => queueSubtask(subtask, task, now)) }
}

function queueSubtask(subtask: Task, parent: Task, now: Date): readonly Action[] {
  const message = `queued because its parent ${parent.metadata.name} is done with its own work`
  return writeTask(subtask, queueTask(subtask, now), 'Queued', message).actions
}

function reconcileRetry(seen: ObservedTask): Step {
  const { task, now, story, agent } = seen
  const found = findGoingOn(task, { story, ownAgent: agent })
  if (found?.at === undefined) return idle()
  const claims = claimEnd(task.status ?? {}, found)
  const status = withConditions(task, task.status ?? {}, claims, now)
  const shown: Action[] = sayTheSame(task.status?.conditions, status.conditions)
    ? []
    : [{ kind: 'writeTask', task, status }]
  if (found.held !== undefined) return { actions: shown }
  const dueAt = parseTimestamp(found.at)
  if (dueAt > now) return { actions: shown, requeueAt: dueAt }
  return writeTask(task, retryTask(task, now), 'Retrying', 'an automatic attempt is due')
}

/** Delivery goes before clean-up, which it does not depend on and must not hold up while it waits. */
function withDelivery(seen: ObservedTask, reconcile: (seen: ObservedTask) => Step): Step {
  const delivery = reconcileDelivery(seen)
  if (delivery !== undefined && delivery.actions.length > 0) return delivery
  const step = reconcile(seen)
  return step.actions.length > 0 ? step : { ...step, requeueAt: earliest(delivery?.requeueAt, step.requeueAt) }
}

/** The sweep removes it (sweeper.ts). */
function forgetWorkspace({ task }: ObservedTask): Step {
  if (task.status?.workspace === undefined || needsWorkspace(task)) return idle()
  return { actions: [{ kind: 'writeTask', task, status: omit(task.status, ['workspace']) }] }
}

/** Nobody waits for it any more: what its executions have left to do is done without it (execution/orphan.ts). */
function reconcileDeletion({ task }: ObservedTask): Step {
  return hasFinalizer(task) ? removeFinalizer(task) : idle()
}

/** Earlier versions kept tasks until their files were removed, and so from being deleted where no operator runs. */
function hasFinalizer(task: Task): boolean {
  return task.metadata.finalizers?.includes(FINALIZER) === true
}

function removeFinalizer(task: Task): Step {
  return { actions: [{ kind: 'removeFinalizer', of: { kind: 'Task', object: task } }] }
}

function writeTask(task: Task, status: TaskStatus, reason: string, message: string): Step {
  const isBad = status.error !== undefined && status.state !== 'QUEUED'
  const event = recordEvent(task, isBad ? 'Warning' : 'Normal', reason, message)
  return { actions: [{ kind: 'writeTask', task, status }, event] }
}

/** `TIMED_OUT` → `TimedOut`. */
function toReason({ state = 'PENDING' }: TaskStatus): string {
  return state.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function formatEndMessage({ state, error, question }: TaskStatus): string {
  return error?.message ?? question?.items[0]?.text ?? `the execution ended, the task is ${state}`
}
