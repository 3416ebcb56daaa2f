import { asRecord, isJsonObject, parseJson } from '../../core/json.ts'
import { createGeminiTranscript } from '../../core/transcript/gemini.ts'
import { createGeminiSessionUsage } from '../../core/transcript/session-usage.ts'
import { interpretGeminiExit } from '../../core/transcript/gemini-exit.ts'
import { ifPlain, readRegularNoFollow } from '../../lib/files.ts'
import { SESSION_FILES } from '../../core/agent/session-files.ts'
import type { StepContext } from '../context.ts'
import { agentConfigOf, writeInstructions } from '../agent/agent-config.ts'
import { comesWithCredentials, writeHomeFile } from '../agent/home.ts'
import { type McpEntry, type McpSetup, prepareServers } from '../agent/mcp-servers.ts'
import type { Adapter, AgentCommand, Beginning } from '../agent/adapter.ts'
import { commandOf, option } from './command.ts'
import { geminiPermissions } from './gemini-policy.ts'

/** Gemini CLI, headless. Facts about it: docs/agents.md. */
export const geminiAdapter: Adapter = {
  start,
  createTranscript: createGeminiTranscript,
  interpretExit: (exit, facts) => interpretGeminiExit(facts, exit),
  sessions: {
    ...SESSION_FILES.gemini,
    createUsage: createGeminiSessionUsage,
  },
}

const ENVIRONMENT = {
  // Otherwise the launcher starts itself again as a child, and does not pass SIGTERM on.
  GEMINI_CLI_NO_RELAUNCH: 'true',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
}

/** The default of ten attempts would hide a limit for minutes. The operator does the waiting. */
const SETTINGS = {
  general: { maxAttempts: 2, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
}

async function start(context: StepContext, { prompt, sessionId }: Beginning): Promise<AgentCommand> {
  const { run } = context
  const config = agentConfigOf(context)
  await writeInstructions(context, config, '.gemini/GEMINI.md')
  const servers = await prepareServers(context, config)
  await writeSettings(context, servers)
  return {
    ...commandOf(run, 'gemini', [
      ...(await geminiPermissions(context)),
      '--skip-trust',
      '--output-format',
      'stream-json',
      ...option('-m', run.agent.model),
      ...option('--resume', sessionId),
    ]),
    env: { ...ENVIRONMENT, ...servers.env },
    stdin: prompt,
  }
}

const MAX_SETTINGS_BYTES = 1024 * 1024

const SETTINGS_FILE = '.gemini/settings.json'

/** Adds our settings to those that the home has already: a login's, or those of an earlier run. */
async function writeSettings(context: StepContext, servers: McpSetup): Promise<void> {
  const { paths, env } = context
  const before = parseJson(await readIfThere(paths.home, SETTINGS_FILE))
  const kept = isJsonObject(before) ? before : {}
  // The CLI uses a key in its environment only when this setting says so.
  const login = env['GEMINI_API_KEY'] === undefined ? {} : { security: { auth: { selectedType: 'gemini-api-key' } } }
  // Servers of an earlier run go; those of a person's own settings stay.
  const isOwn = comesWithCredentials(context, SETTINGS_FILE)
  const mcpServers = { ...(isOwn ? asRecord(kept['mcpServers']) : {}), ...toSettings(servers) }
  await writeHomeFile(context, SETTINGS_FILE, `${JSON.stringify({ ...kept, ...login, ...SETTINGS, mcpServers })}\n`)
}

/** `trust`: the CLI asks nobody before it uses their tools. `${NAME}` stands for a variable. */
function toSettings({ entries }: McpSetup): Record<string, object> {
  return Object.fromEntries(entries.map((entry) => [entry.name, { ...toServer(entry), trust: true }]))
}

function toServer(entry: McpEntry): object {
  if (entry.kind === 'program') return { command: entry.command, args: entry.args }
  const headers = Object.entries(entry.headers).map(([name, variable]) => [name, `\${${variable}}`])
  return { httpUrl: entry.url, headers: Object.fromEntries(headers) }
}

/** Empty if the file is missing, or if an earlier run left a link, a pipe or the like. */
async function readIfThere(home: string, path: string): Promise<string> {
  return (await ifPlain(readRegularNoFollow(home, path, MAX_SETTINGS_BYTES)))?.toString('utf8') ?? ''
}
