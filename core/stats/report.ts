import type { Execution } from '../crd/types.ts'
import { fromMicroUSD } from '../money.ts'
import type { StatsWindow } from '../enum-values.ts'
import type { FailureRecord, StatsRecord, ShareRecord } from './record.ts'
import { compareTexts } from '../text.ts'
import { instantAt, toTimestamp } from '../time.ts'
import { toStatsEntry } from './entry.ts'
import type { ErrorGroup } from './groups.ts'
import {
  type Hour,
  type Period,
  type Share,
  DAY_MS,
  emptyHour,
  emptyShare,
  HOUR_MS,
  runsOf,
  sumShares,
} from './tally.ts'

/** What was entered, by the number of the hour and of the day since 1970. */
export interface Tallies {
  readonly hours: ReadonlyMap<number, Hour>
  readonly days: ReadonlyMap<number, Period>
}

const DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const satisfies Record<StatsWindow, number>
/** Days that are listed: the hours of the last day begin on the day before. */
const LISTED_DAYS = { ...DAYS, '24h': 2 } as const satisfies Record<StatsWindow, number>
const BILLED_DAYS = 7

/** No report from `now` on counts what ended before then; milliseconds since 1970, the beginning of a day of UTC. */
export function reachOf(now: Date): number {
  return (Math.floor(now.getTime() / DAY_MS) - Math.max(...Object.values(DAYS))) * DAY_MS
}

/** Enough to see what goes wrong; the counts beside the table are complete. */
const MAX_FAILURES = 100

/**
 * The report of a window: its whole hours of UTC, the current one among them, and what is listed by the day for as many
 * whole days, of the last day for two. Errors, throughput and the shares of projects and agents all count the same hours.
 */
export function makeReport({ hours, days }: Tallies, window: StatsWindow, now: Date): StatsRecord {
  const numbers = lastNumbers(Math.floor(now.getTime() / HOUR_MS), DAYS[window] * 24)
  const today = Math.floor(now.getTime() / DAY_MS)
  const ended = {
    hours: numbers.flatMap((number) => hours.get(number) ?? []),
    days: lastNumbers(today, LISTED_DAYS[window]).flatMap((number) => {
      const day = days.get(number)
      return day === undefined ? [] : [[number, day] as const]
    }),
  }
  return {
    window,
    errors: reportErrors(ended.hours),
    throughput: numbers.map((number) => ({
      hour: toTimestamp(instantAt(number * HOUR_MS)),
      ...(hours.get(number) ?? emptyHour()).throughput,
    })),
    billing: reportBilling(days, today, LISTED_DAYS[window]),
    by_project: reportShares(ended, 'projects'),
    by_agent: reportShares(ended, 'agents'),
  }
}

/** `count` numbers up to and with `last`. */
function lastNumbers(last: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => last - count + 1 + i)
}

/** @param hours oldest first */
function reportErrors(hours: readonly Hour[]): StatsRecord['errors'] {
  const sum = (group: ErrorGroup): number => hours.reduce((total, { errors }) => total + errors[group], 0)
  return {
    quota: sum('quota'),
    rate_limit: sum('rate_limit'),
    timeout: sum('timeout'),
    git: sum('git'),
    failed: sum('failed'),
    failures: newestFailures(hours),
  }
}

function newestFailures(hours: readonly Hour[]): FailureRecord[] {
  const found: FailureRecord[] = []
  for (let i = hours.length - 1; i >= 0 && found.length < MAX_FAILURES; i--) {
    const records = [...(hours[i]?.failures.values() ?? [])].flatMap(toFailureRecord)
    found.push(...records.sort(compareFailures))
  }
  return found.slice(0, MAX_FAILURES)
}

function toFailureRecord(execution: Execution): FailureRecord[] {
  const entry = toStatsEntry(execution)
  if (entry?.failure === undefined) return []
  return [
    {
      task_id: execution.spec.taskRef?.name ?? '',
      execution_id: execution.metadata.name,
      category: entry.failure.category,
      message: execution.status?.error?.message ?? '',
      at: toTimestamp(instantAt(entry.endedAtMs)),
    },
  ]
}

function compareFailures(a: FailureRecord, b: FailureRecord): number {
  return compareTexts(b.at, a.at) || compareTexts(b.execution_id, a.execution_id)
}

function reportBilling(days: ReadonlyMap<number, Period>, today: number, windowDays: number): StatsRecord['billing'] {
  const billed = lastNumbers(today, BILLED_DAYS).flatMap((number) => days.get(number) ?? [])
  const { costMicroUSD: total, ...rest } = sumShares(billed)
  return {
    total_7d_usd: fromMicroUSD(total),
    average_per_day_usd: fromMicroUSD(total / BILLED_DAYS),
    cost_per_run_usd: costPerRun(rest),
    daily: lastNumbers(today, windowDays).map((number) => ({
      date: toTimestamp(instantAt(number * DAY_MS)).slice(0, 10),
      cost_usd: fromMicroUSD(days.get(number)?.costMicroUSD ?? 0),
      runs: runsOf(days.get(number) ?? emptyShare()),
    })),
  }
}

/** What ended in the hours of a window, and in its days, which are numbered since 1970, oldest first. */
interface Ended {
  readonly hours: readonly Period[]
  readonly days: readonly (readonly [number: number, day: Period])[]
}

/** Rows of a report; more would be a page that nobody reads, and they bound its size. */
const MAX_ROWS = 20

/**
 * What the hours of a window cost and brought by project or by agent: the most expensive first, then the busiest. Beyond
 * {@link MAX_ROWS} one more row adds up the others, so that the rows always add up to the window, and those of a day to
 * the day.
 */
function reportShares({ hours, days }: Ended, kind: 'projects' | 'agents'): ShareRecord[] {
  // What ended on a listed day, and before the hours, has a row too: its day counts it.
  const shares = new Map<string, Share[]>(days.flatMap(([, day]) => [...day[kind].keys()].map((id) => [id, []])))
  for (const hour of hours)
    for (const [id, share] of hour[kind]) {
      const own = shares.get(id)
      if (own === undefined) shares.set(id, [share])
      else own.push(share)
    }
  const ranked = [...shares]
    .map(([id, own]) => ({ id, sum: sumShares(own) }))
    .sort((a, b) => b.sum.costMicroUSD - a.sum.costMicroUSD || runsOf(b.sum) - runsOf(a.sum) || (a.id < b.id ? -1 : 1))
  const [shown, rest] = [ranked.slice(0, MAX_ROWS), ranked.slice(MAX_ROWS)]
  const dailyOf = (ids: readonly string[]): ShareRecord['daily'] =>
    days.flatMap(([number, day]) => {
      const own = ids.flatMap((id) => day[kind].get(id) ?? [])
      const date = toTimestamp(instantAt(number * DAY_MS)).slice(0, 10)
      return own.length === 0 ? [] : [{ date, ...toCounts(sumShares(own)) }]
    })
  const records = shown.map(({ id, sum }) => ({ ...(id === '' ? {} : { id }), ...toRecord(sum), daily: dailyOf([id]) }))
  if (rest.length === 0) return records
  const sum = sumShares(rest.map((each) => each.sum))
  return [...records, { others: rest.length, ...toRecord(sum), daily: dailyOf(rest.map(({ id }) => id)) }]
}

/** Over the runs that report a cost; 0 when none does. */
function costPerRun({ pricedRuns, pricedRunsMicroUSD }: Pick<Share, 'pricedRuns' | 'pricedRunsMicroUSD'>): number {
  return pricedRuns === 0 ? 0 : fromMicroUSD(pricedRunsMicroUSD / pricedRuns)
}

function toRecord(sum: Share): Omit<ShareRecord, 'id' | 'others' | 'daily'> {
  return { ...toCounts(sum), cost_per_run_usd: costPerRun(sum), errors: sum.errors }
}

function toCounts({ costMicroUSD, throughput }: Share) {
  return { cost_usd: fromMicroUSD(costMicroUSD), runs: runsOf({ throughput }), ...throughput }
}
