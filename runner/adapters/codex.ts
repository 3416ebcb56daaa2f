import { createCodexTranscript } from '../../core/transcript/codex.ts'
import { createCodexSessionUsage } from '../../core/transcript/session-usage.ts'
import { findFailedCodexServers, interpretCodexExit } from '../../core/transcript/codex-exit.ts'
import { SESSION_FILES } from '../../core/agent/session-files.ts'
import type { StepContext } from '../context.ts'
import { agentConfigOf, writeInstructions } from '../agent/agent-config.ts'
import { writeHomeFile } from '../agent/home.ts'
import { prepareServers } from '../agent/mcp-servers.ts'
import type { Adapter, AgentCommand, Beginning } from '../agent/adapter.ts'
import { type CodexServer, limitServers, codexPermissions, settingsOf } from './codex-permissions.ts'
import { commandOf, option } from './command.ts'

/** Codex CLI, headless. Facts about it: docs/agents.md. */
export const codexAdapter: Adapter = {
  start,
  createTranscript: createCodexTranscript,
  interpretExit: (exit, facts) => interpretCodexExit(facts, exit),
  findFailedServers: findFailedCodexServers,
  sessions: {
    ...SESSION_FILES.codex,
    createUsage: createCodexSessionUsage,
  },
}

/** The prompt goes to stdin (`-`), because every process of the machine can read arguments. */
async function start(context: StepContext, { prompt, sessionId }: Beginning): Promise<AgentCommand> {
  const { run } = context
  const config = agentConfigOf(context)
  await writeInstructions(context, config, '.codex/AGENTS.md')
  const servers = await prepareServers(context, config)
  const profile = await writeProfile(context, limitServers(run.agent.allowedTools, servers.entries))
  const permissions = [...(await codexPermissions(context)), ...settingsOf(commandsZone(context))]
  const options = ['--json', ...permissions, ...option('-m', run.agent.model)]
  const how = sessionId === undefined ? options : ['resume', ...options, sessionId]
  return {
    ...commandOf(run, 'codex', ['exec', ...option('-p', profile), ...how, '-']),
    env: { ...ENVIRONMENT, ...servers.env },
    stdin: prompt,
  }
}

/** It prints the end of a limit in words and in its own time zone (core/transcript/codex-exit.ts). */
const ENVIRONMENT = { TZ: 'UTC' }

/** The commands that it runs still see the time zone of their container. */
function commandsZone({ env }: StepContext): Readonly<Record<string, string>> {
  return { 'shell_environment_policy.set.TZ': env['TZ'] ?? new Intl.DateTimeFormat().resolvedOptions().timeZone }
}

const PROFILE = 'slipway'

/** A profile is a file of its own: the CLI's configuration may be a person's, and stays as it is. */
async function writeProfile(context: StepContext, entries: readonly CodexServer[]): Promise<string | undefined> {
  if (entries.length === 0) return undefined
  await writeHomeFile(context, `.codex/${PROFILE}.config.toml`, entries.map(toTable).join('\n'))
  return PROFILE
}

/** A string and a list of strings are the same in TOML and JSON. */
function toTable(entry: CodexServer): string {
  const fields =
    entry.kind === 'program'
      ? { command: entry.command, args: entry.args, env_vars: entry.variables }
      : { url: entry.url }
  const some = entry.tools === undefined ? {} : { enabled_tools: entry.tools }
  const lines = Object.entries({ ...fields, ...some }).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  const headers = entry.kind === 'program' ? [] : [`env_http_headers = { ${toPairs(entry.headers)} }`]
  return [`[mcp_servers.${JSON.stringify(entry.name)}]`, ...lines, ...headers, ''].join('\n')
}

function toPairs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`)
    .join(', ')
}
