import type { Execution } from '../crd/types.ts'
import { fromMicroUSD } from '../money.ts'
import type { FailureRecord, StatsRecord } from '../rest/records/stats.ts'
import type { StatsWindow } from '../rest/enum-values.ts'
import { instantAt, toTimestamp } from '../time.ts'
import type { ErrorGroup } from './groups.ts'
import { toStatsEntry } from './entry.ts'
import { costPerRun, reportShares } from './shares.ts'
import type { Hour, Period } from './tally.ts'
import { DAY_MS, emptyHour, emptyShare, HOUR_MS, runsOf, sumShares } from './tally.ts'

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
  return compare(b.at, a.at) || compare(b.execution_id, a.execution_id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
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
