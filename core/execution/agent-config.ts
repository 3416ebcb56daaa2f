import { type Static, Type } from 'typebox'
import { RESOURCE_NAME_PATTERN } from './patterns.ts'

/** A value, or the variable of the agent's container that holds it. */
const AgentMcpVariable = Type.Object({
  name: Type.String(),
  value: Type.Optional(Type.String()),
  from: Type.Optional(Type.String()),
})

/** A server of the Model Context Protocol; it has either `command` or `url` (the CRD's rule). */
const AgentMcpServer = Type.Object({
  name: Type.String({ pattern: RESOURCE_NAME_PATTERN }),
  command: Type.Optional(Type.String()),
  args: Type.Optional(Type.Array(Type.String())),
  env: Type.Optional(Type.Array(AgentMcpVariable)),
  url: Type.Optional(Type.String()),
  headers: Type.Optional(Type.Array(AgentMcpVariable)),
})

/**
 * The configuration of an agent's CLI. It holds no secret: secrets are variables of the agent's container, taken from the
 * Agent's Secret.
 */
export const AgentConfig = Type.Object({
  schemaVersion: Type.Literal(1),
  /** Markdown that the CLI reads as the instructions of its user. */
  instructions: Type.Optional(Type.String()),
  mcpServers: Type.Array(AgentMcpServer),
})

export type AgentConfig = Static<typeof AgentConfig>
export type AgentMcpServer = Static<typeof AgentMcpServer>
export type AgentMcpVariable = Static<typeof AgentMcpVariable>
