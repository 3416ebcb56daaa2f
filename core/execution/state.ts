import type { Execution, ExecutionState, Task } from '../crd/types.ts'

/** The state of an execution; one without status is PENDING. */
export function executionState(execution: Execution): ExecutionState {
  return execution.status?.state ?? 'PENDING'
}

/** Whether an execution has ended; its record then never changes again. */
export function isTerminal(execution: Execution): boolean {
  const state = executionState(execution)
  return state !== 'PENDING' && state !== 'RUNNING'
}

/** Whether an execution does a task's work; the others run beside it, for an answer or for a delivery. */
export function isWork({ spec }: Pick<Execution, 'spec'>): boolean {
  return spec.purpose === 'Run' || spec.purpose === 'Resume'
}

/** Whether an execution is this task's, and not that of an earlier one of its name. */
export function isOfTask({ metadata }: Pick<Execution, 'metadata'>, task: Task): boolean {
  return metadata.ownerReferences?.some(({ kind, uid }) => kind === 'Task' && uid !== task.metadata.uid) !== true
}

/** `task-a-3` and `task-a-d1` → `task-a`: the task that an execution or a delivery belongs to, by its name alone. */
export function taskOfExecution(execution: string): string {
  return execution.replace(/-d?\d+$/, '')
}
