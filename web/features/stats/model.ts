/** What the charts show of the statistics: pure. Days are those of UTC, as the server counts them. */
import type { Execution, Stats } from '../../../core/rest/client/client.ts'
import { type ErrorGroup, ERROR_GROUP_OF, ERROR_GROUPS } from '../../../core/stats/groups.ts'
import { groupBy } from '../../model/group.ts'
import { sumOf } from '../../model/sum.ts'

export type Share = Stats['by_project'][number]

/** Values for each label, under names and colours; the form of `Series` in components/chart.tsx. */
export interface Line {
  readonly label: string
  readonly token: string
  readonly values: readonly number[]
}

export interface Bars {
  readonly labels: readonly string[]
  readonly series: readonly Line[]
  /** The day of each label; absent where a label is an hour. */
  readonly days?: readonly string[]
}

const OUTCOMES = [
  { key: 'completed', label: 'Completed', token: '--done' },
  { key: 'failed', label: 'Failed', token: '--fail' },
  { key: 'other', label: 'Other', token: '--chart-7' },
] as const

/** `20 Nov`, of a day of UTC. @param language left out: the browser's */
export function dayLabel(day: string, language?: string): string {
  const words = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return new Date(day).toLocaleDateString(language, words)
}

/** What ended: by the hour for a day, else by the day, without the part of a day that the oldest hours are of. */
export function throughputBars({ window, throughput, billing }: Stats): Bars {
  if (window === '24h')
    return {
      // The reader's clock: who looks at hours looks at today.
      labels: throughput.map(({ hour }) => new Date(hour).toTimeString().slice(0, 5)),
      series: OUTCOMES.map(({ key, label, token }) => ({ label, token, values: throughput.map((each) => each[key]) })),
    }
  const whole = new Set(billing.daily.map(({ date }) => date))
  const byDay = [...groupBy(throughput, ({ hour }) => hour.slice(0, 10))].filter(([day]) => whole.has(day))
  return {
    labels: byDay.map(([day]) => dayLabel(day)),
    series: OUTCOMES.map(({ key, label, token }) => ({
      label,
      token,
      values: byDay.map(([, hours]) => sumOf(hours, (hour) => hour[key])),
    })),
    days: byDay.map(([day]) => day),
  }
}

/** Colours that can be told apart; what comes after the last of them is added up. */
const COLOURS = 6

/** What a share is called. @param nameOf the name of a project or agent by its id */
export function shareName(share: Pick<Share, 'id' | 'others'>, none: string, nameOf = (id: string) => id): string {
  if (share.id !== undefined) return nameOf(share.id)
  return share.others === undefined ? none : `${share.others} others`
}

/** The cost of each day, stacked by share: the most expensive in colours of their own, the rest together. */
export function costBars(stats: Stats, shares: readonly Share[], nameOf: (share: Share) => string): Bars {
  const days = stats.billing.daily.map(({ date }) => date)
  const costs = ({ daily }: Share): number[] => {
    const byDate = new Map(daily.map(({ date, cost_usd }) => [date, cost_usd]))
    return days.map((date) => byDate.get(date) ?? 0)
  }
  const paid = shares.filter(({ daily }) => daily.some(({ cost_usd }) => cost_usd > 0))
  const own = paid.length > COLOURS ? paid.slice(0, COLOURS) : paid
  const rest = paid.slice(own.length).map(costs)
  const series = own.map((share, index) => ({
    label: nameOf(share),
    token: `--chart-${index + 1}`,
    values: costs(share),
  }))
  const others = {
    label: 'Others',
    token: '--chart-7',
    values: days.map((_, day) => sumOf(rest, (values) => values[day])),
  }
  return { labels: days.map((day) => dayLabel(day)), series: rest.length === 0 ? series : [...series, others], days }
}

export interface Totals {
  readonly runs: number
  readonly completed: number
  readonly failed: number
  readonly other: number
  /** Those among the others that stopped because a quota or budget was used up; errors list them too. */
  readonly limited: number
  /** In [0, 1]; undefined before anything has completed or failed. */
  readonly success: number | undefined
  readonly costUSD: number
}

/** The numbers above the charts; all are sums over the same hours, and the rows of projects add up to them. */
export function totalsOf({ throughput, by_project, errors }: Stats): Totals {
  const sum = (key: 'completed' | 'failed' | 'other'): number => sumOf(throughput, (hour) => hour[key])
  const [completed, failed, other] = [sum('completed'), sum('failed'), sum('other')]
  return {
    runs: completed + failed + other,
    completed,
    failed,
    other,
    limited: ERROR_GROUPS.reduce((total, group) => total + errors[group], 0) - failed,
    success: completed + failed === 0 ? undefined : completed / (completed + failed),
    costUSD: sumOf(by_project, ({ cost_usd }) => cost_usd),
  }
}

/** The classes of errors with their counts, the most frequent first. */
export function errorClasses({ errors }: Stats): readonly { readonly group: ErrorGroup; readonly count: number }[] {
  return ERROR_GROUPS.map((group) => ({ group, count: errors[group] })).sort((a, b) => b.count - a.count)
}

/** The failures of a class, or all. */
export function failuresOf({ errors }: Stats, group: ErrorGroup | undefined): Stats['errors']['failures'] {
  return errors.failures.filter(({ category }) => group === undefined || ERROR_GROUP_OF[category] === group)
}

/** What ended on a day of UTC, the latest first. */
export function endedOn(executions: readonly Execution[], day: string): readonly Execution[] {
  return executions
    .filter(({ finished_at, purpose }) => finished_at?.startsWith(day) === true && purpose !== 'deliver')
    .toSorted((a, b) => ((a.finished_at ?? '') < (b.finished_at ?? '') ? 1 : -1))
}
