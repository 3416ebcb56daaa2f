/**
 * The keys that controllers have to look at.
 *
 * Guarantees:
 * - a key waits at most once, however often it is added;
 * - a key is held by one worker at a time; added meanwhile, it is handed out again after `done`, so no change is lost;
 * - keys come out in the order in which they became ready, patient ones (`isPatient`) after all others; a patient key
 *   that is added when it no longer is goes among the others;
 * - of several delayed adds of a key the earliest counts, and a delayed add never holds back a plain one.
 * Nothing is kept across a restart: controllers list everything when they start.
 */
import type { Clock } from '../lib/clock.ts'
import { type Backoff, halfJitter } from './backoff.ts'

/** `backoff` is that of rate-limited adds, by default 100 ms to 1 min. */
export interface WorkQueueOptions {
  readonly clock: Clock
  /** In [0, 1), as Math.random. */
  readonly random: () => number
  readonly backoff?: Backoff
  readonly metrics?: WorkQueueMetrics
  /** Asked of each key when it becomes ready: whether others may go before it. Default: none. */
  readonly isPatient?: ((key: string) => boolean) | undefined
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
  /** @param patiently true: others may go before it, whatever `isPatient` says */
  add(key: string, patiently?: boolean): void
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
export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  const { clock, random, backoff = DEFAULT_BACKOFF, metrics } = options
  const now = (): number => clock.now().getTime()
  const ready = createReadyKeys(options.isPatient ?? (() => false))
  const inWork = new Set<string>()
  /** Keys in work that were added again meanwhile. */
  const again = new Set<string>()
  const failures = new Map<string, number>()
  const takers: ((key: string | undefined) => void)[] = []
  const drained: (() => void)[] = []
  let state: 'open' | 'draining' | 'closed' = 'open'

  const reportDepth = (): void => metrics?.depth?.(ready.size())
  const handOut = (): void => {
    const taker = ready.size() === 0 ? undefined : takers.shift()
    const next = taker && ready.take()
    if (next === undefined || taker === undefined) return
    inWork.add(next.key)
    reportDepth()
    metrics?.waited?.(now() - next.since)
    taker(next.key)
  }
  const makeReady = (key: string, patiently = false): void => {
    if (inWork.has(key)) again.add(key)
    else ready.add(key, now(), patiently)
    reportDepth()
    handOut()
  }
  const delays = createDelays(clock, makeReady)
  const addAfter = (key: string, ms: number): void => {
    if (state === 'open') delays.set(key, ms)
  }
  const endIfIdle = (): void => {
    if (state === 'open' || ready.size() > 0 || again.size > 0) return
    for (const taker of takers.splice(0)) taker(undefined)
    if (inWork.size === 0) for (const resolve of drained.splice(0)) resolve()
  }

  return {
    add(key, patiently) {
      if (state === 'open') makeReady(key, patiently)
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
        endIfIdle()
      })
    },
    done(key) {
      inWork.delete(key)
      if (again.delete(key) && state !== 'closed') makeReady(key)
      endIfIdle()
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
        endIfIdle()
      })
    },
    depth: ready.size,
  }
}

/** Ready keys in the order in which they became so, the patient ones behind the others; each with the time since when. */
function createReadyKeys(isPatient: (key: string) => boolean) {
  const first = new Map<string, number>()
  const patient = new Map<string, number>()
  return {
    size: () => first.size + patient.size,
    add(key: string, now: number, patiently: boolean): void {
      if (first.has(key)) return
      const since = patient.get(key) ?? now
      if (patiently || isPatient(key)) patient.set(key, since)
      else {
        patient.delete(key)
        first.set(key, since)
      }
    },
    take(): { readonly key: string; readonly since: number } | undefined {
      const keys = first.size > 0 ? first : patient
      const [next] = keys
      if (next === undefined) return undefined
      keys.delete(next[0])
      return { key: next[0], since: next[1] }
    },
    clear(): void {
      first.clear()
      patient.clear()
    },
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
