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
  /** Whether it goes on without a person (core/task/going-on.ts). */
  readonly goesOn: boolean
}

const ATTENTION_OF_STATE: Partial<Record<TaskState, TaskAttention>> = {
  BLOCKED: 'questions',
  READY: 'review',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  BUDGET_EXCEEDED: 'failed',
}

/** What a person has to do about a task; undefined while nobody has to do anything. */
export function taskAttention({ state, goesOn }: TaskFacts): TaskAttention | undefined {
  return goesOn ? undefined : ATTENTION_OF_STATE[state]
}

/** Whether a story waits for a person to accept it. */
export function isToAccept(status: StoryStatus): boolean {
  return canMoveStory(status, 'DONE')
}

/** Whether an agent takes no work until a person acts. */
export function isAgentStopped(state: (typeof AGENT_STATES)[number]): boolean {
  return state === 'drained'
}
