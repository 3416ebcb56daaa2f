/**
 * Resources ↔ REST records: the one place where camelCase meets snake_case (decisions, section 5).
 *
 * Absent values are left out, not null. What depends on other resources (waiting_for, actions, deployment_status) is
 * no part of these functions' records: derived.ts adds it, because it changes while the resource does not.
 */
import type {
  AgentConfiguration,
  Decision,
  Execution,
  ExecutionError,
  PendingQuestion,
  Project,
  ProjectSpec,
  RunPolicy,
  Task,
  TaskSpec,
} from '../crd/types.ts'
import { ANNOTATIONS } from '../names.ts'
import { formatDuration, parseDuration } from '../time.ts'
import { agentWish, LEGACY_AGENT } from '../task/agent-spec.ts'
import { stateOf } from '../task/decide.ts'
import { branchUrls } from './forge.ts'
import type { ExecutionRecord, ProjectRecord, TaskRecord } from './records.ts'
import type { AgentConfigInput, ProjectInput, TaskCreate, TaskInput } from './requests.ts'
import type { RunPolicyWord } from './words.ts'
import { PURPOSE_WORDS, RUN_POLICY_WORDS } from './words.ts'

/** A task's record as far as the resource alone tells it. */
export type StoredTaskRecord = Omit<TaskRecord, 'actions' | 'waiting_for' | 'deployment_status'>

/** @param project the task's project, whose remote URL gives the links where the task names no repository of its own */
export function toTaskRecord(task: Task, project?: Project): StoredTaskRecord {
  const { metadata, status = {} } = task
  const { agent: _, ...input } = toTaskInput(task.spec)
  const agent = shownAgent(task)
  return {
    id: metadata.name,
    ...input,
    ...defined({ agent: Object.keys(agent).length === 0 ? undefined : agent }),
    state: stateOf(task),
    depends_on: input.depends_on ?? [],
    run_policy: input.run_policy ?? 'manual',
    attempts: status.attempts ?? 0,
    ...defined({
      execution_id: status.execution,
      summary: status.summary,
      ...toErrorFields(status.error),
      branch: status.branch,
      ...branchUrls(task.spec.repositoryUrl ?? project?.spec.remoteUrl, status.branch, project?.spec.defaultBranch),
      changes: status.changes,
      cost_usd: status.costUSD,
      ...toQuestionFields(status.question),
      rejection_comment: status.rejectionComment,
      resume_after: status.resumeAfter,
      queued_at: status.queuedAt,
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
      container_image: spec.containerImage,
      agent: agent === undefined ? undefined : toAgentInput(agent),
      depends_on: copy(spec.dependsOn),
      parent_task_id: spec.parentTaskId,
      story_id: spec.storyId,
      priority: spec.priority,
      run_policy: toRunPolicyWord(spec.runPolicy),
      timeout_seconds: spec.timeout === undefined ? undefined : parseDuration(spec.timeout) / 1000,
      max_attempts: spec.maxAttempts,
      budget_usd: spec.budgetUSD,
      suspend: spec.suspend,
    }),
  }
}

/** The spec of the fields that people write; a legacy `claude` in the input becomes `agent`. */
export function toTaskSpec(input: TaskInput & Pick<TaskCreate, 'claude'>): TaskSpec {
  const agent = input.agent ?? (input.claude === undefined ? undefined : { type: LEGACY_AGENT, ...input.claude })
  return {
    title: input.name,
    ...defined({
      description: input.description,
      project: input.project,
      elaborationInput: input.elaboration_input,
      repositoryUrl: input.repository_url,
      containerImage: input.container_image,
      agent: agent === undefined ? undefined : toAgentConfiguration(agent),
      dependsOn: input.depends_on,
      parentTaskId: input.parent_task_id,
      storyId: input.story_id,
      priority: input.priority,
      runPolicy: toRunPolicy(input.run_policy),
      timeout:
        input.timeout_seconds === undefined ? undefined : formatDuration(Math.round(input.timeout_seconds * 1000)),
      maxAttempts: input.max_attempts,
      budgetUSD: input.budget_usd,
      suspend: input.suspend,
    }),
  }
}

export function toExecutionRecord({ metadata, spec, status = {} }: Execution): ExecutionRecord {
  return {
    id: metadata.name,
    agent: spec.agent,
    purpose: PURPOSE_WORDS[spec.purpose],
    state: status.state ?? 'PENDING',
    phases: (status.phases ?? []).map(({ name, startedAt, finishedAt }) => ({
      name,
      ...defined({ started_at: startedAt, finished_at: finishedAt }),
    })),
    fix_commits: [...(status.commits ?? [])],
    auth_retried: status.authRetried ?? false,
    created_at: metadata.creationTimestamp ?? '',
    ...defined({
      task_id: spec.taskRef?.name,
      model: spec.model,
      attempt: spec.attempt,
      pod: status.pod,
      sandbox_dir: status.sandboxDir,
      stdout_path: status.stdoutPath,
      stderr_path: status.stderrPath,
      artifact_dir: status.artifactDir,
      exit_code: status.exitCode,
      session_id: status.sessionId,
      cost_usd: status.costUSD,
      tokens: toTokensRecord(status.tokens),
      turns: status.turns,
      summary: status.summary,
      ...toErrorFields(status.error),
      branch: status.branch,
      changes: status.changes,
      started_at: status.startedAt,
      finished_at: status.finishedAt,
    }),
  }
}

export function toProjectRecord({ metadata, spec }: Project): ProjectRecord {
  const input = toProjectInput(spec)
  return {
    id: metadata.name,
    ...input,
    run_policy: input.run_policy ?? 'manual',
    created_at: metadata.creationTimestamp ?? '',
  }
}

/** The fields of a project that people write; what REST does not show (`git.caBundle`) is kept by the caller. */
export function toProjectInput(spec: ProjectSpec): ProjectInput {
  return {
    name: spec.title,
    remote_url: spec.remoteUrl,
    ...defined({
      local_path: spec.localPath,
      default_branch: spec.defaultBranch,
      container_image: spec.containerImage,
      test_command: spec.testCommand,
      run_policy: toRunPolicyWord(spec.runPolicy),
      deployment: spec.deployment && defined({ commit_url: spec.deployment.commitUrl }),
      git: spec.git && defined({ secret_name: spec.git.secretName }),
    }),
  }
}

/** The inverse of {@link toProjectInput}. @param before keeps what REST does not show */
export function toProjectSpec(input: ProjectInput, before?: ProjectSpec): ProjectSpec {
  const git = defined({ secretName: input.git?.secret_name, caBundle: before?.git?.caBundle })
  return {
    title: input.name,
    remoteUrl: input.remote_url,
    ...defined({
      localPath: input.local_path,
      defaultBranch: input.default_branch,
      containerImage: input.container_image,
      testCommand: input.test_command,
      runPolicy: toRunPolicy(input.run_policy),
      deployment: input.deployment && defined({ commitUrl: input.deployment.commit_url }),
      git: input.git === undefined && git.caBundle === undefined ? undefined : git,
    }),
  }
}

/** Configured instructions and tools with the type and model that count now (decisions, section 4). */
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

function toErrorFields(error: ExecutionError | undefined) {
  return { error: error?.message, error_category: error?.category }
}

function toQuestionFields(question: PendingQuestion | undefined) {
  if (question === undefined) return {}
  const items = question.items.map(({ text, header, options, multiple }) => ({
    text,
    ...defined({ header, options: copy(options), multiple }),
  }))
  return {
    question: items.map(({ text }) => text).join('\n\n'),
    question_items: items,
    question_options: items[0]?.options,
  }
}

function toDecisionRecord({ action, at, by, comment }: Decision) {
  return { action, at, ...defined({ by, comment }) }
}

function toTokensRecord(tokens: NonNullable<Execution['status']>['tokens']): ExecutionRecord['tokens'] {
  if (tokens === undefined) return undefined
  const { input, output, cacheRead, cacheWrite } = tokens
  return defined({ input, output, cache_read: cacheRead, cache_write: cacheWrite })
}

function toRunPolicyWord(policy: RunPolicy | undefined): RunPolicyWord | undefined {
  return policy === undefined ? undefined : RUN_POLICY_WORDS[policy]
}

function toRunPolicy(word: RunPolicyWord | undefined): RunPolicy | undefined {
  return word === undefined ? undefined : word === 'auto' ? 'Auto' : 'Manual'
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
  const known = [editedAt, queuedAt, startedAt, finishedAt, cancelRequestedAt, ...last, ...changed]
  return known.reduce<string>((latest, at) => (at !== undefined && at > latest ? at : latest), createdAt(task))
}

/** A list that the caller may keep: resources are frozen and their lists read-only. */
function copy<T>(list: readonly T[] | undefined): T[] | undefined {
  return list === undefined ? undefined : [...list]
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The same object without the members that are undefined. */
function defined<T extends object>(members: T): Defined<T>
function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
