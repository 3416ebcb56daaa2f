import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'

/** Time that passes only when told to. */
export interface ManualClock extends Clock {
  /** Passes `ms`, firing what is due in order; promise reactions run before and after each timer. */
  advance(ms: number): Promise<void>
  /** Milliseconds passed since the start. */
  elapsedMs(): number
  /** Timers that are still to fire. */
  pending(): number
  /** Sets the wall clock forward, or back, as somebody does whose clock was wrong: no time passes. */
  set(byMs: number): void
}

export function manualClock(startsAt = new Date('2026-01-01T00:00:00Z')): ManualClock {
  let elapsed = 0
  let aheadMs = 0
  const timers = new Set<{ readonly dueAt: number; readonly callback: () => void }>()
  const earliest = (upTo: number) =>
    [...timers].filter(({ dueAt }) => dueAt <= upTo).sort((a, b) => a.dueAt - b.dueAt)[0]
  return {
    now: () => new Date(startsAt.getTime() + aheadMs + elapsed),
    uptimeMs: () => elapsed,
    elapsedMs: () => elapsed,
    pending: () => timers.size,
    set(byMs) {
      aheadMs += byMs
    },
    schedule(ms, callback) {
      const timer = { dueAt: elapsed + Math.max(0, ms), callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async advance(ms) {
      const end = elapsed + ms
      await setImmediate()
      for (let timer = earliest(end); timer !== undefined; timer = earliest(end)) {
        timers.delete(timer)
        elapsed = Math.max(elapsed, timer.dueAt)
        timer.callback()
        await setImmediate()
      }
      elapsed = end
      await setImmediate()
    },
  }
}
