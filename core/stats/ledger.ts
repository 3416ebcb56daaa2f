/**
 * Statistics that are kept, not computed: every change of an execution is entered into the hour and the day in which
 * it ended, and there into the share of its project and of its agent. A report adds up those of its window, so its cost
 * depends on the window, and not on how many executions there are.
 *
 * Nothing is remembered per execution. What one adds is a pure function of it (entry.ts), so a change takes out what
 * its previous version added and puts in what the new one adds; whoever feeds the ledger has both. Money is counted in
 * whole millionths of a dollar, so that taking out leaves exactly what was there before. Only executions that failed
 * are held, by reference, for the table of failures.
 *
 * Hours leave a window because it moves. What no window can hold any more is dropped and not entered again, so that the
 * ledger does not grow with the years; what was dropped is never taken out, for its share is gone.
 */
import type { Execution } from '../crd/types.ts'
import type { StatsRecord } from './record.ts'
import type { StatsWindow } from '../enum-values.ts'
import { toStatsEntry } from './entry.ts'
import { makeReport, reachOf } from './report.ts'
import { type Hour, type Period, type Share, DAY_MS, emptyHour, emptyPeriod, enterPeriod, HOUR_MS } from './tally.ts'

/** A change of one execution; a version that is absent did not exist before, or does not exist any more. */
export interface ExecutionChange {
  readonly previous?: Execution | undefined
  readonly object?: Execution | undefined
}

export interface StatsLedger {
  /** Enters a change; changes of one execution must come in their order, those of others may come in any. */
  enter(change: ExecutionChange): void
  report(window: StatsWindow, now: Date): StatsRecord
  /** Drops what no report from `now` on counts. */
  forget(now: Date): void
  /** Drops everything, and takes up anything again. */
  clear(): void
  /** Counts what reports could differ by, besides the hour. */
  revision(): number
}

/** An empty ledger. */
export function createStatsLedger(): StatsLedger {
  const hours = new Map<number, Hour>()
  const days = new Map<number, Period>()
  let revision = 0
  /** What ended before is no longer held; milliseconds since 1970. */
  let reach = -Infinity

  const count = (execution: Execution, sign: 1 | -1): void => {
    const entry = toStatsEntry(execution)
    if (entry === undefined || entry.endedAtMs < reach) return
    revision += 1
    const date = Math.floor(entry.endedAtMs / DAY_MS)
    const day = days.get(date) ?? emptyPeriod()
    enterPeriod(day, entry, sign)
    keep(days, date, day)
    const number = Math.floor(entry.endedAtMs / HOUR_MS)
    const hour = hours.get(number) ?? emptyHour()
    enterPeriod(hour, entry, sign)
    if (entry.failure !== undefined) {
      if (sign === 1) hour.failures.set(execution.metadata.name, execution)
      else hour.failures.delete(execution.metadata.name)
    }
    keep(hours, number, hour)
  }
  return {
    enter({ previous, object }) {
      if (previous !== undefined) count(previous, -1)
      if (object !== undefined) count(object, 1)
    },
    report: (window, now) => makeReport({ hours, days }, window, now),
    forget(now) {
      reach = Math.max(reach, reachOf(now))
      dropBefore(days, reach / DAY_MS)
      dropBefore(hours, reach / HOUR_MS)
    },
    clear() {
      reach = -Infinity
      revision += 1
      days.clear()
      hours.clear()
    },
    revision: () => revision,
  }
}

function keep<T extends Share>(tallies: Map<number, T>, number: number, tally: T): void {
  if (tally.entries === 0) tallies.delete(number)
  else tallies.set(number, tally)
}

function dropBefore(tallies: Map<number, unknown>, first: number): void {
  for (const number of tallies.keys()) if (number < first) tallies.delete(number)
}
