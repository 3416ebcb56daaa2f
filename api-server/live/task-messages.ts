import type { Task } from '../../core/crd/types.ts'
import type { LiveMessageType } from '../../core/rest/messages.ts'
import { stateOf } from '../../core/task/decide.ts'
import type { Change } from '../../kube/cache.ts'

const AT_REST: readonly string[] = ['READY', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED']

/**
 * The messages that a change of a task means, in the order of sending. Every change of an existing task is a
 * task_updated; the others say beside it what is special. A task that is being deleted is gone for REST already.
 */
export function taskMessages(change: Change<Task>): readonly LiveMessageType[] {
  if (change.type === 'delete') return isGoing(change.previous) ? [] : ['task_deleted']
  const previous = change.type === 'update' ? change.previous : undefined
  if (isGoing(change.object)) return previous === undefined || isGoing(previous) ? [] : ['task_deleted']
  const first: LiveMessageType = previous === undefined ? 'task_created' : 'task_updated'
  return [first, ...specialMessages(change.object, previous)]
}

function specialMessages(task: Task, previous: Task | undefined): LiveMessageType[] {
  const state = stateOf(task)
  const hasMoved = previous !== undefined && stateOf(previous) !== state
  const hasStarted = state === 'RUNNING' && (hasMoved || previous?.status?.execution !== task.status?.execution)
  const asks = task.status?.question !== undefined && previous?.status?.question === undefined
  return [
    ...(hasStarted ? (['task_started'] as const) : []),
    ...(hasMoved && AT_REST.includes(state) ? (['task_completed'] as const) : []),
    ...(asks ? (['task_question'] as const) : []),
  ]
}

function isGoing({ metadata }: Task): boolean {
  return metadata.deletionTimestamp !== undefined
}
