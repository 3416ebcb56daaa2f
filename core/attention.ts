/**
 * What waits for a person: which records notifications tell about, which the inbox lists and counts, and which cards and
 * lists mark (specification §10.4). What nobody can do anything about is not among them.
 */
import type { StoryStatus, TaskState } from './crd/types.ts'
import { canMoveStory } from './story/transitions.ts'

/** What a person has to do about a task. */
export type TaskAttention = 'questions' | 'review' | 'failed'

const ATTENTION_OF_STATE: Partial<Record<TaskState, TaskAttention>> = {
  BLOCKED: 'questions',
  READY: 'review',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  BUDGET_EXCEEDED: 'failed',
}

/** What counts of a task. */
export interface TaskNeed {
  readonly state: TaskState
  /** It goes on without a person (core/task/going-on.ts). */
  readonly goesOn: boolean
  /** What can be decided about it; empty where nobody can do anything, such as a failed task of a DONE story. */
  readonly actions: readonly string[]
}

/** Whether a task moves on without a person, by its record. */
export function goesOn({ state, goes_on }: { readonly state: TaskState; readonly goes_on?: unknown }): boolean {
  return goes_on !== undefined || state === 'QUEUED' || state === 'RUNNING'
}

/** Undefined while nobody has to do anything, and where nothing can be done. */
export function taskAttention({ state, goesOn, actions }: TaskNeed): TaskAttention | undefined {
  return goesOn || actions.length === 0 ? undefined : ATTENTION_OF_STATE[state]
}

/** Whether a story waits for a person to accept it. */
export function isToAccept(status: StoryStatus): boolean {
  return canMoveStory(status, 'DONE')
}
