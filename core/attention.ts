/** What waits for a person: which records notifications tell about, and which the inbox lists (specification §10.4). */
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

/** Undefined while nobody has to do anything. @param goesOn without a person (core/task/going-on.ts) */
export function taskAttention(state: TaskState, goesOn: boolean): TaskAttention | undefined {
  return goesOn ? undefined : ATTENTION_OF_STATE[state]
}

/** Whether a story waits for a person to accept it. */
export function isToAccept(status: StoryStatus): boolean {
  return canMoveStory(status, 'DONE')
}
