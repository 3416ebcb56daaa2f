/**
 * What the REST API accepts. Limits are the CRD's own, read from its schema, so that nothing passes here that the
 * control plane would then refuse.
 */
import type { Static, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { MAX_NAME_LENGTH } from '../names.ts'
import { crdInteger, crdList, crdNumber, crdString } from './crd-limits.ts'
import type { JsonObject } from './edit.ts'
import { closed, maybe } from './fields.ts'
import { ProjectRecord, TaskRecord } from './records.ts'
import { TASK_STATE_VALUES } from '../crd/enums.ts'
import { RUN_POLICIES } from './words.ts'

/** An id that a create may ask for: a DNS-1123 label that leaves room for derived names. */
export const NewId = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
})

export const AgentConfigInput = closed({
  type: maybe(crdString('Task', 'spec.agent.type')),
  model: maybe(crdString('Task', 'spec.agent.model')),
  instructions: maybe(crdString('Task', 'spec.agent.instructions')),
  allowed_tools: maybe(crdList('Task', 'spec.agent.allowedTools')),
})

const taskName = crdString('Task', 'spec.title')

/** Fields of a task that people write, beside its name. */
const taskOptions = {
  description: crdString('Task', 'spec.description'),
  project: crdString('Task', 'spec.project'),
  elaboration_input: crdString('Task', 'spec.elaborationInput'),
  repository_url: crdString('Task', 'spec.repositoryUrl'),
  container_image: crdString('Task', 'spec.containerImage'),
  agent: AgentConfigInput,
  depends_on: crdList('Task', 'spec.dependsOn'),
  parent_task_id: crdString('Task', 'spec.parentTaskId'),
  story_id: crdString('Task', 'spec.storyId'),
  priority: crdInteger('Task', 'spec.priority'),
  run_policy: Type.Enum(RUN_POLICIES),
  timeout_seconds: Type.Number({ minimum: 0.001, maximum: 31_536_000 }),
  max_attempts: crdInteger('Task', 'spec.maxAttempts'),
  budget_usd: crdNumber('Task', 'spec.budgetUSD'),
  suspend: Type.Boolean(),
}

/** What a task is made of: also what an edit must leave behind. */
export const TaskInput = closed({ name: taskName, ...optional(taskOptions) })

export const TaskCreate = closed({
  id: maybe(NewId),
  name: taskName,
  ...optional(taskOptions),
  /** Legacy key for `agent`, named after the first kind of agent; counts only where `agent` is absent. */
  claude: maybe(AgentConfigInput),
})

/** A merge (RFC 7396): null clears; read-only fields pass when they repeat what is there. */
export const TaskEdit = editOf(TaskRecord.properties, {
  name: taskName,
  ...taskOptions,
  agent: closed(nullable(AgentConfigInput.properties)),
})

const projectName = crdString('Project', 'spec.title')
const projectUrl = crdString('Project', 'spec.remoteUrl')

const projectOptions = {
  local_path: crdString('Project', 'spec.localPath'),
  default_branch: crdString('Project', 'spec.defaultBranch'),
  container_image: crdString('Project', 'spec.containerImage'),
  test_command: crdString('Project', 'spec.testCommand'),
  run_policy: Type.Enum(RUN_POLICIES),
  deployment: closed({ commit_url: maybe(crdString('Project', 'spec.deployment.commitUrl')) }),
  git: closed({ secret_name: maybe(crdString('Project', 'spec.git.secretName')) }),
}

export const ProjectInput = closed({ name: projectName, remote_url: projectUrl, ...optional(projectOptions) })
export const ProjectCreate = closed({ id: maybe(NewId), ...ProjectInput.properties })
export const ProjectEdit = editOf(ProjectRecord.properties, {
  name: projectName,
  remote_url: projectUrl,
  ...projectOptions,
  deployment: closed(nullable(projectOptions.deployment.properties)),
  git: closed(nullable(projectOptions.git.properties)),
})

/** The comment may be empty; `{}` counts as one. */
export const RejectBody = closed({ comment: maybe(crdString('Task', 'status.rejectionComment')) })

const answerText = crdString('Task', 'status.answer')
/** One text, or question → answer. */
export const AnswerBody = closed({ answer: Type.Union([answerText, Type.Record(Type.String(), answerText)]) })

export const TaskListQuery = closed({
  state: maybe(Type.Enum(TASK_STATE_VALUES)),
  limit: maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
  cursor: maybe(Type.String()),
})
export const ExecutionListQuery = closed({
  /** RFC 3339, or a duration back from now such as 24h. */
  since: maybe(Type.String()),
  limit: maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
  task_id: maybe(Type.String()),
})
export const RunQuery = closed({ agent: maybe(Type.String()) })
export const LogStreamQuery = closed({ execution: maybe(Type.String()) })
export const LiveQuery = closed({ types: maybe(Type.String()), since: maybe(Type.String()) })

export type AgentConfigInput = Static<typeof AgentConfigInput>
export type TaskInput = Static<typeof TaskInput>
export type TaskCreate = Static<typeof TaskCreate>
export type ProjectInput = Static<typeof ProjectInput>
export type ProjectCreate = Static<typeof ProjectCreate>

/** The properties of a partial object. */
function optional<P extends TProperties>(properties: P) {
  return Type.Partial(Type.Object(properties)).properties
}

/**
 * The schema of a PUT on `record`: a writable field may be null, which clears it; a read-only one may be anything,
 * because it is refused or ignored by comparison with what is there (edit.ts).
 */
function editOf(record: TProperties, writable: TProperties) {
  const readOnly = Object.keys(record).map((name): [string, TSchema] => [name, maybe(Type.Unknown())])
  return Type.Unsafe<JsonObject>(closed({ ...Object.fromEntries(readOnly), ...nullable(writable) }))
}

function nullable(properties: TProperties): TProperties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, maybe(Type.Union([schema, Type.Null()]))]),
  )
}
