/**
 * Tasks → REST records. This folder and core/kinds are where camelCase meets snake_case (specification §2.2).
 *
 * Absent values are left out, not null. What depends on other resources (waiting_for, goes_on, actions, deployment_status, archived_at) is
 * no part of these functions' records, nor are messages and the checks of a run that goes on: the API server adds it, because it changes while the resource does not.
 */
import type { Decision, PendingQuestion, Project, Task, TaskSpec } from '../../crd/types.ts'
import { type AgentConfigInput, type TaskInput, type TaskRecord, AGENT_CONFIG, TASK } from '../../kinds/task.ts'
import { ANNOTATIONS } from '../../names.ts'
import { redactUrls } from '../../redact-urls.ts'
import { agentWish } from '../../task/agent-spec.ts'
import { ciOf } from '../../task/ci.ts'
import { stateOf } from '../../task/decide.ts'
import { baseBranchOf } from '../../task/project.ts'
import { isSame } from '../../json.ts'
import { editSpec } from '../edit.ts'
import { branchUrls } from '../branch-urls.ts'
import { CHOSEN_BY_WORDS } from '../../enum-values.ts'
import { toCheckFields, toCheckRecord } from './checks.ts'
import { toCiRecord } from './ci.ts'
import { toDeliveryRecord, toFindings, toRebaseRecord } from './delivery.ts'
import { withoutAbsent } from '../../omit.ts'
import { toCost, toErrorFields, toQuestionRecord, toShownTime } from './fields.ts'

/** A task's record as far as the resource alone tells it. */
export type StoredTaskRecord = Omit<
  TaskRecord,
  'actions' | 'goes_on' | 'waiting_for' | 'message_modes' | 'messages' | 'deployment_status' | 'archived_at'
>

/** @param project the task's project, whose remote URL gives the links where the task names no repository of its own */
export function toTaskRecord(task: Task, project?: Project): StoredTaskRecord {
  const { metadata, status = {} } = task
  const { agent: _, ...input } = TASK.toInput(task.spec)
  const agent = shownAgent(task)
  return {
    id: metadata.name,
    ...input,
    ...(input.repository_url === undefined ? {} : { repository_url: redactUrls(input.repository_url) }),
    ...withoutAbsent({ agent: Object.keys(agent).length === 0 ? undefined : agent }),
    state: stateOf(task),
    depends_on: input.depends_on ?? [],
    run_policy: input.run_policy ?? 'manual',
    attempts: status.attempts ?? 0,
    ...withoutAbsent({
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
      // While it runs, its execution tells.
      checks: stateOf(task) === 'RUNNING' ? undefined : status.checks?.map((check) => toCheckRecord(check)),
      ...toCheckFields(status),
      ci: toCiRecord(ciOf(task)),
      delivery: toDeliveryRecord(status.delivery),
      cost_usd: toCost(status.costUSD),
      ...toQuestionFields(status.question),
      rejection_comment: status.rejectionComment,
      checked_out: status.checkedOut && { ...status.checkedOut },
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

/**
 * The stored spec with what an edit changes. Only an edit of the agent itself drops the older key `claude`: a manifest that
 * has it could not be applied again beside `agent`.
 */
export function editTaskSpec(stored: TaskSpec, input: TaskInput): TaskSpec {
  const [before, after] = [TASK.toSpec(TASK.toInput(stored)), TASK.toSpec(input)]
  const edited = editSpec(stored, before, after)
  if (isSame(before.agent, after.agent)) return edited
  const { claude: _, ...spec } = edited
  return spec
}

/** Configured instructions and tools with the type and model that count now (specification §4.19). */
function shownAgent(task: Task): AgentConfigInput {
  const { type: _, model: __, ...rest } = AGENT_CONFIG.toInput(agentWish(task))
  const { agent: chosen, executions = 0 } = task.status ?? {}
  if (chosen !== undefined) return { ...withoutAbsent({ type: chosen.type, model: chosen.model }), ...rest }
  return executions === 0 ? AGENT_CONFIG.toInput(agentWish(task)) : rest
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
  return { action, at: toShownTime(at), ...withoutAbsent({ by, comment }) }
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
