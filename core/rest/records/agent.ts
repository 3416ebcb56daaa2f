import { AGENT_EVENT_KIND_VALUES } from '../../crd/enums.ts'
import { Instant, RecordId, closed, maybe } from '../../schema/fields.ts'
import { AGENT_STATES, CREDENTIALS_STATES } from '../../enum-values.ts'
import { type Static, Type } from 'typebox'

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
  /** Those of the last 24 hours, newest first. */
  events: Type.Array(AgentEventRecord),
})

export const AgentActionResult = closed({ message: Type.String(), agent: RecordId })

export type AgentStatusRecord = Static<typeof AgentStatusRecord>
export type AgentEventRecord = Static<typeof AgentEventRecord>
export type AgentsStatus = Static<typeof AgentsStatus>
export type AgentActionResult = Static<typeof AgentActionResult>
