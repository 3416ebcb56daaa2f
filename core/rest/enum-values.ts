import type {
  ChosenBy,
  DropsAccess,
  EvaluationOutcome,
  EvaluationRole,
  ExecutionPurpose,
  ExecutionState,
  HostType,
  OnAccept,
  RebaseResult,
  RunPolicy,
  TaskDeliveryState,
} from '../crd/types.ts'

/** REST's word for each run policy of the CRD. */
export const RUN_POLICY_WORDS = { Manual: 'manual', Auto: 'auto' } as const satisfies Record<RunPolicy, string>
export const RUN_POLICIES = Object.values(RUN_POLICY_WORDS)

/** REST's word for what an agent may do with the drop directory. */
export const DROPS_ACCESS_WORDS = {
  readWrite: 'read_write',
  readOnly: 'read_only',
  none: 'none',
} as const satisfies Record<DropsAccess, string>
export const DROPS_ACCESS = Object.values(DROPS_ACCESS_WORDS)

/** REST's word for who chose a task's agent. */
export const CHOSEN_BY_WORDS = {
  Request: 'request',
  Spec: 'spec',
  Rules: 'rules',
  Model: 'model',
} as const satisfies Record<ChosenBy, string>
export const CHOSEN_BY = Object.values(CHOSEN_BY_WORDS)

/** REST's word for each purpose of an execution. */
export const PURPOSE_WORDS = {
  Run: 'run',
  Resume: 'resume',
  Elaborate: 'elaborate',
  Validate: 'validate',
  Classify: 'classify',
  Evaluate: 'evaluate',
  Deliver: 'deliver',
} as const satisfies Record<ExecutionPurpose, string>
export const PURPOSES = Object.values(PURPOSE_WORDS)

/** REST's word for each part that an agent has in an evaluation. */
export const EVALUATION_ROLE_WORDS = {
  First: 'first',
  Second: 'second',
  Arbiter: 'arbiter',
} as const satisfies Record<EvaluationRole, string>
export const EVALUATION_ROLES = Object.values(EVALUATION_ROLE_WORDS)

/** REST's word for how a run of an evaluation ended. */
export const EVALUATION_OUTCOME_WORDS = {
  Answered: 'answered',
  Failed: 'failed',
  Cancelled: 'cancelled',
} as const satisfies Record<EvaluationOutcome, string>
export const EVALUATION_OUTCOMES = ['running', ...Object.values(EVALUATION_OUTCOME_WORDS)] as const

/** REST's word for what becomes of accepted work. */
export const ON_ACCEPT_WORDS = {
  None: 'none',
  Merge: 'merge',
  PullRequest: 'pull_request',
} as const satisfies Record<OnAccept, string>
export type OnAcceptWord = (typeof ON_ACCEPT_WORDS)[OnAccept]
export const ON_ACCEPT: readonly OnAcceptWord[] = Object.values(ON_ACCEPT_WORDS)

/** REST's word for each kind of code host. */
export const HOST_WORDS = { GitHub: 'github', GitLab: 'gitlab', Gitea: 'gitea' } as const satisfies Record<
  HostType,
  string
>
export type HostWord = (typeof HOST_WORDS)[HostType]
export const HOSTS: readonly HostWord[] = Object.values(HOST_WORDS)

/** REST's word for how a delivery stands. */
export const DELIVERY_WORDS = {
  Pending: 'pending',
  Delivered: 'delivered',
  Failed: 'failed',
  Conflict: 'conflict',
  Moved: 'moved',
} as const satisfies Record<TaskDeliveryState, string>

/** REST's word for how work stood to its branch when it was delivered. */
export const REBASE_WORDS = {
  UpToDate: 'up_to_date',
  Rebased: 'rebased',
  Conflict: 'conflict',
  Behind: 'behind',
} as const satisfies Record<RebaseResult, string>

/** Each state of an execution, and whether it is an end. */
export const EXECUTION_STATE_IS_FINAL = {
  PENDING: false,
  RUNNING: false,
  COMPLETED: true,
  FAILED: true,
  TIMED_OUT: true,
  CANCELLED: true,
  BUDGET_EXCEEDED: true,
  BLOCKED: true,
} as const satisfies Record<ExecutionState, boolean>

/** What an agent is doing, as GET /api/agents/status says it. */
export const AGENT_STATES = ['idle', 'running', 'drained', 'rate_limited', 'unavailable'] as const
export type AgentState = (typeof AGENT_STATES)[number]

/**
 * What is known of an agent's credentials: it needs none, the operator found them, it found them lacking, or it has
 * not looked.
 */
export const CREDENTIALS_STATES = ['none', 'present', 'missing', 'unknown'] as const
export type CredentialsState = (typeof CREDENTIALS_STATES)[number]

/** How far back statistics may look. */
export const STATS_WINDOWS = ['24h', '7d', '30d'] as const
export type StatsWindow = (typeof STATS_WINDOWS)[number]
