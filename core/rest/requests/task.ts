/**
 * What the REST API accepts. Limits are the CRD's own, read from its schema, so that nothing passes here that the
 * control plane would then refuse.
 */
import { TASK_STATE_VALUES } from '../../crd/enums.ts'
import { crdBranchName, crdInteger, crdList, crdName, crdNumber, crdReference, crdString } from '../crd-limits.ts'
import { closed, maybe } from '../fields.ts'
import { TaskRecord } from '../records/task.ts'
import { RUN_POLICIES } from '../enum-values.ts'
import { NewId, PAGE, Reference, Seconds, editOf, nullable, optional } from './shapes.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

export const AgentConfigInput = closed({
  type: maybe(crdString('Task', 'spec.agent.type')),
  model: maybe(crdString('Task', 'spec.agent.model')),
  instructions: maybe(crdString('Task', 'spec.agent.instructions')),
  allowed_tools: maybe(crdList('Task', 'spec.agent.allowedTools')),
})

const taskName = crdName('Task', 'spec.title')

/** Fields of a task that people write, beside its name. */
const taskOptions = {
  description: crdString('Task', 'spec.description'),
  project: crdReference('Task', 'spec.project'),
  elaboration_input: crdString('Task', 'spec.elaborationInput'),
  repository_url: crdString('Task', 'spec.repositoryUrl'),
  base_branch: crdBranchName('Task', 'spec.baseBranch'),
  container_image: crdString('Task', 'spec.containerImage'),
  agent: AgentConfigInput,
  depends_on: crdList('Task', 'spec.dependsOn'),
  parent_task_id: crdReference('Task', 'spec.parentTaskId'),
  story_id: crdReference('Task', 'spec.storyId'),
  priority: crdInteger('Task', 'spec.priority'),
  run_policy: Type.Enum(RUN_POLICIES),
  timeout_seconds: Seconds,
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
  /** Legacy key for `agent`, named after the first kind of agent; refused beside `agent`. */
  claude: maybe(AgentConfigInput),
})

/** What is validated: meant to be a TaskCreate, but anything may come, for what is wrong with it is the answer. */
export const TaskDraft = Type.Union([TaskCreate, Type.Unknown()])

/** A merge (RFC 7396): null clears; read-only fields pass when they repeat what is there. */
export const TaskEdit = editOf(TaskRecord.properties, {
  name: taskName,
  ...taskOptions,
  agent: closed(nullable(AgentConfigInput.properties)),
})

/** The comment may be empty; `{}` counts as one. */
export const RejectBody = closed({ comment: maybe(crdString('Task', 'status.rejectionComment')) })

const answerText = crdString('Task', 'status.answer')

/** One text, or question → answer. */
export const AnswerBody = closed({ answer: Type.Union([answerText, Type.Record(Type.String(), answerText)]) })

export const TaskListQuery = closed({ state: maybe(Type.Enum(TASK_STATE_VALUES)), ...PAGE })

export const RunQuery = closed({ agent: maybe(Reference) })

/** Which agent looks at the task; left out: chosen by the rules; `none`: no agent does. */
export const ValidateQuery = closed({ agent: maybe(Reference) })

export const TaskStreamQuery = closed({ execution: maybe(Reference) })

export type AgentConfigInput = Static<typeof AgentConfigInput>
export type TaskInput = Static<typeof TaskInput>
export type TaskCreate = Static<typeof TaskCreate>
