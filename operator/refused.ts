/**
 * What becomes of an object about which the API server refuses the operator something.
 *
 * A right that is missing comes back with a role: the object says so for as long as it lacks it, and the reconcile is tried
 * again. What is invalid stays invalid, and writing it again would hold up whoever waits for the object: an execution that is
 * to run, and a task that is queued or runs, fail with the API server's words; anything else says in its `Stalled` condition
 * that it is not kept up, until a later reconcile is taken. Nothing of this builds on what was refused, only on what is stored.
 */
import {
  type ConditionFacts,
  type Conditioned,
  claimConditions,
  sayTheSame,
  withConditions,
} from '../core/conditions.ts'
import type { Agent, Epic, Execution, Project, Story, Task } from '../core/crd/types.ts'
import { executionError } from '../core/execution/error.ts'
import { isTerminal } from '../core/execution/state.ts'
import { withoutAbsent } from '../core/omit.ts'
import { stateOf } from '../core/task/decide.ts'
import { finishTask } from '../core/task/finish.ts'
import { claimRunning, makeExecution, startTask } from '../core/task/start.ts'
import { toTimestamp } from '../core/time.ts'
import { isConflict, isForbidden, isInvalid } from '../kube/types.ts'
import type { Action } from './action.ts'
import { applyStep } from './apply.ts'
import type { OperatorContext } from './context.ts'

/** What a controller reconciles. */
export type Subject =
  /** `execution` is the one that the task names. */
  | { readonly kind: 'Task'; readonly object: Task; readonly execution?: Execution | undefined }
  | { readonly kind: 'Execution'; readonly object: Execution }
  | { readonly kind: 'Agent'; readonly object: Agent }
  | { readonly kind: 'Story'; readonly object: Story }
  | { readonly kind: 'Epic'; readonly object: Epic }
  | { readonly kind: 'Project'; readonly object: Project }

const REFUSED = 'Refused'

/** Whether a condition of the object shows a refusal. Until that write succeeds no other condition replaces it: the two would take turns. */
export function isRefusalShown({ conditions = [] }: NonNullable<Conditioned['status']> = {}): boolean {
  return conditions.some(({ reason }) => reason === REFUSED)
}

/**
 * Reconciles an object, and shows on it, and in an Event of it, what the API server refuses about it.
 *
 * @param find the object as it is now
 * @returns undefined also where something was invalid: its end is written, and nothing is to be tried again by itself
 * @throws what `reconcile` throws, but for what is invalid
 */
export async function showRefusal<T>(
  context: OperatorContext,
  find: () => Subject | undefined,
  reconcile: () => Promise<T>,
  lost?: AbortSignal,
): Promise<T | undefined> {
  try {
    const result = await reconcile()
    const subject = find()
    // The annotations that could not be removed are gone: the same ones are a new action.
    context.uncleared.delete(subject?.object.metadata.uid ?? '')
    await applyStep(context, subject === undefined ? [] : clear(subject, context.clock.now()), lost)
    return result
  } catch (error) {
    const isFinal = isInvalid(error)
    if (!isFinal && !isForbidden(error)) throw error
    const subject = find()
    if (subject === undefined) throw error
    const { message } = error
    const now = context.clock.now()
    context.events.record(subject.object, { type: 'Warning', reason: REFUSED, message })
    const isWritten = await tryWrite(context, isFinal ? give(subject, message, now) : hold(subject, message, now), lost)
    if (!isFinal || !isWritten) throw error
    const { kind, object } = subject
    context.logger.error({ error, kind, name: object.metadata.name }, 'the API server refuses a write as invalid')
    return undefined
  }
}

/** Whether it was written. Without the right to it Event and log must do; what changed meanwhile is looked at again. */
async function tryWrite(
  context: OperatorContext,
  actions: readonly Action[],
  lost: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await applyStep(context, actions, lost)
    return true
  } catch (error) {
    if (!isForbidden(error) && !isInvalid(error) && !isConflict(error)) throw error
    return false
  }
}

/** The actions left for an object that cannot be written as it should be. */
function give(subject: Subject, message: string, now: Date): Action[] {
  const error = executionError({ category: 'failed', message: `the API server refuses a write: ${message}` })
  const failed = { state: 'FAILED', error, finishedAt: toTimestamp(now) } as const
  if (subject.kind === 'Execution') return isTerminal(subject.object) ? [] : [failExecution(subject.object, failed)]
  if (subject.kind === 'Task') {
    const { object: task, execution } = subject
    const state = stateOf(task)
    if (state === 'RUNNING' && execution !== undefined && !isTerminal(execution)) {
      return [failExecution(execution, failed)]
    }
    const { executions = 1, agent = {} } = task.status ?? {}
    if (state === 'RUNNING') {
      const { costUSD } = execution?.status ?? {}
      const lost = { ...makeExecution(task, agent, executions), status: { ...failed, ...withoutAbsent({ costUSD }) } }
      return [failTask(task, lost, now)]
    }
    if (state === 'QUEUED') {
      const n = (task.status?.executions ?? 0) + 1
      const started = startTask(task, agent, n, now)
      const lost = { ...makeExecution(task, agent, n), status: failed }
      return [{ kind: 'writeTask', task, status: started }, failTask({ ...task, status: started }, lost, now)]
    }
  }
  const { conditions = [] } = subject.object.status ?? {}
  // One that has failed says why already.
  if (conditions.some(({ type, reason }) => type === 'Stalled' && reason !== REFUSED)) return []
  const claim = { type: 'Stalled', status: 'True', reason: REFUSED, message } as const
  return show(subject, [claim, ...conditions.filter(({ type }) => type !== 'Stalled')], now)
}

function failExecution(execution: Execution, failed: Execution['status']): Action {
  return { kind: 'writeExecution', execution, status: { ...execution.status, ...failed } }
}

function failTask(task: Task, execution: Execution, now: Date): Action {
  const status = finishTask({ task, execution, agent: undefined, hasOpenSubtasks: false, now })
  return { kind: 'writeTask', task, status }
}

/** A task that is queued or runs would otherwise look as if it went on. */
function hold(subject: Subject, message: string, now: Date): Action[] {
  if (subject.kind !== 'Task' || !isUnderWay(subject.object)) return []
  return show(subject, [{ type: 'Reconciling', status: 'True', reason: REFUSED, message }], now)
}

function isUnderWay(task: Task): boolean {
  return stateOf(task) === 'RUNNING' || stateOf(task) === 'QUEUED'
}

/** The conditions without what was refused, once it is refused no more. */
function clear(subject: Subject, now: Date): Action[] {
  const { conditions = [] } = subject.object.status ?? {}
  if (!isRefusalShown({ conditions })) return []
  const isRunning = subject.kind === 'Task' && stateOf(subject.object) === 'RUNNING'
  const claims = conditions.filter(({ reason }) => reason !== REFUSED)
  return show(subject, isRunning ? [claimRunning(subject.object.status?.agent)] : claims, now)
}

/** Writes conditions that differ from those that are there. */
function show(subject: Subject, claims: readonly ConditionFacts[], now: Date): Action[] {
  const before: Conditioned = subject.object
  const conditions = claimConditions(before, claims, now)
  if (sayTheSame(before.status?.conditions, conditions.conditions)) return []
  switch (subject.kind) {
    case 'Task': {
      const { object: task } = subject
      return [{ kind: 'writeTask', task, status: withConditions(task, task.status ?? {}, claims, now) }]
    }
    case 'Execution':
      return []
    case 'Agent':
      return [{ kind: 'writeAgent', agent: subject.object, status: { ...subject.object.status, ...conditions } }]
    case 'Story':
      return [{ kind: 'writeStory', story: subject.object, status: { ...subject.object.status, ...conditions } }]
    case 'Epic':
      return [{ kind: 'writeEpic', epic: subject.object, status: { ...subject.object.status, ...conditions } }]
    case 'Project':
      return [{ kind: 'writeProject', project: subject.object, status: { ...subject.object.status, ...conditions } }]
    default:
      return subject satisfies never
  }
}
