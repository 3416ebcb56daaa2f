import { ERROR_CATEGORIES } from '../execution/result.ts'
import { Instant, RecordId, closed, maybe } from '../schema/fields.ts'
import { STATS_WINDOWS } from '../enum-values.ts'
import { type Static, Type } from 'typebox'

/** An execution that ended in an error. */
export const FailureRecord = closed({
  task_id: RecordId,
  execution_id: RecordId,
  category: Type.Enum(ERROR_CATEGORIES),
  message: Type.String(),
  at: Instant,
})

/** How many runs failed, or stopped because a quota or budget was used up, by the group of their error. */
const ERROR_COUNTS = {
  quota: Type.Integer(),
  rate_limit: Type.Integer(),
  timeout: Type.Integer(),
  git: Type.Integer(),
  failed: Type.Integer(),
}

/**
 * How runs ended; a run is an execution that does a task's work. `failed` counts errors and time-outs; `other` what was
 * cancelled, asked a question, or stopped because a quota or budget was used up.
 */
const THROUGHPUT = { completed: Type.Integer(), failed: Type.Integer(), other: Type.Integer() }

const CalendarDate = Type.String({ format: 'date' })

/** Counts of the runs that ended in the window. */
const ErrorsRecord = closed({
  ...ERROR_COUNTS,
  /** Newest first, at most 100. */
  failures: Type.Array(FailureRecord),
})

const HourRecord = closed({
  /** Begin of the hour. */
  hour: Instant,
  ...THROUGHPUT,
})

/**
 * In US dollars, of everything that agents did: runs, and beside them elaborations, evaluations and the like. Totals
 * cover the last seven days whatever the window, today among them.
 */
const BillingRecord = closed({
  total_7d_usd: Type.Number(),
  average_per_day_usd: Type.Number(),
  /** Over the runs that report a cost; 0 when none does. */
  cost_per_run_usd: Type.Number(),
  daily: Type.Array(closed({ date: CalendarDate, cost_usd: Type.Number(), runs: Type.Integer() })),
})

/** `runs` is the sum of completed, failed and other. */
const COUNTS = { cost_usd: Type.Number(), runs: Type.Integer(), ...THROUGHPUT }

/**
 * What one project or agent has of the hours in `throughput`: the rows add up to these and to `errors`. Its `daily` is
 * its part of the days in `billing.daily`.
 */
export const ShareRecord = closed({
  /** Absent for executions of no project or agent, and for the last row where that adds up the rest. */
  id: maybe(Type.String()),
  /** Only in a row that adds up the rest: how many projects or agents it stands for. */
  others: maybe(Type.Integer()),
  ...COUNTS,
  /** Over the runs that report a cost; 0 when none does. */
  cost_per_run_usd: Type.Number(),
  errors: closed(ERROR_COUNTS),
  /** Oldest first; days in which nothing ended are left out. */
  daily: Type.Array(closed({ date: CalendarDate, ...COUNTS })),
})

/** Hours and days are those of UTC, oldest first; those in which nothing ended are zero. */
export const StatsRecord = closed({
  window: Type.Enum(STATS_WINDOWS),
  errors: ErrorsRecord,
  throughput: Type.Array(HourRecord),
  billing: BillingRecord,
  /** The most expensive first, at most 20 and one for the rest. */
  by_project: Type.Array(ShareRecord),
  by_agent: Type.Array(ShareRecord),
})

export type StatsRecord = Static<typeof StatsRecord>
export type FailureRecord = Static<typeof FailureRecord>
export type ShareRecord = Static<typeof ShareRecord>
