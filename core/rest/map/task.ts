/**
 * Tasks ↔ REST records. This folder is the one place where camelCase meets snake_case (specification §2.2).
 *
 * Absent values are left out, not null. What depends on other resources (waiting_for, goes_on, actions, deployment_status, archived_at) is
 * no part of these functions' records: the API server adds it, because it changes while the resource does not.
 */
import type { AgentConfiguration, Decision, PendingQuestion, Project, Task, TaskSpec } from '../../crd/types.ts'
import { ANNOTATIONS } from '../../names.ts'
import { redactUrls } from '../../redact-urls.ts'
import { LEGACY_AGENT, agentWish } from '../../task/agent-spec.ts'
import { stateOf } from '../../task/decide.ts'
import { baseBranchOf } from '../../task/project.ts'
import { editSpec, isSame } from '../edit.ts'
import { branchUrls } from '../branch-urls.ts'
import type { TaskRecord } from '../records/task.ts'
import type { AgentConfigInput, TaskCreate, TaskInput } from '../requests/task.ts'
import { CHOSEN_BY_WORDS } from '../enum-values.ts'
import { toDeliveryRecord, toFindings, toRebaseRecord } from './delivery.ts'
import {
  copy,
  defined,
  toCost,
  toDuration,
  toErrorFields,
  toQuestionRecord,
  toRunPolicy,
  toRunPolicyWord,
  toSeconds,
  toShownTime,
} from './fields.ts'

/** A task's record as far as the resource alone tells it. */
export type StoredTaskRecord = Omit<
  TaskRecord,
  'actions' | 'goes_on' | 'waiting_for' | 'deployment_status' | 'archived_at'
>

/** @param project the task's project, whose remote URL gives the links where the task names no repository of its own */
export function toTaskRecord(task: Task, project?: Project): StoredTaskRecord {
  const { metadata, status = {} } = task
  const { agent: _, ...input } = toTaskInput(task.spec)
  const agent = shownAgent(task)
  return {
    id: metadata.name,
    ...input,
    ...(input.repository_url === undefined ? {} : { repository_url: redactUrls(input.repository_url) }),
    ...defined({ agent: Object.keys(agent).length === 0 ? undefined : agent }),
    state: stateOf(task),
    depends_on: input.depends_on ?? [],
    run_policy: input.run_policy ?? 'manual',
    attempts: status.attempts ?? 0,
    ...defined({
      chosen_by: status.agent?.chosenBy && CHOSEN_BY_WORDS[status.agent.chosenBy],
      agent_reason: status.agent?.reason,
      execution_id: status.execution,
      summary: status.summary,
      ...toErrorFields(status.error),
      branch: status.branch,
      ...branchUrls(task.spec.repositoryUrl ?? project?.spec.remoteUrl, status.branch, baseBranchOf(task, project)),
      changes: status.changes,
      rebase: toRebaseRecord(status.rebase),
      head: status.head,
      ...toFindings(status),
      delivery: toDeliveryRecord(status.delivery),
      cost_usd: toCost(status.costUSD),
      ...toQuestionFields(status.question),
      rejection_comment: status.rejectionComment,
      resume_after: status.resumeAfter,
      queued_at: toShownTime(status.queuedAt),
      started_at: status.startedAt,
      finished_at: status.finishedAt,
    }),
    decisions: (status.decisions ?? []).map(toDecisionRecord),
    created_at: createdAt(task),
    updated_at: updatedAt(task),
  }
}

/** The fields of a task that people write; the inverse of {@link toTaskSpec}. The legacy agent key reads as `agent`. */
export function toTaskInput(spec: TaskSpec): TaskInput {
  const agent = spec.agent ?? (spec.claude === undefined ? undefined : { type: LEGACY_AGENT, ...spec.claude })
  return {
    name: spec.title,
    ...defined({
      description: spec.description,
      project: spec.project,
      elaboration_input: spec.elaborationInput,
      repository_url: spec.repositoryUrl,
      base_branch: spec.baseBranch,
      container_image: spec.containerImage,
      agent: agent === undefined ? undefined : toAgentInput(agent),
      depends_on: copy(spec.dependsOn),
      parent_task_id: spec.parentTaskId,
      story_id: spec.storyId,
      priority: spec.priority,
      run_policy: toRunPolicyWord(spec.runPolicy),
      timeout_seconds: toSeconds(spec.timeout),
      max_attempts: spec.maxAttempts,
      budget_usd: spec.budgetUSD,
      suspend: spec.suspend,
    }),
  }
}

/**
 * The spec of the fields that people write; a legacy `claude` in the input becomes `agent`. Beside `agent` it stays,
 * and the CRD's rule refuses the two: neither is to be lost without a word.
 */
export function toTaskSpec(input: TaskInput & Pick<TaskCreate, 'claude'>): TaskSpec {
  const agent = input.agent ?? (input.claude === undefined ? undefined : { type: LEGACY_AGENT, ...input.claude })
  return {
    title: input.name,
    ...defined({
      description: input.description,
      project: input.project,
      elaborationInput: input.elaboration_input,
      repositoryUrl: input.repository_url,
      baseBranch: input.base_branch,
      containerImage: input.container_image,
      agent: agent === undefined ? undefined : toAgentConfiguration(agent),
      claude: input.agent === undefined || input.claude === undefined ? undefined : toAgentConfiguration(input.claude),
      dependsOn: input.depends_on,
      parentTaskId: input.parent_task_id,
      storyId: input.story_id,
      priority: input.priority,
      runPolicy: toRunPolicy(input.run_policy),
      timeout: toDuration(input.timeout_seconds),
      maxAttempts: input.max_attempts,
      budgetUSD: input.budget_usd,
      suspend: input.suspend,
    }),
  }
}

/**
 * The stored spec with what an edit changes. Only an edit of the agent itself drops the older key `claude`: a manifest that
 * has it could not be applied again beside `agent`.
 */
export function editTaskSpec(stored: TaskSpec, input: TaskInput): TaskSpec {
  const [before, after] = [toTaskSpec(toTaskInput(stored)), toTaskSpec(input)]
  const edited = editSpec(stored, before, after)
  if (isSame(before.agent, after.agent)) return edited
  const { claude: _, ...spec } = edited
  return spec
}

/** Configured instructions and tools with the type and model that count now (specification §4.19). */
function shownAgent(task: Task): AgentConfigInput {
  const { type: _, model: __, ...rest } = toAgentInput(agentWish(task))
  const { agent: chosen, executions = 0 } = task.status ?? {}
  if (chosen !== undefined) return { ...defined({ type: chosen.type, model: chosen.model }), ...rest }
  return executions === 0 ? toAgentInput(agentWish(task)) : rest
}

function toAgentInput(agent: AgentConfiguration): AgentConfigInput {
  const { type, model, instructions, allowedTools } = agent
  return defined({ type, model, instructions, allowed_tools: copy(allowedTools) })
}

function toAgentConfiguration(agent: AgentConfigInput): AgentConfiguration {
  const { type, model, instructions, allowed_tools: allowedTools } = agent
  return defined({ type, model, instructions, allowedTools })
}

function toQuestionFields(question: PendingQuestion | undefined) {
  if (question === undefined) return {}
  const items = question.items.map(toQuestionRecord)
  return {
    question: items.map(({ text }) => text).join('\n\n'),
    question_items: items,
    question_options: items[0]?.options,
  }
}

function toDecisionRecord({ action, at, by, comment }: Decision) {
  return { action, at: toShownTime(at), ...defined({ by, comment }) }
}

function createdAt(task: Task): string {
  return task.metadata.creationTimestamp ?? ''
}

/** The latest instant that the resource itself records; an edit by kubectl shows with the next change of the state. */
function updatedAt(task: Task): string {
  const { decisions, conditions, queuedAt, startedAt, finishedAt, cancelRequestedAt } = task.status ?? {}
  const last = (decisions ?? []).map(({ at }) => at)
  const changed = (conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime)
  const editedAt = task.metadata.annotations?.[ANNOTATIONS.editedAt]
  const known = [editedAt, queuedAt, startedAt, finishedAt, cancelRequestedAt, ...last, ...changed].map(toShownTime)
  return known.reduce<string>((latest, at) => (at !== undefined && at > latest ? at : latest), createdAt(task))
}
