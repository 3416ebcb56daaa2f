/** What waits for a person, as far as limits on it go (specification §6.15). */
import type { Task } from '../crd/types.ts'
import { stateOf } from './decide.ts'

/**
 * Whether a task waits for a person to review its work or to answer it. One that is BLOCKED for its subtasks does not:
 * it would keep them from starting.
 */
export function awaitsPerson(task: Task): boolean {
  const { question, error } = task.status ?? {}
  const state = stateOf(task)
  if (state === 'BLOCKED') return question !== undefined
  // There is work to look at: a person overrules, or says what is to change.
  return state === 'READY' || (state === 'FAILED' && error?.category === 'checks')
}

/**
 * Whether the next start of a task is new work. Resumed, answered and revised tasks, and those that are tried again by
 * themselves, go on with what has begun.
 */
export function isNewWork({ status = {} }: Task): boolean {
  // Of a revision whose session is gone, the text alone is left.
  return status.resume !== true && status.revision === undefined
}
