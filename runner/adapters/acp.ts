import { acpBeginning, createAcpTranscript } from '../../core/transcript/acp.ts'
import { interpretAcpExit } from '../../core/transcript/acp-exit.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { agentConfigOf } from '../agent/agent-config.ts'
import { type McpEntry, type McpSetup, prepareServers } from '../agent/mcp-servers.ts'
import type { Adapter, AgentCommand, Beginning } from '../agent/adapter.ts'

/** Any program that speaks the Agent Client Protocol on stdio. Facts about some: docs/agents.md. */
export const acpAdapter: Adapter = {
  start,
  interpretExit: (exit, facts) => interpretAcpExit(facts, exit),
  isWatchedByCost: true,
}

/** @throws StepFailed for what no such program can be told */
async function start(context: StepContext, { prompt, sessionId }: Beginning): Promise<AgentCommand> {
  const { run, paths } = context
  const { name, command: [command, ...args] = [], allowedTools, acp = {}, model, sessionCostUSD } = run.agent
  if (command === undefined)
    throw new StepFailed('unavailable', `agent ${name} names no program: set spec.command, such as [opencode, acp]`)
  if (allowedTools !== undefined)
    throw new StepFailed(
      'failed',
      `agent ${name} cannot keep allowed tools: its protocol has no list of them. Leave allowed_tools out, and set spec.acp.permissions or the program's own configuration`,
    )
  const config = agentConfigOf(context)
  const servers = await prepareServers(context, config)
  const transcript = createAcpTranscript({
    // No file of instructions is common to these programs.
    prompt:
      config.instructions === undefined || sessionId !== undefined ? prompt : `${config.instructions}\n\n${prompt}`,
    sessionId,
    cwd: paths.clone,
    mcpServers: servers.entries.map((entry) => toServer(context, servers, entry)),
    model,
    spentUSD: sessionId === undefined ? undefined : sessionCostUSD,
    dialect: acp,
  })
  const { say, cancel } = transcript
  const stdin = `${acpBeginning()}\n`
  // gemini 0.61.0 drops the whole turn from its session when it is cancelled; ended by a signal, it keeps it.
  const voice = acp.secondPrompt === 'Joins' ? { say, interrupt: cancel } : { say }
  return { command, args, env: servers.env, stdin, isDialogue: true, transcript, saysLate: true, ...voice }
}

/** The values of variables go to the program's stdin, whose environment has them as well. */
function toServer({ env }: StepContext, servers: McpSetup, entry: McpEntry): object {
  const valueOf = (variable: string): string => servers.env[variable] ?? env[variable] ?? ''
  if (entry.kind === 'program') {
    const { name, command, args, variables } = entry
    return { name, command, args, env: variables.map((variable) => ({ name: variable, value: valueOf(variable) })) }
  }
  const headers = Object.entries(entry.headers).map(([name, variable]) => ({ name, value: valueOf(variable) }))
  return { type: 'http', name: entry.name, url: entry.url, headers }
}
