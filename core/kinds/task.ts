import { type Static, Type } from 'typebox'
import { TASK_STATE_VALUES } from '../crd/enums.ts'
import type { AgentConfiguration, ObjectMeta, Task, TaskSpec } from '../crd/types.ts'
import { ERROR_CATEGORIES } from '../execution/result.ts'
import { API_VERSION } from '../names.ts'
import {
  crdBranchName,
  crdInteger,
  crdList,
  crdName,
  crdNumber,
  crdReference,
  crdString,
} from '../schema/crd-limits.ts'
import { CHOSEN_BY, MESSAGE_MODES, RUN_POLICIES, RUN_POLICY_WORDS } from '../enum-values.ts'
import { closed, Instant, maybe, RecordId } from '../schema/fields.ts'
import { CHECK_FIELDS, CheckRecord } from '../rest/records/checks.ts'
import { CiRecord } from '../rest/records/ci.ts'
import { DeliveryRecord, FINDINGS, HeadRecord, RebaseRecord } from '../rest/records/delivery.ts'
import { ChangesRecord, DecisionRecord, DeploymentStatus, MessageRecord, QuestionRecord } from '../rest/records/task.ts'
import { editOf, mergeable, NewId, optional, Seconds } from '../rest/requests/shapes.ts'
import { LEGACY_AGENT } from '../task/agent-spec.ts'
import { HUMAN_TRIGGERS } from '../task/transitions.ts'
import { mappingOf, SECONDS, words } from './mapping.ts'
import { shown } from './shown.ts'

export const AgentConfigInput = closed({
  type: maybe(crdString('Task', 'spec.agent.type')),
  model: maybe(crdString('Task', 'spec.agent.model')),
  instructions: maybe(crdString('Task', 'spec.agent.instructions')),
  allowed_tools: maybe(crdList('Task', 'spec.agent.allowedTools')),
})

const name = crdName('Task', 'spec.title')
const options = {
  description: crdString('Task', 'spec.description'),
  project: crdReference('Task', 'spec.project'),
  elaboration_input: crdString('Task', 'spec.elaborationInput'),
  repository_url: crdString('Task', 'spec.repositoryUrl'),
  base_branch: crdBranchName('Task', 'spec.baseBranch'),
  container_image: crdString('Task', 'spec.containerImage'),
  agent: AgentConfigInput,
  depends_on: crdList('Task', 'spec.dependsOn'),
  continues: crdReference('Task', 'spec.continues'),
  parent_task_id: crdReference('Task', 'spec.parentTaskId'),
  story_id: crdReference('Task', 'spec.storyId'),
  priority: crdInteger('Task', 'spec.priority'),
  run_policy: Type.Enum(RUN_POLICIES),
  timeout_seconds: Seconds,
  max_attempts: crdInteger('Task', 'spec.maxAttempts'),
  budget_usd: crdNumber('Task', 'spec.budgetUSD'),
  suspend: Type.Boolean(),
}

/** What people write: also what an edit must leave behind. */
export const TaskInput = closed({ name, ...optional(options) })

export const TaskCreate = closed({
  id: maybe(NewId),
  ...TaskInput.properties,
  /** Legacy key for `agent`, named after the first kind of agent; refused beside `agent`. */
  claude: maybe(AgentConfigInput),
})

export const TaskRecord = closed({
  id: RecordId,
  ...shown(TaskInput.properties),
  /** Who chose the agent, and why, in words; absent until one is chosen. */
  chosen_by: maybe(Type.Enum(CHOSEN_BY)),
  agent_reason: maybe(Type.String()),
  state: Type.Enum(TASK_STATE_VALUES),
  depends_on: Type.Array(RecordId),
  run_policy: Type.Enum(RUN_POLICIES),
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
  /** Of the last round of its last run; while it runs, of the round that it is in. */
  checks: maybe(Type.Array(CheckRecord)),
  ...CHECK_FIELDS,
  /** Of READY work, and of a pull request that was opened; absent while the git host is not asked or names no run. */
  ci: maybe(CiRecord),
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
  /** When the agent can be told something, while it works and can; absent: it cannot. */
  message_modes: maybe(Type.Array(Type.Enum(MESSAGE_MODES))),
  /** What people said to the agent that works; once it has ended, what it was not given and is told at the next start. */
  messages: maybe(Type.Array(MessageRecord)),
  /** Who goes on with the work by hand; until then nothing starts. */
  checked_out: maybe(closed({ by: Type.String(), at: Instant })),
  /** Why the task waits, in words. */
  waiting_for: maybe(Type.String()),
  /** On READY tasks only. */
  deployment_status: maybe(DeploymentStatus),
})

/** A task's wishes about its agent. */
export const AGENT_CONFIG = mappingOf<AgentConfiguration>()(AgentConfigInput, {}, {})

const fields = mappingOf<TaskSpec>()(
  TaskInput,
  {
    name: 'title',
    run_policy: words(RUN_POLICY_WORDS),
    timeout_seconds: { crd: 'timeout', ...SECONDS },
    budget_usd: 'budgetUSD',
  },
  { claude: 'the older key of agent, as which it is shown' },
)

/** What a person wants done. */
export const TASK = {
  one: 'Task',
  many: 'Tasks',
  path: '/api/tasks',
  input: TaskInput,
  create: TaskCreate,
  edit: editOf(TaskRecord.properties, mergeable({ name, ...options })),
  record: TaskRecord,
  /** The legacy agent key reads as `agent`. */
  toInput({ claude, ...spec }: TaskSpec): TaskInput {
    const isOlder = spec.agent === undefined && claude !== undefined
    return fields.toInput(isOlder ? { ...spec, agent: { type: LEGACY_AGENT, ...claude } } : spec)
  },
  /**
   * A legacy `claude` in the input becomes `agent`. Beside `agent` it stays, and the CRD's rule refuses the two: neither is
   * to be lost without a word.
   */
  toSpec({ claude, ...input }: TaskInput & Pick<TaskCreate, 'claude'>): TaskSpec {
    if (claude === undefined) return fields.toSpec(input)
    if (input.agent !== undefined) return { ...fields.toSpec(input), claude: AGENT_CONFIG.toSpec(claude) }
    return fields.toSpec({ ...input, agent: { type: LEGACY_AGENT, ...claude } })
  },
  make: (metadata: ObjectMeta, spec: TaskSpec): Task => ({ apiVersion: API_VERSION, kind: 'Task', metadata, spec }),
} as const

export type AgentConfigInput = Static<typeof AgentConfigInput>
export type TaskInput = Static<typeof TaskInput>
export type TaskCreate = Static<typeof TaskCreate>
export type TaskRecord = Static<typeof TaskRecord>
