import { createSemaphore } from '../../lib/async.ts'
import type { Clock } from '../../lib/clock.ts'

/** First delay after a failed step; doubled for each further one. */
const RETRY_MS = 100
const MAX_RETRY_MS = 30_000
/** What is worked on at a time. Of thousands that come together, requests are served between two writes. */
export const MAX_AT_ONCE = 50

/** Keys to work on: each runs alone, once more if it was added meanwhile, later again if it failed. */
export interface KeyedQueue {
  add(key: string): void
  /** Waits for what is running; nothing starts any more. */
  stop(): Promise<void>
}

/** `work` returns when to look at its key again, if at all; a rejection is reported and tried again. */
export function makeKeyedQueue(
  work: (key: string) => Promise<Date | undefined>,
  clock: Clock,
  report: (key: string, error: unknown) => void,
): KeyedQueue {
  const running = new Map<string, Promise<void>>()
  const again = new Set<string>()
  const timers = new Map<string, () => void>()
  const failures = new Map<string, number>()
  const enter = createSemaphore(MAX_AT_ONCE)
  let stopped = false

  function add(key: string): void {
    if (stopped) return
    if (running.has(key)) again.add(key)
    else running.set(key, run(key))
  }

  async function run(key: string): Promise<void> {
    // Leaves the caller's stack too, so that `running` knows the key before the work begins.
    const leave = await enter()
    timers.get(key)?.()
    timers.delete(key)
    try {
      const at = stopped ? undefined : await work(key)
      failures.delete(key)
      if (at !== undefined) later(key, at.getTime() - clock.now().getTime())
    } catch (error) {
      const count = failures.get(key) ?? 0
      failures.set(key, count + 1)
      report(key, error)
      later(key, Math.min(RETRY_MS * 2 ** count, MAX_RETRY_MS))
    }
    leave()
    running.delete(key)
    if (again.delete(key)) add(key)
  }

  function later(key: string, ms: number): void {
    if (!stopped)
      timers.set(
        key,
        clock.schedule(Math.max(0, ms), () => add(key)),
      )
  }

  return {
    add,
    async stop() {
      stopped = true
      for (const cancel of timers.values()) cancel()
      await Promise.all(running.values())
    },
  }
}
