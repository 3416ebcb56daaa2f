import { whenAborted } from '../../lib/async.ts'
import { type Clock, delay } from '../../lib/clock.ts'
import { EXIT_GRACE_MS } from '../limits.ts'

/** How a run of a CLI ends: by itself, or because we end it. */
export type End = 'exited' | 'did_not_exit' | 'timed_out' | 'over_budget' | 'cancelled'

/** What may end a run. */
export interface Ends {
  readonly clock: Clock
  /** The process has ended. */
  readonly exited: Promise<unknown>
  /** Resolves when all output is kept; rejects when a log cannot be written (disk full), for output would be lost. */
  readonly copied: Promise<unknown>
  readonly timeoutMs: number
  /** Aborts when somebody wants it to stop. */
  readonly cancel: AbortSignal
  /** Aborts when the CLI has said everything. */
  readonly over: AbortSignal
  /** Asked every two seconds. */
  readonly isOverBudget?: (() => Promise<boolean>) | undefined
}

/** Time between two checks of what a run has cost. */
const BUDGET_CHECK_MS = 2000

/** Resolves to the end that comes first. @param done aborts the waiting for the others */
export function firstEnd(ends: Ends, done: AbortSignal): Promise<End> {
  const { clock, timeoutMs, cancel, over, isOverBudget } = ends
  const exited = ends.exited.then(() => 'exited' as const)
  return Promise.race([
    exited,
    ends.copied.then(() => exited),
    delay(clock, timeoutMs, done).then(() => 'timed_out' as const),
    whenAborted(cancel).then(() => 'cancelled' as const),
    doesNotExit(clock, over, done),
    ...(isOverBudget === undefined ? [] : [overBudget(clock, isOverBudget, done)]),
  ])
}

/** The CLI has said everything, but something that it started keeps it from exiting. */
async function doesNotExit(clock: Clock, over: AbortSignal, done: AbortSignal): Promise<End> {
  await whenAborted(over)
  await delay(clock, EXIT_GRACE_MS, done)
  return 'did_not_exit'
}

async function overBudget(clock: Clock, isOverBudget: () => Promise<boolean>, done: AbortSignal): Promise<End> {
  do {
    await delay(clock, BUDGET_CHECK_MS, done)
  } while (!done.aborted && !(await isOverBudget()))
  return 'over_budget'
}
