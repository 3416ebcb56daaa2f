/** The state of a task as people read it: a word, a tone and an icon, which always stand together. */
import type { Task } from '../../core/rest/client/client.ts'
import type { ErrorCategory, TaskState } from '../../core/crd/types.ts'
import { formatClock } from './time.ts'

/** Which colour; the token of that name. */
export type Tone = 'wait' | 'run' | 'ready' | 'ask' | 'fail' | 'done'
export type StateIcon = 'clock' | 'play' | 'eye' | 'question' | 'failed' | 'done' | 'stopped' | 'pause'

export interface StateWords {
  readonly tone: Tone
  readonly icon: StateIcon
  readonly text: string
}

/** What the reason of a failure is called; the message beside it says the rest. */
const CATEGORY_WORDS: Readonly<Record<ErrorCategory, string | undefined>> = {
  quota: 'usage limit',
  budget: 'over budget',
  rate_limit: 'rate limit',
  timeout: 'took too long',
  git: 'git',
  auth: 'login refused',
  credentials: 'login missing',
  no_repository: 'no repository',
  cancelled: 'cancelled',
  lost: 'its process was lost',
  unavailable: 'agent unavailable',
  failed: undefined,
}

/** What a reason of a failure is called; undefined where there is no more to say than that it failed. */
export function categoryWords(category: ErrorCategory | undefined): string | undefined {
  return category === undefined ? undefined : CATEGORY_WORDS[category]
}

const PLAIN: Readonly<Record<TaskState, StateWords>> = {
  PENDING: { tone: 'wait', icon: 'clock', text: 'Not started' },
  QUEUED: { tone: 'wait', icon: 'clock', text: 'Queued' },
  RUNNING: { tone: 'run', icon: 'play', text: 'Running' },
  READY: { tone: 'ready', icon: 'eye', text: 'Ready for review' },
  COMPLETED: { tone: 'done', icon: 'done', text: 'Accepted' },
  FAILED: { tone: 'fail', icon: 'failed', text: 'Failed' },
  TIMED_OUT: { tone: 'fail', icon: 'failed', text: 'Took too long' },
  CANCELLED: { tone: 'wait', icon: 'stopped', text: 'Cancelled' },
  BUDGET_EXCEEDED: { tone: 'fail', icon: 'failed', text: 'Over budget' },
  BLOCKED: { tone: 'ask', icon: 'question', text: 'Question' },
}

/** A state by itself, without what a task says of it: as a filter, or as the head of a group. */
export function stateName(state: TaskState): string {
  return PLAIN[state].text
}

type StateFacts = Pick<Task, 'state' | 'error_category' | 'goes_on' | 'question' | 'rejection_comment'>

/** What a task's state is called. */
export function taskStateWords(task: StateFacts, nowMs: number): StateWords {
  const { state, goes_on, question } = task
  const plain = PLAIN[state]
  if (state === 'BLOCKED' && question === undefined) return { tone: 'wait', icon: 'clock', text: 'Waits for subtasks' }
  if (state === 'PENDING' && task.rejection_comment !== undefined) return { ...plain, text: 'Rejected' }
  if (goes_on?.at !== undefined)
    return { tone: 'wait', icon: 'pause', text: `Limit, resumes ${formatClock(Date.parse(goes_on.at), nowMs)}` }
  const category = state === 'FAILED' ? categoryWords(task.error_category) : undefined
  return category === undefined ? plain : { ...plain, text: `${plain.text}: ${category}` }
}
