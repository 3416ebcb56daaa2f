import { ERROR_CATEGORIES } from '../../execution/result.ts'
import { Instant, RecordId, closed } from '../fields.ts'
import { STATS_WINDOWS } from '../enum-values.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'

/** An execution that ended in an error. */
export const FailureRecord = closed({
  task_id: RecordId,
  execution_id: RecordId,
  category: Type.Enum(ERROR_CATEGORIES),
  message: Type.String(),
  at: Instant,
})

/** Counts of the executions of tasks that ended in the window. */
export const ErrorsRecord = closed({
  quota: Type.Integer(),
  rate_limit: Type.Integer(),
  timeout: Type.Integer(),
  git: Type.Integer(),
  failed: Type.Integer(),
  /** Newest first, at most 100. */
  failures: Type.Array(FailureRecord),
})

export const HourRecord = closed({
  /** Begin of the hour. */
  hour: Instant,
  completed: Type.Integer(),
  failed: Type.Integer(),
  other: Type.Integer(),
})

/** In US dollars. Totals cover the last seven days whatever the window, today among them. */
export const BillingRecord = closed({
  total_7d_usd: Type.Number(),
  average_per_day_usd: Type.Number(),
  /** Over the executions that report a cost; 0 when none does. */
  cost_per_run_usd: Type.Number(),
  daily: Type.Array(closed({ date: Type.String({ format: 'date' }), cost_usd: Type.Number(), runs: Type.Integer() })),
})

/** Hours and days are those of UTC, oldest first; those in which nothing ended are zero. */
export const StatsRecord = closed({
  window: Type.Enum(STATS_WINDOWS),
  errors: ErrorsRecord,
  throughput: Type.Array(HourRecord),
  billing: BillingRecord,
})

export type StatsRecord = Static<typeof StatsRecord>
export type FailureRecord = Static<typeof FailureRecord>
