/**
 * Statistics that are kept, not computed: every change of an execution is entered into the hour and the day in which
 * it ended, and there into the share of its project and of its agent, and a report adds up those of its window. Its cost depends on the window, not on how many executions
 * there are.
 *
 * Nothing is remembered per execution. What one adds is a pure function of it (entry.ts), so a change takes out what
 * its previous version added and puts in what the new one adds; whoever feeds the ledger has both. Money is counted in
 * whole millionths of a dollar, so that taking out leaves exactly what was there before. Only executions that failed
 * are held, by reference, for the table of failures.
 *
 * Time passes in reports alone: hours leave a window because it moves. Those that hold nothing are dropped.
 */
import type { Execution } from '../crd/types.ts'
import type { StatsRecord } from '../rest/records/stats.ts'
import type { StatsWindow } from '../rest/enum-values.ts'
import { toStatsEntry } from './entry.ts'
import { makeReport } from './report.ts'
import type { Day, Hour } from './tally.ts'
import { DAY_MS, emptyDay, emptyHour, enterDay, HOUR_MS } from './tally.ts'

/** A change of one execution; a version that is absent did not exist before, or does not exist any more. */
export interface ExecutionChange {
  readonly previous?: Execution | undefined
  readonly object?: Execution | undefined
}

export interface StatsLedger {
  /** Enters a change; changes of one execution must come in their order, those of others may come in any. */
  enter(change: ExecutionChange): void
  report(window: StatsWindow, now: Date): StatsRecord
  /** Counts what reports could differ by, besides the hour. */
  revision(): number
}

/** An empty ledger. */
export function createStatsLedger(): StatsLedger {
  const hours = new Map<number, Hour>()
  const days = new Map<number, Day>()
  let revision = 0

  const count = (execution: Execution, sign: 1 | -1): void => {
    const entry = toStatsEntry(execution)
    if (entry === undefined) return
    revision += 1
    const date = Math.floor(entry.endedAtMs / DAY_MS)
    const day = days.get(date) ?? emptyDay()
    enterDay(day, entry, sign)
    keep(days, date, day, day.runs)
    if (entry.outcome === undefined) return
    const number = Math.floor(entry.endedAtMs / HOUR_MS)
    const hour = hours.get(number) ?? emptyHour()
    hour.entries += sign
    hour.throughput[entry.outcome] += sign
    if (entry.failure !== undefined) {
      hour.errors[entry.failure.group] += sign
      if (sign === 1) hour.failures.set(execution.metadata.name, execution)
      else hour.failures.delete(execution.metadata.name)
    }
    keep(hours, number, hour, hour.entries)
  }
  return {
    enter({ previous, object }) {
      if (previous !== undefined) count(previous, -1)
      if (object !== undefined) count(object, 1)
    },
    report: (window, now) => makeReport({ hours, days }, window, now),
    revision: () => revision,
  }
}

function keep<T>(tallies: Map<number, T>, number: number, tally: T, size: number): void {
  if (size === 0) tallies.delete(number)
  else tallies.set(number, tally)
}
