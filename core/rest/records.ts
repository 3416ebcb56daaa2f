/**
 * What the REST API answers with, in the contract's names (interface specification, section 2; decisions, section 5).
 * Requests have schemas of their own (requests.ts): what may be sent is not what comes back.
 */
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { ERROR_CATEGORIES } from '../execution/result.ts'
import { HUMAN_TRIGGERS } from '../task/transitions.ts'
import { closed, Instant, maybe, RecordId } from './fields.ts'
import { AGENT_EVENT_KIND_VALUES, EXECUTION_STATE_VALUES, TASK_STATE_VALUES } from '../crd/enums.ts'
import { AGENT_STATES, PURPOSES, RUN_POLICIES } from './words.ts'

export const AgentConfigRecord = closed({
  type: maybe(Type.String()),
  model: maybe(Type.String()),
  instructions: maybe(Type.String()),
  allowed_tools: maybe(Type.Array(Type.String())),
})

export const ChangesRecord = closed({ files: Type.Integer(), insertions: Type.Integer(), deletions: Type.Integer() })

export const QuestionRecord = closed({
  text: Type.String(),
  header: maybe(Type.String()),
  options: maybe(Type.Array(Type.String())),
  multiple: maybe(Type.Boolean()),
})

export const DecisionRecord = closed({
  action: Type.Enum(HUMAN_TRIGGERS),
  by: maybe(Type.String()),
  at: Instant,
  comment: maybe(Type.String()),
})

/** Whether the running build contains a task's work (interface specification, section 9). */
export const DeploymentStatus = closed({
  /** "" when it is not known. */
  deployed_commit: Type.String(),
  fix_commits: Type.Array(Type.String()),
  includes_fix: Type.Boolean(),
})

export const TaskRecord = closed({
  id: RecordId,
  name: Type.String(),
  description: maybe(Type.String()),
  project: maybe(RecordId),
  elaboration_input: maybe(Type.String()),
  repository_url: maybe(Type.String()),
  container_image: maybe(Type.String()),
  agent: maybe(AgentConfigRecord),
  state: Type.Enum(TASK_STATE_VALUES),
  depends_on: Type.Array(RecordId),
  parent_task_id: maybe(RecordId),
  story_id: maybe(RecordId),
  priority: maybe(Type.Integer()),
  run_policy: Type.Enum(RUN_POLICIES),
  timeout_seconds: maybe(Type.Number()),
  max_attempts: maybe(Type.Integer()),
  budget_usd: maybe(Type.Number()),
  suspend: maybe(Type.Boolean()),
  attempts: Type.Integer(),
  execution_id: maybe(RecordId),
  summary: maybe(Type.String()),
  error: maybe(Type.String()),
  error_category: maybe(Type.Enum(ERROR_CATEGORIES)),
  branch: maybe(Type.String()),
  branch_url: maybe(Type.String()),
  compare_url: maybe(Type.String()),
  changes: maybe(ChangesRecord),
  cost_usd: maybe(Type.Number()),
  question: maybe(Type.String()),
  question_items: maybe(Type.Array(QuestionRecord)),
  question_options: maybe(Type.Array(Type.String())),
  rejection_comment: maybe(Type.String()),
  decisions: Type.Array(DecisionRecord),
  resume_after: maybe(Instant),
  created_at: Instant,
  updated_at: Instant,
  queued_at: maybe(Instant),
  started_at: maybe(Instant),
  finished_at: maybe(Instant),
  /** The decisions that this caller may take now. */
  actions: Type.Array(Type.Enum(HUMAN_TRIGGERS)),
  /** Why the task waits, in words. */
  waiting_for: maybe(Type.String()),
  /** On READY tasks only. */
  deployment_status: maybe(DeploymentStatus),
})

export const ExecutionRecord = closed({
  id: RecordId,
  task_id: maybe(RecordId),
  agent: Type.String(),
  model: maybe(Type.String()),
  attempt: maybe(Type.Integer()),
  purpose: Type.Enum(PURPOSES),
  state: Type.Enum(EXECUTION_STATE_VALUES),
  phases: Type.Array(closed({ name: Type.String(), started_at: maybe(Instant), finished_at: maybe(Instant) })),
  pod: maybe(closed({ name: maybe(Type.String()), phase: maybe(Type.String()), reason: maybe(Type.String()) })),
  sandbox_dir: maybe(Type.String()),
  stdout_path: maybe(Type.String()),
  stderr_path: maybe(Type.String()),
  artifact_dir: maybe(Type.String()),
  exit_code: maybe(Type.Integer()),
  session_id: maybe(Type.String()),
  cost_usd: maybe(Type.Number()),
  tokens: maybe(
    closed({
      input: maybe(Type.Integer()),
      output: maybe(Type.Integer()),
      cache_read: maybe(Type.Integer()),
      cache_write: maybe(Type.Integer()),
    }),
  ),
  turns: maybe(Type.Integer()),
  summary: maybe(Type.String()),
  error: maybe(Type.String()),
  error_category: maybe(Type.Enum(ERROR_CATEGORIES)),
  fix_commits: Type.Array(Type.String()),
  branch: maybe(Type.String()),
  changes: maybe(ChangesRecord),
  auth_retried: Type.Boolean(),
  created_at: Instant,
  started_at: maybe(Instant),
  finished_at: maybe(Instant),
})

export const ProjectRecord = closed({
  id: RecordId,
  name: Type.String(),
  remote_url: Type.String(),
  local_path: maybe(Type.String()),
  default_branch: maybe(Type.String()),
  container_image: maybe(Type.String()),
  test_command: maybe(Type.String()),
  run_policy: Type.Enum(RUN_POLICIES),
  deployment: maybe(closed({ commit_url: maybe(Type.String()) })),
  git: maybe(closed({ secret_name: maybe(Type.String()) })),
  created_at: Instant,
})

/** Live state of one agent. */
export const AgentStatusRecord = closed({
  agent: RecordId,
  state: Type.Enum(AGENT_STATES),
  task_id: maybe(RecordId),
  execution_id: maybe(RecordId),
  queued: Type.Integer(),
  consecutive_failures: Type.Integer(),
  rate_limited_until: maybe(Instant),
  /** `none` needed, `configured`, or what is missing. */
  credentials: Type.String(),
})

export const AgentEventRecord = closed({
  agent: RecordId,
  kind: Type.Enum(AGENT_EVENT_KIND_VALUES),
  at: Instant,
  message: maybe(Type.String()),
})

export const AgentsStatus = closed({
  agents: Type.Array(AgentStatusRecord),
  /** Of the last 24 hours, newest first. */
  events: Type.Array(AgentEventRecord),
})

export const ActionResult = closed({ message: Type.String(), task_id: RecordId })
export const AgentActionResult = closed({ message: Type.String(), agent: RecordId })
export const VersionRecord = closed({ version: Type.String(), commit: Type.String(), built_at: Type.String() })
export const ArtifactRecord = closed({ name: Type.String(), size: Type.Integer(), modified_at: Instant })
export const HealthRecord = closed({ status: Type.String() })
export const ErrorRecord = closed({ error: Type.String() })

export type TaskRecord = Static<typeof TaskRecord>
export type ExecutionRecord = Static<typeof ExecutionRecord>
export type ProjectRecord = Static<typeof ProjectRecord>
export type AgentStatusRecord = Static<typeof AgentStatusRecord>
export type AgentEventRecord = Static<typeof AgentEventRecord>
export type AgentsStatus = Static<typeof AgentsStatus>
export type DeploymentStatus = Static<typeof DeploymentStatus>
export type ActionResult = Static<typeof ActionResult>
export type AgentActionResult = Static<typeof AgentActionResult>
export type VersionRecord = Static<typeof VersionRecord>
export type ArtifactRecord = Static<typeof ArtifactRecord>
