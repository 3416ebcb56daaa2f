import { type Static, Type } from 'typebox'
import { AGENT_ADAPTER_VALUES, AGENT_DECISION_ACTION_VALUES } from '../crd/enums.ts'
import type { Agent, AgentSpec, ObjectMeta } from '../crd/types.ts'
import { API_VERSION } from '../names.ts'
import { crdInteger, crdList, crdListOf, crdMapOf, crdString, crdStrings } from '../schema/crd-limits.ts'
import {
  ACP_PERMISSIONS,
  ACP_PERMISSIONS_WORDS,
  ACP_SECOND_PROMPTS,
  ACP_SECOND_PROMPT_WORDS,
  DROPS_ACCESS,
  DROPS_ACCESS_WORDS,
} from '../enum-values.ts'
import { closed, Instant, maybe, RecordId } from '../schema/fields.ts'
import { AgentStatusRecord } from '../rest/records/agent.ts'
import { gitIdentity } from '../rest/requests/git-identity.ts'
import { mcpServers } from '../rest/requests/mcp-servers.ts'
import { resourceAmounts } from '../rest/requests/resource-amounts.ts'
import { editOf, mergeable, NewId, optional, Seconds } from '../rest/requests/shapes.ts'
import { mappingOf, SECONDS, words } from './mapping.ts'
import { shown } from './shown.ts'

const file = closed({
  key: maybe(crdString('Agent', 'spec.credentials.files[].key')),
  path: crdString('Agent', 'spec.credentials.files[].path'),
  host_path: maybe(crdString('Agent', 'spec.credentials.files[].hostPath')),
})

const variable = closed({
  name: crdString('Agent', 'spec.credentials.env[].name'),
  key: crdString('Agent', 'spec.credentials.env[].key'),
})

/** Where the credentials are; the credentials themselves are in no record. */
const credentials = closed({
  secret_name: maybe(crdString('Agent', 'spec.credentials.secretName')),
  files: maybe(crdListOf('Agent', 'spec.credentials.files', file)),
  env: maybe(crdListOf('Agent', 'spec.credentials.env', variable)),
  write_back: maybe(Type.Boolean()),
})

const label = Type.String({ maxLength: 63 })

const toleration = closed({
  key: maybe(Type.String()),
  operator: maybe(Type.Enum(['Equal', 'Exists'])),
  value: maybe(Type.String()),
  effect: maybe(Type.Enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])),
  toleration_seconds: maybe(Type.Integer()),
})

/** As in a pod, save for the names: `affinity` alone is passed on as Kubernetes writes it. */
const podTemplate = closed({
  labels: maybe(crdMapOf('Agent', 'spec.podTemplate.labels', label)),
  annotations: maybe(crdMapOf('Agent', 'spec.podTemplate.annotations', Type.String({ maxLength: 4096 }))),
  resources: maybe(resourceAmounts('Agent', 'spec.podTemplate.resources')),
  node_selector: maybe(crdMapOf('Agent', 'spec.podTemplate.nodeSelector', label)),
  tolerations: maybe(crdListOf('Agent', 'spec.podTemplate.tolerations', toleration)),
  affinity: maybe(Type.Record(Type.String(), Type.Unknown())),
  runtime_class_name: maybe(crdString('Agent', 'spec.podTemplate.runtimeClassName')),
  priority_class_name: maybe(crdString('Agent', 'spec.podTemplate.priorityClassName')),
  image_pull_secrets: maybe(
    crdListOf(
      'Agent',
      'spec.podTemplate.imagePullSecrets',
      closed({ name: crdString('Agent', 'spec.podTemplate.imagePullSecrets[].name') }),
    ),
  ),
})

/** US dollars for a million tokens. */
const Price = Type.Number({ minimum: 0, maximum: 1_000_000 })

const needed = { adapter: Type.Enum(AGENT_ADAPTER_VALUES) }

const options = {
  image: crdString('Agent', 'spec.image'),
  command: crdStrings('Agent', 'spec.command'),
  models: crdList('Agent', 'spec.models'),
  default_model: crdString('Agent', 'spec.defaultModel'),
  max_concurrent: crdInteger('Agent', 'spec.maxConcurrent'),
  max_awaiting_review: crdInteger('Agent', 'spec.maxAwaitingReview'),
  timeout_seconds: Seconds,
  allowed_tools: crdList('Agent', 'spec.allowedTools'),
  auto_resume: Type.Boolean(),
  acp: closed({
    permissions: maybe(Type.Enum(ACP_PERMISSIONS)),
    mode: maybe(crdString('Agent', 'spec.acp.mode')),
    second_prompt: maybe(Type.Enum(ACP_SECOND_PROMPTS)),
    auth: maybe(crdList('Agent', 'spec.acp.auth')),
    limit: maybe(crdList('Agent', 'spec.acp.limit')),
    busy: maybe(crdList('Agent', 'spec.acp.busy')),
    lost_session: maybe(crdList('Agent', 'spec.acp.lostSession')),
    failure: maybe(crdList('Agent', 'spec.acp.failure')),
  }),
  prices: closed({
    input_per_million: Price,
    output_per_million: Price,
    cached_input_per_million: maybe(Price),
  }),
  drops_access: Type.Enum(DROPS_ACCESS),
  instructions: crdString('Agent', 'spec.instructions'),
  mcp_servers: mcpServers('Agent'),
  prompts: closed({
    task: maybe(crdString('Agent', 'spec.prompts.task')),
    resume: maybe(crdString('Agent', 'spec.prompts.resume')),
    checks: maybe(crdString('Agent', 'spec.prompts.checks')),
    elaborate: maybe(crdString('Agent', 'spec.prompts.elaborate')),
    plan: maybe(crdString('Agent', 'spec.prompts.plan')),
    validate: maybe(crdString('Agent', 'spec.prompts.validate')),
    evaluate: maybe(crdString('Agent', 'spec.prompts.evaluate')),
    classify: maybe(crdString('Agent', 'spec.prompts.classify')),
  }),
  classifier: closed({
    enabled: maybe(Type.Boolean()),
    hint: maybe(crdString('Agent', 'spec.classifier.hint')),
    /** Asked which agent suits a task that the rules would have to choose one for. */
    judges: maybe(Type.Boolean()),
    judge_model: maybe(crdString('Agent', 'spec.classifier.judgeModel')),
  }),
  credentials,
  git: closed({ identity: maybe(gitIdentity('Agent')) }),
  pod_template: podTemplate,
}

/** What people write; the name is the id. */
export const AgentInput = closed({ ...needed, ...optional(options) })

/** Every other kind is created by its `name`, so an agent may be too; `id` and `name` are one. */
export const AgentCreate = closed({ id: maybe(NewId), name: maybe(NewId), ...AgentInput.properties })

export const AgentRecord = closed({
  id: RecordId,
  /** The id: it is what tasks name, and an Agent has no other title. */
  name: RecordId,
  ...shown(AgentInput.properties),
  max_concurrent: Type.Integer(),
  drops_access: Type.Enum(DROPS_ACCESS),
  status: AgentStatusRecord,
  /** What people decided about it, oldest first; the last 50. */
  decisions: Type.Array(
    closed({ action: Type.Enum(AGENT_DECISION_ACTION_VALUES), by: maybe(Type.String()), at: Instant }),
  ),
  created_at: Instant,
})

const { toInput, toSpec } = mappingOf<AgentSpec>()(
  AgentInput,
  {
    timeout_seconds: { crd: 'timeout', ...SECONDS },
    drops_access: words(DROPS_ACCESS_WORDS),
    acp: { permissions: words(ACP_PERMISSIONS_WORDS), second_prompt: words(ACP_SECOND_PROMPT_WORDS) },
  },
  { allowedImages: 'whoever writes manifests sets it' },
)

/** The pool. */
export const AGENT = {
  id: 'agent',
  one: 'Agent',
  many: 'Agents',
  path: '/api/agents',
  input: AgentInput,
  create: AgentCreate,
  /** A merge (RFC 7396): null clears; read-only fields pass when they repeat what is there. */
  edit: editOf(AgentRecord.properties, mergeable({ ...needed, ...options })),
  record: AgentRecord,
  toInput,
  toSpec,
  make: (metadata: ObjectMeta, spec: AgentSpec): Agent => ({ apiVersion: API_VERSION, kind: 'Agent', metadata, spec }),
  /** @param now what the agent does, which the resource does not tell */
  toRecord({ metadata, spec, status = {} }: Agent, now: AgentStatusRecord): AgentRecord {
    const input = toInput(spec)
    return {
      id: metadata.name,
      name: metadata.name,
      ...input,
      max_concurrent: input.max_concurrent ?? 1,
      drops_access: input.drops_access ?? 'read_write',
      status: now,
      decisions: (status.decisions ?? []).map((decision) => ({ ...decision })),
      created_at: metadata.creationTimestamp ?? '',
    }
  },
} as const

export type AgentInput = Static<typeof AgentInput>
export type AgentCreate = Static<typeof AgentCreate>
export type AgentRecord = Static<typeof AgentRecord>
