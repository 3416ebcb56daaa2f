/**
 * What the REST API answers with, in the contract's names (specification §8.8).
 * Requests have schemas of their own (../requests/): what may be sent is not what comes back.
 */
import { TASK_STATE_VALUES } from '../../crd/enums.ts'
import { ERROR_CATEGORIES } from '../../execution/result.ts'
import { HUMAN_TRIGGERS } from '../../task/transitions.ts'
import { Instant, RecordId, closed, maybe } from '../fields.ts'
import { CHOSEN_BY, RUN_POLICIES } from '../enum-values.ts'
import { DeliveryRecord, FINDINGS, HeadRecord, RebaseRecord } from './delivery.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

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

/** Whether the running build contains a task's work (specification §8.16). */
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
  base_branch: maybe(Type.String()),
  container_image: maybe(Type.String()),
  agent: maybe(AgentConfigRecord),
  /** Who chose the agent, and why, in words; absent until one is chosen. */
  chosen_by: maybe(Type.Enum(CHOSEN_BY)),
  agent_reason: maybe(Type.String()),
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
  rebase: maybe(RebaseRecord),
  head: maybe(HeadRecord),
  ...FINDINGS,
  delivery: maybe(DeliveryRecord),
  cost_usd: maybe(Type.Number()),
  question: maybe(Type.String()),
  question_items: maybe(Type.Array(QuestionRecord)),
  question_options: maybe(Type.Array(Type.String())),
  rejection_comment: maybe(Type.String()),
  decisions: Type.Array(DecisionRecord),
  resume_after: maybe(Instant),
  /** Present while the task rests and goes on without a person: at a time, or when its last subtask is done. */
  goes_on: maybe(closed({ at: maybe(Instant) })),
  created_at: Instant,
  updated_at: Instant,
  queued_at: maybe(Instant),
  started_at: maybe(Instant),
  finished_at: maybe(Instant),
  /** On archived tasks only. */
  archived_at: maybe(Instant),
  /** The decisions that this caller may take now. */
  actions: Type.Array(Type.Enum(HUMAN_TRIGGERS)),
  /** Why the task waits, in words. */
  waiting_for: maybe(Type.String()),
  /** On READY tasks only. */
  deployment_status: maybe(DeploymentStatus),
})

/** What stands against creating and running a task, and what would help. */
export const ValidationRecord = closed({
  /** Whether there are no errors. */
  valid: Type.Boolean(),
  /** `field` is "" where the whole is meant. */
  errors: Type.Array(closed({ field: Type.String(), message: Type.String() })),
  /** What will probably not go as it is meant. */
  warnings: Type.Array(Type.String()),
  /** What the task leaves open. */
  questions: Type.Array(Type.String()),
  suggestions: Type.Array(Type.String()),
})

export const ActionResult = closed({ message: Type.String(), task_id: RecordId })

export type TaskRecord = Static<typeof TaskRecord>
export type DeploymentStatus = Static<typeof DeploymentStatus>
export type ActionResult = Static<typeof ActionResult>
export type ValidationRecord = Static<typeof ValidationRecord>
