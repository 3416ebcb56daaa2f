import type { Wait } from '../../core/agent/waiting.ts'
import { type ConditionClaim, sayTheSame, withConditions } from '../../core/conditions.ts'
import { stateOf } from '../../core/task/decide.ts'
import { addMs } from '../../core/time.ts'
import { type Action, type Step, idle, recordEvent } from '../action.ts'
import { isRefusalShown } from '../refused.ts'
import type { ObservedTask } from './observe.ts'

/** Excess tasks are looked at again after this at the latest (specification §6.5). */
const REQUEUE_MS = 30_000

/**
 * Says in the task's conditions why it waits. Written only when the reason changes; the place in the queue is computed
 * by whoever shows it.
 */
export function refreshWaiting(seen: ObservedTask, wait = seen.schedule.wait): Step {
  if (isRefusalShown(seen.task.status)) return idle(later(seen))
  if (wait === undefined) return stateOf(seen.task) === 'PENDING' ? { actions: write(seen, []) } : idle(later(seen))
  return { actions: write(seen, [claim(wait, seen)]), requeueAt: later(seen) }
}

/**
 * Who stands behind others in a queue is looked at when it is its turn, and has no time of its own: the first of the
 * queue has, whose turn is the next, so that looking again costs the same however many wait.
 */
function later({ now, schedule: { position = 0 } }: ObservedTask): Date | undefined {
  return position > 0 ? undefined : addMs(now, REQUEUE_MS)
}

function claim(wait: Wait, { task }: ObservedTask): ConditionClaim {
  const said = { reason: wait.reason, message: wait.summary }
  if (wait.stalled) return { type: 'Stalled', status: 'True', ...said }
  if (stateOf(task) === 'BLOCKED') return { type: 'Ready', status: 'False', ...said }
  return { type: 'Reconciling', status: 'True', ...said }
}

function write({ task, now }: ObservedTask, claims: readonly ConditionClaim[]): Action[] {
  // The first look writes the state that absence stands for, so that kubectl shows it and nobody has to know.
  const status = withConditions(task, { ...task.status, state: stateOf(task) }, claims, now)
  if (sayTheSame(task.status?.conditions, status.conditions) && task.status?.state !== undefined) return []
  const stalled = claims.find(({ type }) => type === 'Stalled')
  const write: Action = { kind: 'writeTask', task, status }
  if (stalled === undefined) return [write]
  return [write, recordEvent(task, 'Warning', stalled.reason, stalled.message)]
}
