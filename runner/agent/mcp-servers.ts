import { join } from 'node:path'
import { readAllowedTools } from '../../core/agent/allowed-tools.ts'
import type { AgentConfig, AgentMcpServer, AgentMcpVariable } from '../../core/execution/agent-config.ts'
import { MCP_VARIABLE_PREFIX } from '../../core/agent/agent-config.ts'
import { writeFileAtomic } from '../../lib/files.ts'
import { shellWord } from '../../core/shell.ts'
import type { StepContext } from '../context.ts'

/**
 * Servers of the Model Context Protocol in a form that every CLI's configuration can express.
 *
 * The CLIs expand different parts of a configuration, and pass on different variables. So a small script in the step's
 * own folder starts each program, and a variable holds each header. No configuration and no argument holds a secret, and
 * a `$` in a value stays a `$`.
 */

/** A server as an adapter writes it into the configuration of its CLI. */
export type McpEntry =
  | {
      readonly kind: 'program'
      readonly name: string
      readonly command: string
      readonly args: readonly string[]
      /** Variables that the CLI has to pass on. */
      readonly variables: readonly string[]
    }
  | {
      readonly kind: 'address'
      readonly name: string
      readonly url: string
      /** Header → variable of the CLI's environment that holds its value. */
      readonly headers: Readonly<Record<string, string>>
    }

export interface McpSetup {
  readonly entries: readonly McpEntry[]
  /** Variables for the CLI beside those that the Agent's Secret defines. */
  readonly env: Readonly<Record<string, string>>
}

/** Writes the scripts that start the servers into the step's folder. A server that is not allowed is left out. */
export async function prepareServers({ tmp, run }: StepContext, { mcpServers }: AgentConfig): Promise<McpSetup> {
  const { allowedTools } = run.agent
  const allowed = allowedTools === undefined ? undefined : readAllowedTools(allowedTools).servers
  const env: Record<string, string> = {}
  const hold = (value: string): string => {
    const name = `${MCP_VARIABLE_PREFIX}HEADER_${Object.keys(env).length}`
    env[name] = value
    return name
  }
  const entries: McpEntry[] = []
  for (const server of mcpServers) {
    if (allowed?.has(server.name) === false) continue
    entries.push(toAddress(server, hold) ?? (await toProgram(server, tmp)))
  }
  return { entries, env }
}

function toAddress({ name, url, headers = [] }: AgentMcpServer, hold: (value: string) => string): McpEntry | undefined {
  if (url === undefined) return undefined
  const named = headers.map((header) => [header.name, header.from ?? hold(header.value ?? '')])
  return { kind: 'address', name, url, headers: Object.fromEntries(named) }
}

async function toProgram(server: AgentMcpServer, tmp: string): Promise<McpEntry> {
  const { name, env = [] } = server
  const launcher = join(tmp, `mcp-${name}.sh`)
  await writeFileAtomic(launcher, launcherOf(server), 0o600)
  return { kind: 'program', name, command: 'bash', args: [launcher], variables: env.flatMap(({ from }) => from ?? []) }
}

/** A server gets the variables that it names, and not those of its neighbours. */
function launcherOf({ command = '', args = [], env = [] }: AgentMcpServer): string {
  return [
    ...env.map(exportOf),
    `unset "\${!${MCP_VARIABLE_PREFIX}@}"`,
    `exec ${[command, ...args].map(shellWord).join(' ')}`,
    '',
  ].join('\n')
}

function exportOf({ name, value = '', from }: AgentMcpVariable): string {
  return `export ${name}=${from === undefined ? shellWord(value) : `"\${${from}-}"`}`
}
