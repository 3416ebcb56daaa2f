import { ageOf, countOf, formatUSD } from '../../core/sentences/amounts.ts'
import type { Stats } from '../../core/rest/client/client.ts'
import { STATS_WINDOWS } from '../../core/enum-values.ts'
import { ERROR_GROUPS } from '../../core/stats/groups.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ClientCommand } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import type { Style } from '../client/style.ts'
import { readWindow } from './costs.ts'

/** Failures that a person is shown; -o json has more. */
const SHOWN = 10

export const statsCommand: ClientCommand = {
  kind: 'client',
  name: 'stats',
  summary: 'Show how runs ended, what failed, and what it cost',
  details: [
    'Runs by the hour for 24h, else by the day, of UTC; those in which nothing ended are left out. The last 7 days of costs are',
    'counted whatever --since says. slipway costs shows projects and agents.',
  ].join('\n'),
  examples: ['slipway stats --since 30d'],
  words: [],
  prints: 'stats',
  flags: [{ name: 'since', value: 'window', description: `${STATS_WINDOWS.join(', ')}; default 7d` }],
  async run({ session, terminal, signal, style, values }) {
    const window = readWindow(values.get('since') ?? '7d', STATS_WINDOWS)
    const stats = await session.api.getStats({ query: { window } }, { signal })
    print(terminal, session.form, stats, () => listing(stats, systemClock.now(), style))
    return 0
  },
}

function listing(stats: Stats, now: Date, style: Style): string {
  return [throughput(stats, style), errors(stats.errors, now, style), billing(stats.billing, style)].join('\n')
}

type Counts = Record<'completed' | 'failed' | 'other', number>

function throughput({ window, throughput: hours }: Stats, style: Style): string {
  const periods = new Map<string, Counts>()
  for (const { hour, completed, failed, other } of hours) {
    const period = window === '24h' ? hour.slice(0, 16).replace('T', ' ') : hour.slice(0, 10)
    const so = periods.get(period) ?? { completed: 0, failed: 0, other: 0 }
    periods.set(period, { completed: so.completed + completed, failed: so.failed + failed, other: so.other + other })
  }
  const rows = [...periods].flatMap(([period, { completed, failed, other }]) =>
    completed + failed + other === 0 ? [] : [[period, String(completed), String(failed), String(other)]],
  )
  const runs = hours.reduce((sum, { completed, failed, other }) => sum + completed + failed + other, 0)
  const head = `${countOf(runs, 'run')} ended in the last ${window}\n`
  return rows.length === 0
    ? head
    : head + table([window === '24h' ? 'HOUR' : 'DAY', 'COMPLETED', 'FAILED', 'OTHER'], rows, style)
}

function errors(errors: Stats['errors'], now: Date, style: Style): string {
  const counts = ERROR_GROUPS.flatMap((group) => (errors[group] === 0 ? [] : [[group, String(errors[group])]]))
  if (counts.length === 0) return 'No errors\n'
  const rows = errors.failures
    .slice(0, SHOWN)
    .map(({ task_id, category, at, message }) => [task_id, category, ageOf(at, now), message])
  const failures = rows.length === 0 ? '' : `\n${table(['TASK', 'CATEGORY', 'AGE', 'MESSAGE'], rows, style)}`
  return table(['ERROR', 'RUNS'], counts, style) + failures
}

function billing(
  { total_7d_usd, average_per_day_usd, cost_per_run_usd, daily }: Stats['billing'],
  style: Style,
): string {
  const head = `${formatUSD(total_7d_usd)} in 7 days, ${formatUSD(average_per_day_usd)} a day, ${formatUSD(cost_per_run_usd)} for a run\n`
  const rows = daily.flatMap(({ date, cost_usd, runs }) =>
    cost_usd === 0 && runs === 0 ? [] : [[date, formatUSD(cost_usd), String(runs)]],
  )
  return rows.length === 0 ? head : head + table(['DAY', 'COST', 'RUNS'], rows, style)
}
