/** What asynchronous work waits for one another by. */
import type { EventEmitter } from 'node:events'
import type { Clock } from './clock.ts'

/** Does `work` once everything asked for before under the same key has ended, however it ended. */
export type RunExclusive = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** A mutex for each key, fair; nothing is kept of a key whose work has ended. */
export function createKeyedMutex(): RunExclusive {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const mine = (async () => {
      await before?.catch(() => undefined)
      return work()
    })()
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

/** Waits until all have ended, also where one fails. @throws what the first that failed did */
export async function allDone(works: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason
}

/** How many may wait for a semaphore, and what one more is told. */
export interface WaitingBounds {
  readonly maxWaiting: number
  readonly refuse: () => Error
}

/** Who waits for places of a semaphore. */
interface Waiter {
  readonly places: number
  readonly enter: () => void
}

/**
 * Waits until as many of `limit` places are free as are asked for, one by default; the function it gives leaves them
 * again, to who waits longest. Nobody goes before those: who needs many places gets them in the end.
 *
 * @throws what `refuse` makes, when as many wait as may; the signal's reason, and then nobody waits here any more
 */
export function createSemaphore(
  limit: number,
  bounds?: WaitingBounds,
): (signal?: AbortSignal, places?: number) => Promise<() => void> {
  let free = limit
  const waiting = new Set<Waiter>()
  const admit = (): void => {
    for (const { places, enter } of waiting) {
      if (places > free) return
      free -= places
      enter()
    }
  }
  return async (signal, places = 1) => {
    signal?.throwIfAborted()
    if (waiting.size === 0 && places <= free) free -= places
    else if (bounds !== undefined && waiting.size >= bounds.maxWaiting) throw bounds.refuse()
    else await waitIn(waiting, places, admit, signal)
    return () => {
      free += places
      admit()
    }
  }
}

/** @param admit lets those in behind it who could not pass one that gives up */
function waitIn(
  waiting: Set<Waiter>,
  places: number,
  admit: () => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      waiting.delete(waiter)
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      end()
      reject(signal?.reason)
      admit()
    }
    const waiter: Waiter = {
      places,
      enter: () => {
        end()
        resolve()
      },
    }
    waiting.add(waiter)
    signal?.addEventListener('abort', giveUp)
  })
}

/** Something may be new: set by whoever makes it so, kept until one waiter has heard of it, however often it was set. */
export interface AutoResetEvent {
  set(): void
  /** Resolves at the next `set`, or after `ms`; at once when it was set since the last wait, or is closed. */
  wait(ms?: number): Promise<void>
  /** Lets nobody wait any more. */
  close(): void
}

/** An event that is not set, for one waiter at a time. */
export function createAutoResetEvent(clock: Clock): AutoResetEvent {
  let isSet = false
  let isClosed = false
  let wake: (() => void) | undefined
  return {
    set() {
      isSet = true
      wake?.()
    },
    async wait(ms) {
      if (!isSet && !isClosed) {
        await new Promise<void>((resolve) => {
          const cancel = ms === undefined ? undefined : clock.schedule(Math.max(0, ms), resolve)
          wake = () => {
            cancel?.()
            resolve()
          }
        })
      }
      wake = undefined
      isSet = false
    },
    close() {
      isClosed = true
      wake?.()
    },
  }
}

/** Does `work` for each item, for at most `limit` at once. @throws what the first that failed did, when all others have ended */
export async function forEachAtOnce<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const one = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) {
      const item = items[i]
      if (item !== undefined) await work(item)
    }
  }
  await allDone(Array.from({ length: Math.min(limit, items.length) }, one))
}

/**
 * What `work` gives, or the signal's reason as soon as that aborts. Nothing can end `work` then: it goes on, and what
 * becomes of it is dropped.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason)
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
    const end = (): void => signal.removeEventListener('abort', giveUp)
    work.then(resolve, reject).finally(end)
  })
}

/** Resolves as soon as `signal` aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Resolves at the first of these events, and listens no more. A race with a promise that lasts would keep something each time. */
export function firstOf(emitter: EventEmitter, ...events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of events) emitter.off(event, done)
      resolve()
    }
    for (const event of events) emitter.on(event, done)
  })
}
