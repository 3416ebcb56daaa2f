import type { Stats } from '../../core/rest/client/client.ts'
import { STATS_WINDOWS } from '../../core/rest/enum-values.ts'
import type { ClientCommand } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import type { Style } from '../client/style.ts'
import { UsageError } from '../command.ts'

type Window = (typeof STATS_WINDOWS)[number]

export const costsCommand: ClientCommand = {
  kind: 'client',
  name: 'costs',
  summary: 'Show what agents cost, by project and agent',
  prints: 'stats',
  details:
    'Costs are in US dollars, as the agents report them or as the prices of the Agent give them. Days are those of UTC.',
  examples: ['slipway costs --since 7d'],
  words: [],
  flags: [{ name: 'since', kind: 'text', value: 'window', description: `${STATS_WINDOWS.join(', ')}; default 30d` }],
  async run({ session, terminal, signal, style, values }) {
    const window = readWindow(values.get('since') ?? '30d')
    const stats = await session.api.getStats({ query: { window } }, { signal })
    print(terminal, session.form, stats, () => listing(stats, style))
    return 0
  },
}

function readWindow(text: string): Window {
  const window = STATS_WINDOWS.find((known) => known === text)
  if (window !== undefined) return window
  throw new UsageError(`--since must be one of ${STATS_WINDOWS.join(', ')}, not ${JSON.stringify(text)}`)
}

function listing({ window, by_project, by_agent, billing }: Stats, style: Style): string {
  const runs = by_agent.reduce((sum, share) => sum + share.runs, 0)
  if (runs === 0) return `Nothing has run in the last ${window}.\n`
  const total = by_agent.reduce((sum, share) => sum + share.cost_usd, 0)
  const head = `${dollars(total)} for ${runs} ${runs === 1 ? 'run' : 'runs'} in the last ${window}; ${dollars(billing.total_7d_usd)} in 7 days\n`
  return [head, shares('PROJECT', by_project, style), shares('AGENT', by_agent, style)].join('\n')
}

function shares(heading: string, rows: Stats['by_agent'], style: Style): string {
  const cells = rows.map(({ id, others, cost_usd, runs, completed, failed, cost_per_run_usd }) => [
    id ?? (others === undefined ? '(none)' : `(${others} others)`),
    dollars(cost_usd),
    String(runs),
    String(completed),
    String(failed),
    dollars(cost_per_run_usd),
  ])
  return table([heading, 'COST', 'RUNS', 'COMPLETED', 'FAILED', 'COST PER RUN'], cells, style)
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`
}
