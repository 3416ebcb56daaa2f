// Generated from crds/ by tools/generate.ts; do not edit.

export const RUN_POLICY_VALUES = ['Manual', 'Auto'] as const

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
] as const

export const CHOSEN_BY_VALUES = ['Request', 'Spec', 'Rules', 'Model'] as const

export const CHECK_STATE_VALUES = ['Running', 'Passed', 'Failed', 'TimedOut', 'Skipped'] as const

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
] as const

export const REBASE_RESULT_VALUES = ['UpToDate', 'Rebased', 'Conflict', 'Behind'] as const

export const CI_STATE_VALUES = ['Pending', 'Passed', 'Failed'] as const

export const TASK_DELIVERY_KIND_VALUES = ['Merge', 'PullRequest'] as const

export const TASK_DELIVERY_STATE_VALUES = ['Pending', 'Delivered', 'Failed', 'Conflict', 'Moved'] as const

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
] as const

export const CONDITION_STATUS_VALUES = ['True', 'False', 'Unknown'] as const

export const EXECUTION_PURPOSE_VALUES = [
  'Run',
  'Resume',
  'Elaborate',
  'Validate',
  'Classify',
  'Evaluate',
  'Deliver',
  'Prepare',
] as const

export const ANSWER_SCHEMA_VALUES = ['TaskDraft', 'StoryPlan', 'Validation', 'Classification', 'Evaluation'] as const

export const DELIVERY_KIND_VALUES = ['CreateBranch', 'Merge', 'PullRequest'] as const

export const HOST_TYPE_VALUES = ['GitHub', 'GitLab', 'Gitea'] as const

export const EXECUTION_STATE_VALUES = [
  'PENDING',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
  'BUDGET_EXCEEDED',
  'BLOCKED',
] as const

export const CACHE_MODE_VALUES = ['Copy', 'ReadOnly'] as const

export const MESSAGE_MODE_VALUES = ['Queue', 'Steer', 'Interrupt'] as const

export const OUTCOME_VALUES = ['succeeded', 'failed', 'timed_out', 'cancelled', 'blocked', 'budget_exceeded'] as const

export const ANSWER_FORM_VALUES = ['Usable', 'Unusable'] as const

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
] as const

export const EVALUATION_ROLE_VALUES = ['First', 'Second', 'Arbiter'] as const

export const EVALUATION_OUTCOME_VALUES = ['Answered', 'Failed', 'Cancelled'] as const

export const VERDICT_VALUES = ['passed', 'failed', 'pending'] as const

export const STORY_DECISION_ACTION_VALUES = ['accept', 'move', 'approve'] as const

export const STORY_EVENT_KIND_VALUES = [
  'eval_verdict',
  'arbitration_decided',
  'human_accepted',
  'retro_captured',
  'epic_proposed',
] as const

export const SUBMODULE_CHECKOUT_VALUES = ['None', 'Shallow', 'Full'] as const

export const LFS_CHECKOUT_VALUES = ['None', 'Fetch'] as const

export const ON_ACCEPT_VALUES = ['None', 'Merge', 'PullRequest'] as const

export const ENVIRONMENT_STATE_VALUES = ['Building', 'Ready', 'Failed'] as const

export const AGENT_ADAPTER_VALUES = ['claude', 'codex', 'gemini', 'script', 'acp'] as const

export const ACP_PERMISSIONS_VALUES = ['Allow', 'Refuse'] as const

export const ACP_SECOND_PROMPT_VALUES = ['Joins'] as const

export const DROPS_ACCESS_VALUES = ['readWrite', 'readOnly', 'none'] as const

export const OUTCOME_COUNTED_VALUES = ['Failure', 'Success', 'Ignored', 'Undrained'] as const

export const AGENT_EVENT_KIND_VALUES = ['rate_limited', 'recovered', 'drained', 'undrained'] as const

export const AGENT_DECISION_ACTION_VALUES = ['undrain'] as const
