/**
 * What waits for a person: which records notifications tell about, and which the inbox lists (specification §10.4).
 *
 * Of records and of resources alike, so it takes the few facts that decide.
 */
import type { StoryStatus, TaskState } from './crd/types.ts'
import type { AGENT_STATES } from './rest/enum-values.ts'
import { canMoveStory } from './story/transitions.ts'

/** What a person has to do about a task. */
export type TaskAttention = 'questions' | 'review' | 'failed'

export interface TaskFacts {
  readonly state: TaskState
  readonly hasQuestion: boolean
  /** An automatic attempt is due at some time. */
  readonly hasResumeTime: boolean
  readonly isSuspended: boolean
}

const ATTENTION_OF_STATE: Partial<Record<TaskState, TaskAttention>> = {
  BLOCKED: 'questions',
  READY: 'review',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  BUDGET_EXCEEDED: 'failed',
}

/** Whether a task that rests goes on without a person: an automatic attempt is due, or subtasks are awaited. */
export function goesOnByItself({ state, hasQuestion, hasResumeTime, isSuspended }: TaskFacts): boolean {
  if (state === 'BLOCKED') return !hasQuestion
  // A suspended task is not resumed by itself: then a person has to.
  return hasResumeTime && !isSuspended
}

/** What a person has to do about a task; undefined while nobody has to do anything. */
export function taskAttention(task: TaskFacts): TaskAttention | undefined {
  return goesOnByItself(task) ? undefined : ATTENTION_OF_STATE[task.state]
}

/** Whether a story waits for a person to accept it. */
export function isToAccept(status: StoryStatus): boolean {
  return canMoveStory(status, 'DONE')
}

/** Whether an agent takes no work until a person acts. */
export function isAgentStopped(state: (typeof AGENT_STATES)[number]): boolean {
  return state === 'drained'
}
