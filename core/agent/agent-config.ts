import type { AgentSpec, McpServer, McpVariable, ProjectSpec } from '../crd/types.ts'
import type { AgentConfig, AgentMcpServer, AgentMcpVariable } from '../execution/agent-config.ts'
import { withoutAbsent } from '../omit.ts'
import { SCRIPT_AGENT } from '../task/agent-spec.ts'

/** A variable of the agent's container with the value of a key of its Secret. */
export interface SecretVariable {
  readonly name: string
  readonly key: string
}

/** Begins the names of variables that only servers of the Model Context Protocol are to have. */
export const MCP_VARIABLE_PREFIX = 'SLIPWAY_MCP_'

/** What the configuration is made of. */
export interface AgentConfigSources {
  readonly agent: Pick<AgentSpec, 'adapter' | 'instructions' | 'mcpServers'>
  readonly project: Pick<ProjectSpec, 'instructions' | 'mcpServers'> | undefined
  /** Servers can act, so only executions that do a task's work have them; instructions are for all. */
  readonly isWork: boolean
}

/**
 * The configuration, and which keys of the Agent's Secret that takes. Of servers of one name the Project's counts.
 * A script has no use for any of it, and must not fail for want of a Project's key.
 */
export function makeAgentConfig(sources: AgentConfigSources): {
  readonly agentConfig: AgentConfig
  readonly secrets: readonly SecretVariable[]
} {
  if (sources.agent.adapter === SCRIPT_AGENT) return { agentConfig: { schemaVersion: 1, mcpServers: [] }, secrets: [] }
  const servers = serversOf(sources)
  const keys = [...new Set(servers.flatMap(keysOf))]
  const variableOf = (key: string): string => `${MCP_VARIABLE_PREFIX}${keys.indexOf(key)}`
  const agentConfig = {
    schemaVersion: 1,
    ...withoutAbsent({ instructions: joinInstructions(sources) }),
    mcpServers: servers.map((server) => giveServer(server, variableOf)),
  } as const
  return { agentConfig, secrets: keys.map((key) => ({ name: variableOf(key), key })) }
}

function serversOf({ agent, project, isWork }: AgentConfigSources): readonly McpServer[] {
  if (!isWork) return []
  const own = project?.mcpServers ?? []
  const isReplaced = ({ name }: McpServer): boolean => own.some((server) => server.name === name)
  return [...(agent.mcpServers ?? []).filter((server) => !isReplaced(server)), ...own]
}

function keysOf({ env = [], headers = [] }: McpServer): string[] {
  return [...env, ...headers].flatMap(({ key }) => key ?? [])
}

function giveServer({ args, env, headers, ...server }: McpServer, variableOf: (key: string) => string): AgentMcpServer {
  const give = ({ name, value, key }: McpVariable): AgentMcpVariable => ({
    name,
    ...withoutAbsent({ value, from: key === undefined ? undefined : variableOf(key) }),
  })
  return { ...server, ...withoutAbsent({ args: args && [...args], env: env?.map(give), headers: headers?.map(give) }) }
}

/** The Project's come last: they are nearer to the work. */
function joinInstructions({ agent, project }: AgentConfigSources): string | undefined {
  const texts = [agent.instructions, project?.instructions].flatMap((text) => text?.trim() || [])
  return texts.length === 0 ? undefined : `${texts.join('\n\n')}\n`
}
