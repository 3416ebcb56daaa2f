import { join } from 'node:path'
import { createClaudeTranscript } from '../../core/transcript/claude.ts'
import { interpretClaudeExit } from '../../core/transcript/claude-exit.ts'
import { writeFileAtomic } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { agentConfigOf, writeInstructions } from '../agent/agent-config.ts'
import { type McpEntry, type McpSetup, prepareServers } from '../agent/mcp-servers.ts'
import type { Adapter, AgentCommand, Beginning } from '../agent/adapter.ts'
import { commandOf, option } from './command.ts'

/** Claude Code, headless. Facts about it: docs/agents.md. */
export const claudeAdapter: Adapter = {
  start,
  createTranscript: createClaudeTranscript,
  interpretExit: (exit, facts) => interpretClaudeExit(facts, exit),
  // As much as its dearest model so far, so that a budget is rather kept than passed.
  estimate: { inputPerMillion: 15, outputPerMillion: 75, cachedInputPerMillion: 1.5 },
}

/** The tool with which it asks a person. */
const QUESTION_TOOL = 'AskUserQuestion'

const ENVIRONMENT = {
  // Without it the CLI refuses bypassPermissions to uid 0. The step is the sandbox that it asks for.
  IS_SANDBOX: '1',
  // The default of ten would hide a limit or a wrong key for minutes. The operator does the waiting.
  CLAUDE_CODE_MAX_RETRIES: '2',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
}

const INTERRUPT = JSON.stringify({
  type: 'control_request',
  request_id: 'slipway-end',
  request: { subtype: 'interrupt' },
})

/** The prompt goes to stdin, because every process of the machine can read arguments. */
async function start(context: StepContext, { prompt, sessionId }: Beginning): Promise<AgentCommand> {
  const { run } = context
  const { model } = run.agent
  const config = agentConfigOf(context)
  await writeInstructions(context, config, '.claude/CLAUDE.md')
  const servers = await prepareServers(context, config)
  // Nobody answers questions of an execution that has to give an answer itself.
  const mayAsk = run.answerSchema === undefined
  return {
    ...commandOf(run, 'claude', [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--input-format',
      'stream-json',
      '--permission-prompt-tool',
      'stdio',
      '--include-partial-messages',
      ...option('--mcp-config', await writeServers(context, servers)),
      ...permissionsOf(run.agent.allowedTools, mayAsk),
      ...option('--disallowedTools', mayAsk ? undefined : QUESTION_TOOL),
      ...option('--model', model),
      ...option('--max-budget-usd', run.budgetUSD?.toFixed(4)),
      ...option('--resume', sessionId),
    ]),
    env: { ...ENVIRONMENT, ...servers.env },
    stdin: `${JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } })}\n`,
    isDialogue: true,
    interrupt: () => INTERRUPT,
    say: (text, uuid) => JSON.stringify({ type: 'user', uuid, message: { role: 'user', content: text } }),
  }
}

/**
 * With a list, `dontAsk` refuses every tool that is not in it, but still lets the model read files and run commands that
 * the CLI takes for harmless. So `--tools` offers no other tools. Conditions such as `Bash(git *)` and the tools of
 * servers stand in the list alone.
 */
function permissionsOf(allowedTools: readonly string[] | undefined, mayAsk: boolean): readonly string[] {
  if (allowedTools === undefined) return ['--permission-mode', 'bypassPermissions']
  const allowed = [...allowedTools, ...(mayAsk ? [QUESTION_TOOL] : [])]
  const there = allowed
    .filter((name) => !name.startsWith('mcp__'))
    .map((name) => name.replace(/^([^(]*)\(.*\)$/s, '$1'))
  return ['--permission-mode', 'dontAsk', '--allowedTools', allowed.join(','), '--tools', there.join(',')]
}

/** The file that the CLI reads beside its own configuration; in it, `${NAME}` stands for a variable. */
async function writeServers({ tmp }: StepContext, { entries }: McpSetup): Promise<string | undefined> {
  if (entries.length === 0) return undefined
  const file = join(tmp, 'mcp.json')
  await writeFileAtomic(file, JSON.stringify({ mcpServers: Object.fromEntries(entries.map(toEntry)) }), 0o600)
  return file
}

function toEntry(entry: McpEntry): [string, object] {
  if (entry.kind === 'program') return [entry.name, { command: entry.command, args: entry.args }]
  const headers = Object.entries(entry.headers).map(([name, variable]) => [name, `\${${variable}}`])
  return [entry.name, { type: 'http', url: entry.url, headers: Object.fromEntries(headers) }]
}
