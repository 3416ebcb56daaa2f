/** States as people read them: a word, a tone and an icon, which always stand together. */
import type { ExecutionState, StoryStatus, TaskState } from '../../core/crd/types.ts'
import type { Agent, Environment, Execution, Task } from '../../core/rest/client/client.ts'
import { checksMark } from '../../core/sentences/checks.ts'
import { ENVIRONMENT_STATE_LABELS } from '../../core/sentences/environment.ts'
import {
  agentStateLabel,
  executionStateLabel,
  STORY_STATUS_LABELS,
  taskStateLabel,
} from '../../core/sentences/states.ts'
import { formatClock } from './time.ts'

/** Which colour; the token of that name. */
export type Tone = 'wait' | 'run' | 'ready' | 'ask' | 'fail' | 'done'
export type StateIcon = 'clock' | 'play' | 'eye' | 'question' | 'failed' | 'done' | 'stopped' | 'pause'

interface Sign {
  readonly tone: Tone
  readonly icon: StateIcon
}

export interface StateWords extends Sign {
  readonly text: string
}

const WAITS: Sign = { tone: 'wait', icon: 'clock' }
const RUNS: Sign = { tone: 'run', icon: 'play' }
const FAILED: Sign = { tone: 'fail', icon: 'failed' }
const DONE: Sign = { tone: 'done', icon: 'done' }
const LOOK: Sign = { tone: 'ready', icon: 'eye' }
const ASKS: Sign = { tone: 'ask', icon: 'question' }
const PAUSED: Sign = { tone: 'wait', icon: 'pause' }

const SIGNS: Readonly<Record<TaskState | ExecutionState, Sign>> = {
  PENDING: WAITS,
  QUEUED: WAITS,
  RUNNING: RUNS,
  READY: LOOK,
  COMPLETED: DONE,
  FAILED,
  TIMED_OUT: FAILED,
  CANCELLED: { tone: 'wait', icon: 'stopped' },
  BUDGET_EXCEEDED: FAILED,
  BLOCKED: ASKS,
}

type StateFacts = Pick<Task, 'state' | 'error_category' | 'goes_on' | 'question' | 'rejection_comment'>

/** The state of a task. */
export function taskStateWords(task: StateFacts, nowMs: number): StateWords {
  const { state, goes_on, question } = task
  const waits = state === 'BLOCKED' && question === undefined ? WAITS : undefined
  const sign = waits ?? (goes_on?.at === undefined ? SIGNS[state] : PAUSED)
  return { ...sign, text: taskStateLabel(task, clockAt(nowMs)) }
}

/** The same; of a task that its checks hold back, with the names of those that are red, so that no mark beside it repeats them. */
export function checkedStateWords(task: StateFacts & Pick<Task, 'checks'>, nowMs: number): StateWords {
  const words = taskStateWords(task, nowMs)
  const red = task.error_category === 'checks' ? checksMark(task.checks) : undefined
  return red === undefined ? words : { ...words, text: `Failed: ${red.words}` }
}

const ENVIRONMENT_SIGNS: Readonly<Record<Environment['state'], Sign>> = { building: RUNS, ready: DONE, failed: FAILED }

/** The state of what a setup prepares. */
export function environmentStateWords(state: Environment['state']): StateWords {
  return { ...ENVIRONMENT_SIGNS[state], text: ENVIRONMENT_STATE_LABELS[state] }
}

/** The state of an execution. */
export function executionStateWords(execution: Pick<Execution, 'state' | 'error_category'>): StateWords {
  return { ...SIGNS[execution.state], text: executionStateLabel(execution) }
}

/** The status of a story. */
export function storyStatusWords(status: StoryStatus): StateWords {
  const running = status === 'IN_PROGRESS' || status === 'VALIDATING'
  const done = status === 'SHIPPABLE' || status === 'DONE'
  const sign = running ? RUNS : done ? DONE : status === 'REVIEW_READY' ? LOOK : WAITS
  return { ...sign, text: STORY_STATUS_LABELS[status] }
}

const AGENT_SIGNS: Readonly<Record<Agent['status']['state'], Sign>> = {
  idle: DONE,
  running: RUNS,
  drained: { tone: 'fail', icon: 'stopped' },
  rate_limited: PAUSED,
  unavailable: ASKS,
}

/** The state of an agent. */
export function agentStateWords({ status }: Pick<Agent, 'status'>, nowMs: number): StateWords {
  return { ...AGENT_SIGNS[status.state], text: agentStateLabel(status, clockAt(nowMs)) }
}

function clockAt(nowMs: number): (at: string) => string {
  return (at) => formatClock(Date.parse(at), nowMs)
}
