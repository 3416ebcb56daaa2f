/**
 * What a backup says of work that was under way when it was made. Nothing of it goes on in a restored installation: an
 * execution that had not ended counts as lost with its machine, and its task goes on by the rules for that (specification
 * §4.15), while attempts are left.
 */
import type { Execution } from '../crd/types.ts'
import { isTerminal, isWork } from '../execution/state.ts'
import { endTimestamp } from '../time.ts'
import { executionError } from '../execution/error.ts'

/** The execution as a backup has it: one that had not ended has failed. */
export function settleExecution(execution: Execution, now: Date): Execution {
  if (isTerminal(execution)) return execution
  const message = 'the backup was made while it ran, and it did not come along'
  const error = executionError({ category: 'lost', message })
  const finishedAt = endTimestamp(now, execution.status?.startedAt)
  return { ...execution, status: { ...execution.status, state: 'FAILED', error, finishedAt } }
}

/**
 * The task that an execution worked on after a look at the executions, in which those of `ended` had ended: what was
 * copied of its clone since may not fit together.
 */
export function findWorkedOn(ended: ReadonlySet<string>, execution: Execution): string | undefined {
  return isWork(execution) && !ended.has(execution.metadata.name) ? execution.spec.taskRef?.name : undefined
}
