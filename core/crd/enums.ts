// Generated from crds/ by tools/generate.ts; do not edit.

import type {
  AcpPermissions,
  AcpSecondPrompt,
  AgentAdapter,
  AgentDecisionAction,
  AgentEventKind,
  AnswerForm,
  AnswerSchema,
  CacheMode,
  CheckState,
  ChosenBy,
  CiState,
  ConditionStatus,
  DecisionAction,
  DeliveryKind,
  DropsAccess,
  EnvironmentState,
  ErrorCategory,
  EvaluationOutcome,
  EvaluationRole,
  ExecutionPurpose,
  ExecutionState,
  HostType,
  LfsCheckout,
  MessageMode,
  OnAccept,
  Outcome,
  OutcomeCounted,
  RebaseResult,
  RunPolicy,
  StoryDecisionAction,
  StoryEventKind,
  StoryStatus,
  SubmoduleCheckout,
  TaskDeliveryKind,
  TaskDeliveryState,
  TaskState,
  Verdict,
} from './types.ts'

export const RUN_POLICY_VALUES = ['Manual', 'Auto'] as const satisfies readonly RunPolicy[]

export const TASK_STATE_VALUES = [
  'PENDING',
  'QUEUED',
  'RUNNING',
  'READY',
  'COMPLETED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
  'BUDGET_EXCEEDED',
  'BLOCKED',
] as const satisfies readonly TaskState[]

export const CHOSEN_BY_VALUES = ['Request', 'Spec', 'Rules', 'Model'] as const satisfies readonly ChosenBy[]

export const CHECK_STATE_VALUES = [
  'Running',
  'Passed',
  'Failed',
  'TimedOut',
  'Skipped',
] as const satisfies readonly CheckState[]

export const ERROR_CATEGORY_VALUES = [
  'quota',
  'budget',
  'rate_limit',
  'timeout',
  'git',
  'auth',
  'credentials',
  'no_repository',
  'cancelled',
  'lost',
  'unavailable',
  'checks',
  'failed',
] as const satisfies readonly ErrorCategory[]

export const REBASE_RESULT_VALUES = [
  'UpToDate',
  'Rebased',
  'Conflict',
  'Behind',
] as const satisfies readonly RebaseResult[]

export const CI_STATE_VALUES = ['Pending', 'Passed', 'Failed'] as const satisfies readonly CiState[]

export const TASK_DELIVERY_KIND_VALUES = ['Merge', 'PullRequest'] as const satisfies readonly TaskDeliveryKind[]

export const TASK_DELIVERY_STATE_VALUES = [
  'Pending',
  'Delivered',
  'Failed',
  'Conflict',
  'Moved',
] as const satisfies readonly TaskDeliveryState[]

export const DECISION_ACTION_VALUES = [
  'run',
  'accept',
  'reject',
  'cancel',
  'resume',
  'answer',
  'revise',
  'waive',
  'handback',
] as const satisfies readonly DecisionAction[]

export const CONDITION_STATUS_VALUES = ['True', 'False', 'Unknown'] as const satisfies readonly ConditionStatus[]

export const EXECUTION_PURPOSE_VALUES = [
  'Run',
  'Resume',
  'Elaborate',
  'Validate',
  'Classify',
  'Evaluate',
  'Deliver',
  'Prepare',
] as const satisfies readonly ExecutionPurpose[]

export const ANSWER_SCHEMA_VALUES = [
  'TaskDraft',
  'StoryPlan',
  'Validation',
  'Classification',
  'Evaluation',
] as const satisfies readonly AnswerSchema[]

export const DELIVERY_KIND_VALUES = ['CreateBranch', 'Merge', 'PullRequest'] as const satisfies readonly DeliveryKind[]

export const HOST_TYPE_VALUES = ['GitHub', 'GitLab', 'Gitea'] as const satisfies readonly HostType[]

export const EXECUTION_STATE_VALUES = [
  'PENDING',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
  'BUDGET_EXCEEDED',
  'BLOCKED',
] as const satisfies readonly ExecutionState[]

export const CACHE_MODE_VALUES = ['Copy', 'ReadOnly'] as const satisfies readonly CacheMode[]

export const MESSAGE_MODE_VALUES = ['Queue', 'Steer', 'Interrupt'] as const satisfies readonly MessageMode[]

export const OUTCOME_VALUES = [
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
  'blocked',
  'budget_exceeded',
] as const satisfies readonly Outcome[]

export const ANSWER_FORM_VALUES = ['Usable', 'Unusable'] as const satisfies readonly AnswerForm[]

export const STORY_STATUS_VALUES = [
  'DISCOVERY',
  'FRAMING',
  'BACKLOG',
  'PRIORITIZED',
  'IN_PROGRESS',
  'VALIDATING',
  'REVIEW_READY',
  'DONE',
  'SHIPPABLE',
] as const satisfies readonly StoryStatus[]

export const EVALUATION_ROLE_VALUES = ['First', 'Second', 'Arbiter'] as const satisfies readonly EvaluationRole[]

export const EVALUATION_OUTCOME_VALUES = [
  'Answered',
  'Failed',
  'Cancelled',
] as const satisfies readonly EvaluationOutcome[]

export const VERDICT_VALUES = ['passed', 'failed', 'pending'] as const satisfies readonly Verdict[]

export const STORY_DECISION_ACTION_VALUES = [
  'accept',
  'move',
  'approve',
] as const satisfies readonly StoryDecisionAction[]

export const STORY_EVENT_KIND_VALUES = [
  'eval_verdict',
  'arbitration_decided',
  'human_accepted',
  'retro_captured',
  'epic_proposed',
] as const satisfies readonly StoryEventKind[]

export const SUBMODULE_CHECKOUT_VALUES = ['None', 'Shallow', 'Full'] as const satisfies readonly SubmoduleCheckout[]

export const LFS_CHECKOUT_VALUES = ['None', 'Fetch'] as const satisfies readonly LfsCheckout[]

export const ON_ACCEPT_VALUES = ['None', 'Merge', 'PullRequest'] as const satisfies readonly OnAccept[]

export const ENVIRONMENT_STATE_VALUES = ['Building', 'Ready', 'Failed'] as const satisfies readonly EnvironmentState[]

export const AGENT_ADAPTER_VALUES = [
  'claude',
  'codex',
  'gemini',
  'script',
  'acp',
] as const satisfies readonly AgentAdapter[]

export const ACP_PERMISSIONS_VALUES = ['Allow', 'Refuse'] as const satisfies readonly AcpPermissions[]

export const ACP_SECOND_PROMPT_VALUES = ['Joins'] as const satisfies readonly AcpSecondPrompt[]

export const DROPS_ACCESS_VALUES = ['readWrite', 'readOnly', 'none'] as const satisfies readonly DropsAccess[]

export const OUTCOME_COUNTED_VALUES = [
  'Failure',
  'Success',
  'Ignored',
  'Undrained',
] as const satisfies readonly OutcomeCounted[]

export const AGENT_EVENT_KIND_VALUES = [
  'rate_limited',
  'recovered',
  'drained',
  'undrained',
] as const satisfies readonly AgentEventKind[]

export const AGENT_DECISION_ACTION_VALUES = ['undrain'] as const satisfies readonly AgentDecisionAction[]
