import { AGENT_ADAPTER_VALUES, AGENT_DECISION_ACTION_VALUES, AGENT_EVENT_KIND_VALUES } from '../../crd/enums.ts'
import { Instant, RecordId, closed, maybe } from '../fields.ts'
import { AGENT_STATES, CREDENTIALS_STATES, DROPS_ACCESS } from '../enum-values.ts'
import { GitIdentity } from './git-identity.ts'
import { McpServerRecord } from './mcp-server.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

/** Live state of one agent. */
export const AgentStatusRecord = closed({
  agent: RecordId,
  state: Type.Enum(AGENT_STATES),
  /** Why it takes no work, in words; absent while it does. */
  reason: maybe(Type.String()),
  /** Since when it has been drained or limited; absent in other states. */
  since: maybe(Instant),
  task_id: maybe(RecordId),
  execution_id: maybe(RecordId),
  queued: Type.Integer(),
  consecutive_failures: Type.Integer(),
  rate_limited_until: maybe(Instant),
  credentials: Type.Enum(CREDENTIALS_STATES),
})

export const AgentEventRecord = closed({
  agent: RecordId,
  kind: Type.Enum(AGENT_EVENT_KIND_VALUES),
  at: Instant,
  message: Type.String(),
})

export const AgentsStatus = closed({
  agents: Type.Array(AgentStatusRecord),
  /** Of the last 24 hours, newest first. */
  events: Type.Array(AgentEventRecord),
})

const Names = Type.Record(Type.String(), Type.String())
/** Kubernetes quantities: `500m`, `2Gi`, `2`. */
const Quantities = Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]))

export const TolerationRecord = closed({
  key: maybe(Type.String()),
  operator: maybe(Type.Enum(['Equal', 'Exists'])),
  value: maybe(Type.String()),
  effect: maybe(Type.Enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])),
  toleration_seconds: maybe(Type.Integer()),
})

/** As in a pod, save for the names: `affinity` alone is passed on as Kubernetes writes it. */
export const PodTemplateRecord = closed({
  labels: maybe(Names),
  annotations: maybe(Names),
  resources: maybe(closed({ requests: maybe(Quantities), limits: maybe(Quantities) })),
  node_selector: maybe(Names),
  tolerations: maybe(Type.Array(TolerationRecord)),
  affinity: maybe(Type.Record(Type.String(), Type.Unknown())),
  runtime_class_name: maybe(Type.String()),
  priority_class_name: maybe(Type.String()),
  image_pull_secrets: maybe(Type.Array(closed({ name: Type.String() }))),
})

/** Where the credentials are; the credentials themselves are in no record. */
export const CredentialsRecord = closed({
  secret_name: maybe(Type.String()),
  files: maybe(Type.Array(closed({ key: maybe(Type.String()), path: Type.String(), host_path: maybe(Type.String()) }))),
  env: maybe(Type.Array(closed({ name: Type.String(), key: Type.String() }))),
  write_back: maybe(Type.Boolean()),
})

const PROMPTS = {
  task: maybe(Type.String()),
  resume: maybe(Type.String()),
  elaborate: maybe(Type.String()),
  plan: maybe(Type.String()),
  validate: maybe(Type.String()),
  evaluate: maybe(Type.String()),
  classify: maybe(Type.String()),
}

export const AgentRecord = closed({
  id: RecordId,
  /** The id: it is what tasks name, and an Agent has no other title. */
  name: RecordId,
  adapter: Type.Enum(AGENT_ADAPTER_VALUES),
  image: maybe(Type.String()),
  command: maybe(Type.Array(Type.String())),
  models: maybe(Type.Array(Type.String())),
  default_model: maybe(Type.String()),
  max_concurrent: Type.Integer(),
  timeout_seconds: maybe(Type.Number()),
  allowed_tools: maybe(Type.Array(Type.String())),
  auto_resume: maybe(Type.Boolean()),
  /** US dollars for a million tokens. */
  prices: maybe(
    closed({
      input_per_million: Type.Number(),
      output_per_million: Type.Number(),
      cached_input_per_million: maybe(Type.Number()),
    }),
  ),
  drops_access: Type.Enum(DROPS_ACCESS),
  instructions: maybe(Type.String()),
  mcp_servers: maybe(Type.Array(McpServerRecord)),
  prompts: maybe(closed(PROMPTS)),
  classifier: maybe(
    closed({
      enabled: maybe(Type.Boolean()),
      hint: maybe(Type.String()),
      /** Asked which agent suits a task that the rules would have to choose one for. */
      judges: maybe(Type.Boolean()),
      judge_model: maybe(Type.String()),
    }),
  ),
  credentials: maybe(CredentialsRecord),
  git: maybe(closed({ identity: maybe(GitIdentity) })),
  pod_template: maybe(PodTemplateRecord),
  status: AgentStatusRecord,
  /** What people decided about it, oldest first; the last 50. */
  decisions: Type.Array(
    closed({ action: Type.Enum(AGENT_DECISION_ACTION_VALUES), by: maybe(Type.String()), at: Instant }),
  ),
  created_at: Instant,
})

export const AgentActionResult = closed({ message: Type.String(), agent: RecordId })

export type AgentStatusRecord = Static<typeof AgentStatusRecord>
export type AgentEventRecord = Static<typeof AgentEventRecord>
export type AgentsStatus = Static<typeof AgentsStatus>
export type PodTemplateRecord = Static<typeof PodTemplateRecord>
export type CredentialsRecord = Static<typeof CredentialsRecord>
export type AgentRecord = Static<typeof AgentRecord>
export type AgentActionResult = Static<typeof AgentActionResult>
