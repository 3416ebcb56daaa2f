import { countOf, formatUSD } from '../../core/sentences/amounts.ts'
import type { Stats } from '../../core/rest/client/client.ts'
import { roundUSD } from '../../core/money.ts'
import { STATS_WINDOWS } from '../../core/enum-values.ts'
import { toTimestamp } from '../../core/time.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import type { Style } from '../client/style.ts'
import { UsageError } from '../command.ts'

const SINCE = [...STATS_WINDOWS, 'month'] as const

export const costsCommand: ClientCommand = {
  kind: 'client',
  name: 'costs',
  summary: 'Show what agents cost, by project and agent',
  details: [
    'Costs are in US dollars, as the agents report them or as the prices of the Agent give them. Days are those of UTC. month',
    'is this month so far, of the last 30 days that a server counts by the day: on a 31st the 1st is missing, and it says so.',
  ].join('\n'),
  examples: ['slipway costs --since 7d', 'slipway costs --since month'],
  words: [],
  flags: [{ name: 'since', value: 'window', description: `${SINCE.join(', ')}; default 30d` }],
  async run({ session, terminal, signal, style, values }) {
    const since = readWindow(values.get('since') ?? '30d', SINCE)
    const window = since === 'month' ? '30d' : since
    const stats = await session.api.getStats({ query: { window } }, { signal })
    if (since !== 'month') {
      print(terminal, session.form, stats, () => listing(stats, style))
      return 0
    }
    const month = toMonth(stats, toTimestamp(systemClock.now()).slice(0, 7))
    if (month.from !== `${month.month}-01`) terminal.err(`${month.month}-01 is missing: the server counts 30 days.\n`)
    print(terminal, session.form, month, () => monthListing(month, style))
    return 0
  },
}

/** @throws UsageError that names the windows that there are */
export function readWindow<W extends string>(text: string, windows: readonly W[]): W {
  const window = windows.find((known) => known === text)
  if (window !== undefined) return window
  throw new UsageError(`--since must be one of ${windows.join(', ')}, not ${JSON.stringify(text)}`)
}

function listing({ window, by_project, by_agent, billing }: Stats, style: Style): string {
  const runs = by_agent.reduce((sum, share) => sum + share.runs, 0)
  if (runs === 0) return `Nothing has run in the last ${window}.\n`
  const total = by_agent.reduce((sum, share) => sum + share.cost_usd, 0)
  const head = `${formatUSD(total)} for ${countOf(runs, 'run')} in the last ${window}; ${formatUSD(billing.total_7d_usd)} in 7 days\n`
  const perRun = (rows: Stats['by_agent']): string[] => rows.map(({ cost_per_run_usd }) => formatUSD(cost_per_run_usd))
  return [
    head,
    shares('PROJECT', by_project, style, perRun(by_project)),
    shares('AGENT', by_agent, style, perRun(by_agent)),
  ].join('\n')
}

type Share = Pick<Stats['by_agent'][number], 'id' | 'others' | 'cost_usd' | 'runs' | 'completed' | 'failed'>

/** What a month has cost so far. */
export interface Month {
  /** `2026-11`. */
  readonly month: string
  /** The first day that is counted. */
  readonly from: string
  readonly by_project: readonly Share[]
  readonly by_agent: readonly Share[]
}

/** The part of a month in the days of a report. */
export function toMonth(
  { billing, by_project, by_agent }: Pick<Stats, 'billing' | 'by_project' | 'by_agent'>,
  month: string,
): Month {
  const isIn = ({ date }: { readonly date: string }): boolean => date.startsWith(`${month}-`)
  const part = (rows: Stats['by_agent']): Share[] =>
    rows
      .map(({ id, others, daily }) => ({
        ...(id === undefined ? {} : { id }),
        ...(others === undefined ? {} : { others }),
        ...sumDays(daily.filter(isIn)),
      }))
      .filter(({ cost_usd, runs }) => cost_usd > 0 || runs > 0)
      .sort((a, b) => b.cost_usd - a.cost_usd)
  const from = billing.daily.find(isIn)?.date ?? `${month}-01`
  return { month, from, by_project: part(by_project), by_agent: part(by_agent) }
}

function sumDays(days: Stats['by_agent'][number]['daily']): Omit<Share, 'id' | 'others'> {
  const sum = { cost_usd: 0, runs: 0, completed: 0, failed: 0 }
  for (const { cost_usd, runs, completed, failed } of days) {
    sum.cost_usd = roundUSD(sum.cost_usd + cost_usd)
    sum.runs += runs
    sum.completed += completed
    sum.failed += failed
  }
  return sum
}

function monthListing({ month, by_project, by_agent }: Month, style: Style): string {
  if (by_agent.length === 0) return `Nothing has run in ${month}.\n`
  const total = by_agent.reduce((sum, { cost_usd }) => sum + cost_usd, 0)
  const runs = by_agent.reduce((sum, share) => sum + share.runs, 0)
  const head = `${formatUSD(total)} for ${countOf(runs, 'run')} in ${month}\n`
  return [head, shares('PROJECT', by_project, style), shares('AGENT', by_agent, style)].join('\n')
}

function shares(heading: string, rows: readonly Share[], style: Style, perRun: readonly string[] = []): string {
  const cells = rows.map(({ id, others, cost_usd, runs, completed, failed }, i) => [
    id ?? (others === undefined ? '(none)' : `(${others} others)`),
    formatUSD(cost_usd),
    String(runs),
    String(completed),
    String(failed),
    ...perRun.slice(i, i + 1),
  ])
  const last = perRun.length === 0 ? [] : ['COST PER RUN']
  return table([heading, 'COST', 'RUNS', 'COMPLETED', 'FAILED', ...last], cells, style)
}
