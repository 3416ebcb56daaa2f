import type { Execution } from '../crd/types.ts'
import type { ErrorGroup } from './entry.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** What ended in one hour. */
export interface Hour {
  /** How many entries make it up; at 0 it can go. */
  entries: number
  readonly throughput: { completed: number; failed: number; other: number }
  readonly errors: Record<ErrorGroup, number>
  readonly failures: Map<string, Execution>
}

/** What one day cost. */
export interface Day {
  runs: number
  /** Runs that report a cost. */
  priced: number
  costMicroUSD: number
}

/** An hour in which nothing ended. */
export function emptyHour(): Hour {
  return {
    entries: 0,
    throughput: { completed: 0, failed: 0, other: 0 },
    errors: { quota: 0, rate_limit: 0, timeout: 0, git: 0, failed: 0 },
    failures: new Map(),
  }
}
