/** What the states of tasks, executions, stories and agents are called, and the reasons of failures. */
import type { AgentState } from '../enum-values.ts'
import type { ErrorCategory, ExecutionPurpose, ExecutionState, StoryStatus, TaskState } from '../crd/types.ts'

/** A state by itself, without what a task says of it. */
export const TASK_STATE_LABELS: Readonly<Record<TaskState, string>> = {
  PENDING: 'Not started',
  QUEUED: 'Queued',
  RUNNING: 'Running',
  READY: 'Ready for review',
  COMPLETED: 'Accepted',
  FAILED: 'Failed',
  TIMED_OUT: 'Timed out',
  CANCELLED: 'Cancelled',
  BUDGET_EXCEEDED: 'Limit or budget',
  BLOCKED: 'Question',
}

const EXECUTION_STATE_LABELS: Readonly<Record<ExecutionState, string>> = {
  ...TASK_STATE_LABELS,
  PENDING: 'Starts',
  COMPLETED: 'Succeeded',
  BLOCKED: 'Asked',
}

/** What follows the name of the work that an execution did. */
export const EXECUTION_PHRASES: Readonly<Record<ExecutionState, string>> = {
  PENDING: 'is about to start',
  RUNNING: 'started',
  COMPLETED: 'finished',
  FAILED: 'failed',
  TIMED_OUT: 'timed out',
  CANCELLED: 'was stopped',
  BUDGET_EXCEEDED: 'stopped at a limit',
  BLOCKED: 'asked a question',
}

export const PURPOSE_LABELS: Readonly<Record<Lowercase<ExecutionPurpose>, string>> = {
  run: 'fresh start',
  resume: 'continued',
  elaborate: 'planning',
  validate: 'check',
  classify: 'choice of an agent',
  evaluate: 'evaluation',
  deliver: 'delivery',
  prepare: 'setup of an environment',
}

export const STORY_STATUS_LABELS: Readonly<Record<StoryStatus, string>> = {
  DISCOVERY: 'Discovery',
  FRAMING: 'Framing',
  BACKLOG: 'Backlog',
  PRIORITIZED: 'Prioritized',
  IN_PROGRESS: 'In progress',
  SHIPPABLE: 'Shippable',
  VALIDATING: 'Validating',
  REVIEW_READY: 'Ready to accept',
  DONE: 'Done',
}

/** The reason of a failure; the message beside it says the rest. */
export const CATEGORY_LABELS = {
  quota: 'usage limit',
  budget: 'over budget',
  rate_limit: 'rate limit',
  timeout: 'timed out',
  git: 'git',
  auth: 'login refused',
  credentials: 'login missing',
  no_repository: 'no repository',
  cancelled: 'cancelled',
  lost: 'its process was lost',
  unavailable: 'agent unavailable',
  checks: 'checks are red',
  // There is no more to say.
  failed: undefined,
} as const satisfies Record<ErrorCategory, string | undefined>

/** The groups of statistics. */
export const ERROR_GROUP_LABELS = {
  ...CATEGORY_LABELS,
  quota: `${CATEGORY_LABELS.quota} or budget`,
  failed: 'failed otherwise',
}

interface Failure {
  readonly state: TaskState | ExecutionState
  readonly error_category?: ErrorCategory | undefined
}

/** What decides how a task's state is called. */
export interface TaskStateFacts extends Failure {
  readonly state: TaskState
  readonly question?: string | undefined
  readonly rejection_comment?: string | undefined
  readonly goes_on?: { readonly at?: string | undefined } | undefined
}

/** @param clock an instant (RFC 3339) as the surface shows it */
export function taskStateLabel(task: TaskStateFacts, clock: (at: string) => string): string {
  const { state, goes_on, question, rejection_comment } = task
  if (state === 'BLOCKED' && question === undefined) return 'Waits for subtasks'
  if (state === 'PENDING' && rejection_comment !== undefined) return 'Rejected'
  return goes_on?.at === undefined ? withReason(TASK_STATE_LABELS[state], task) : `Limit, resumes ${clock(goes_on.at)}`
}

export function executionStateLabel(execution: Failure & { readonly state: ExecutionState }): string {
  return withReason(EXECUTION_STATE_LABELS[execution.state], execution)
}

/** A state ends at two kinds of limit: one that the provider sets, and the task's own budget. */
export function limitLabel({ state, error_category: category }: Failure): string | undefined {
  if (state !== 'BUDGET_EXCEEDED') return undefined
  return category === 'quota' ? 'Usage limit' : category === 'budget' ? 'Over budget' : undefined
}

function withReason(label: string, failure: Failure): string {
  const { state, error_category: category = 'failed' } = failure
  const reason = state === 'FAILED' ? CATEGORY_LABELS[category] : undefined
  return reason === undefined ? (limitLabel(failure) ?? label) : `${label}: ${reason}`
}

interface AgentStateFacts {
  readonly state: AgentState
  readonly rate_limited_until?: string | undefined
}

/** @param clock as above */
export function agentStateLabel({ state, rate_limited_until }: AgentStateFacts, clock: (at: string) => string): string {
  const label = {
    idle: 'Free',
    running: 'At work',
    drained: 'Drained',
    rate_limited: 'Limited',
    unavailable: 'Cannot work',
  }
  return state === 'rate_limited' && rate_limited_until !== undefined
    ? `Limit, ends ${clock(rate_limited_until)}`
    : label[state]
}
