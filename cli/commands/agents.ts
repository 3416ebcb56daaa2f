import type { AgentStatus } from '../../core/rest/client/client.ts'
import { typedUndrain } from '../../core/typed-commands.ts'
import type { ClientCommand } from '../client-command.ts'
import { formatNext } from '../client/outcome.ts'
import { print, table } from '../client/output.ts'

export const agentsCommand: ClientCommand = {
  kind: 'client',
  name: 'agents',
  summary: 'List agents: what each does, and why one does not',
  examples: ['slipway agents'],
  prints: 'agent_status',
  words: [],
  flags: [],
  async run({ session, terminal, signal, style }) {
    const status = await session.api.getAgentsStatus({}, { signal })
    print(
      terminal,
      session.form,
      status,
      () => `${table(HEADINGS, status.agents.map(toRow), style)}${formatCures(status.agents)}`,
      () => status.agents,
    )
    return 0
  },
}

const HEADINGS = ['AGENT', 'STATE', 'TASK', 'QUEUED', 'FAILURES', 'CREDENTIALS', 'REASON']

function toRow(agent: AgentStatus): string[] {
  return [
    agent.agent,
    agent.state,
    agent.task_id ?? '',
    String(agent.queued),
    String(agent.consecutive_failures),
    agent.credentials,
    agent.reason ?? (agent.rate_limited_until === undefined ? '' : `limited until ${agent.rate_limited_until}`),
  ]
}

/** How those that a person can free are freed; what the others lack stands in their reason. */
function formatCures(agents: readonly AgentStatus[]): string {
  const stopped = agents.filter(({ state }) => state === 'drained' || state === 'rate_limited')
  return formatNext(stopped.map(({ agent }) => typedUndrain(agent)))
}

export const undrainCommand: ClientCommand = {
  kind: 'client',
  name: 'undrain',
  summary: 'Let an agent that failed too often, or is rate limited, take work again',
  examples: ['slipway undrain claude'],
  words: [{ name: 'agent' }],
  flags: [],
  async run({ session, terminal, signal, words }) {
    const agent = words[0] ?? ''
    const result = await session.api.undrainAgent({ params: { agent } }, { signal })
    print(terminal, session.form, result, () => `${agent}: ${result.message}\n`)
    return 0
  },
}
