import type { Task } from '../crd/types.ts'
import { parseTimestamp } from '../time.ts'
import { stateOf } from './decide.ts'

/** When a task came into the state that it has, as far as its status tells; its creation where that tells nothing. */
export function lastTransitionAt(task: Task): Date | undefined {
  const at = stampOf(task) ?? task.metadata.creationTimestamp
  return at === undefined ? undefined : parseTimestamp(at)
}

function stampOf(task: Task): string | undefined {
  const { status = {} } = task
  const state = stateOf(task)
  switch (state) {
    case 'PENDING':
    case 'COMPLETED':
      // Only a person leads here, or the creation.
      return status.decisions?.at(-1)?.at
    case 'QUEUED':
      return status.queuedAt
    case 'RUNNING':
      return status.startedAt
    case 'READY':
    case 'BLOCKED':
    case 'FAILED':
    case 'TIMED_OUT':
    case 'BUDGET_EXCEEDED':
    case 'CANCELLED':
      return status.finishedAt
    default:
      return state satisfies never
  }
}
