/**
 * The keys that controllers have to look at.
 *
 * Guarantees:
 * - a key waits at most once, however often it is added;
 * - a key is held by one worker at a time; added meanwhile, it is handed out again after `done`, so no change is lost;
 * - keys come out in the order in which they became ready;
 * - of several delayed adds of a key the earliest counts, and a delayed add never holds back a plain one.
 * Nothing is kept across a restart: controllers list everything when they start.
 */
import type { Clock } from '../lib/clock.ts'
import type { Backoff } from './backoff.ts'
import { halfJitter } from './backoff.ts'

/** `backoff` is that of rate-limited adds, by default 100 ms to 1 min. */
export interface WorkQueueOptions {
  readonly clock: Clock
  /** In [0, 1), as Math.random. */
  readonly random: () => number
  readonly backoff?: Backoff
  readonly metrics?: WorkQueueMetrics
}

/** Hooks; called synchronously. */
export interface WorkQueueMetrics {
  /** Keys that are ready and not yet taken, after each change. */
  readonly depth?: (keys: number) => void
  /** How long a key was ready before a worker took it. */
  readonly waited?: (ms: number) => void
  /** A key is tried again after a failure or a lost race. */
  readonly retried?: () => void
}

/** Keys are opaque strings. */
export interface WorkQueue {
  add(key: string): void
  addAfter(key: string, ms: number): void
  /** Adds after a wait, of `maxMs` at most, that grows with every failure of this key since it was last forgotten; half jitter. */
  addRateLimited(key: string, maxMs?: number): void
  /** The key is well again: its failures no longer count. */
  forget(key: string): void
  failures(key: string): number
  /** The next key, when there is one; undefined once the queue is shut down. Each must be given back by `done`. */
  take(): Promise<string | undefined>
  done(key: string): void
  /**
   * Takes in nothing more and drops what waits for its time. Resolves when every key in work is done; with `drain`
   * the ready keys are handed out first, without it they are dropped.
   */
  shutDown(drain: boolean): Promise<void>
  /** Keys that are ready and not yet taken. */
  depth(): number
}

const DEFAULT_BACKOFF: Backoff = { baseMs: 100, maxMs: 60_000 }

/** An open, empty queue. */
export function createWorkQueue({ clock, random, backoff = DEFAULT_BACKOFF, metrics }: WorkQueueOptions): WorkQueue {
  /** Ready keys in order, with the time since which each is ready. */
  const ready = new Map<string, number>()
  const inWork = new Set<string>()
  /** Keys in work that were added again meanwhile. */
  const again = new Set<string>()
  const failures = new Map<string, number>()
  const takers: ((key: string | undefined) => void)[] = []
  const drained: (() => void)[] = []
  let state: 'open' | 'draining' | 'closed' = 'open'

  const now = (): number => clock.now().getTime()
  const reportDepth = (): void => metrics?.depth?.(ready.size)
  const handOut = (): void => {
    const [next] = ready
    const taker = next === undefined ? undefined : takers.shift()
    if (next === undefined || taker === undefined) return
    const [key, since] = next
    ready.delete(key)
    inWork.add(key)
    reportDepth()
    metrics?.waited?.(now() - since)
    taker(key)
  }
  const makeReady = (key: string): void => {
    if (inWork.has(key)) again.add(key)
    else if (!ready.has(key)) ready.set(key, now())
    reportDepth()
    handOut()
  }
  const delays = createDelays(clock, makeReady)
  const addAfter = (key: string, ms: number): void => {
    if (state === 'open') delays.set(key, ms)
  }
  const settle = (): void => {
    if (state === 'open' || ready.size > 0 || again.size > 0) return
    for (const taker of takers.splice(0)) taker(undefined)
    if (inWork.size === 0) for (const resolve of drained.splice(0)) resolve()
  }

  return {
    add(key) {
      if (state === 'open') makeReady(key)
    },
    addAfter,
    addRateLimited(key, maxMs = backoff.maxMs) {
      const count = (failures.get(key) ?? 0) + 1
      failures.set(key, count)
      metrics?.retried?.()
      addAfter(key, halfJitter({ ...backoff, maxMs: Math.min(maxMs, backoff.maxMs) }, count, random()))
    },
    forget: (key) => void failures.delete(key),
    failures: (key) => failures.get(key) ?? 0,
    take() {
      return new Promise((resolve) => {
        takers.push(resolve)
        handOut()
        settle()
      })
    },
    done(key) {
      inWork.delete(key)
      if (again.delete(key) && state !== 'closed') makeReady(key)
      settle()
    },
    shutDown(drain) {
      state = drain ? 'draining' : 'closed'
      delays.clear()
      if (!drain) {
        ready.clear()
        again.clear()
      }
      return new Promise((resolve) => {
        drained.push(resolve)
        settle()
      })
    },
    depth: () => ready.size,
  }
}

/** Timers by key; of several for one key the earliest counts. */
function createDelays(clock: Clock, fire: (key: string) => void) {
  const timers = new Map<string, { readonly dueAt: number; readonly cancel: () => void }>()
  return {
    set(key: string, ms: number): void {
      const dueAt = clock.now().getTime() + Math.max(0, ms)
      const current = timers.get(key)
      if (current && current.dueAt <= dueAt) return
      current?.cancel()
      timers.delete(key)
      const due = (): void => {
        timers.delete(key)
        fire(key)
      }
      if (ms <= 0) due()
      else timers.set(key, { dueAt, cancel: clock.schedule(ms, due) })
    },
    clear(): void {
      for (const { cancel } of timers.values()) cancel()
      timers.clear()
    },
  }
}
