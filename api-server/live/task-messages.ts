import type { Task } from '../../core/crd/types.ts'
import type { LiveMessageType } from '../../core/rest/messages.ts'
import { stateOf } from '../../core/task/decide.ts'
import type { Change } from '../../kube/cache.ts'
import { versionOf } from '../cache/versions.ts'

/** COMPLETED is none of them: a person has accepted what ended before. */
const ENDS: readonly string[] = ['READY', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED']

/**
 * The messages that a change of a task means, in the order of sending. Every change of an existing task is a
 * task_updated; the others say beside it what is special.
 */
export function taskMessages(change: Change<Task>): readonly LiveMessageType[] {
  if (change.type === 'delete') return ['task_deleted']
  if (change.type === 'add') return ['task_created', ...specialMessages(change.object, undefined)]
  // The operator's first look at a new task shows nobody anything new.
  if (versionOf(change.object) === versionOf(change.previous)) return []
  return ['task_updated', ...specialMessages(change.object, change.previous)]
}

function specialMessages(task: Task, previous: Task | undefined): LiveMessageType[] {
  const state = stateOf(task)
  const hasMoved = previous !== undefined && stateOf(previous) !== state
  const asks = task.status?.question !== undefined && previous?.status?.question === undefined
  return [
    ...(previous !== undefined && hasStarted(task, previous) ? (['task_started'] as const) : []),
    ...(hasMoved && ENDS.includes(state) ? (['task_completed'] as const) : []),
    ...(asks ? (['task_question'] as const) : []),
  ]
}

/** Once per execution: state and execution are written together, and one that runs on is not a start. */
function hasStarted(task: Task, previous: Task): boolean {
  if (stateOf(task) !== 'RUNNING') return false
  const isOther = previous.status?.execution !== task.status?.execution
  if (stateOf(previous) !== 'RUNNING') return isOther || task.status?.execution === undefined
  return isOther && previous.status?.execution !== undefined
}
