/** What asynchronous work waits for one another by. */
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

/**
 * Waits until fewer than `limit` are in; the function it gives leaves again, and hands the place to who waits longest.
 *
 * @throws what `refuse` makes, when as many wait as may; the signal's reason, and then nobody waits here any more
 */
export function createSemaphore(limit: number, bounds?: WaitingBounds): (signal?: AbortSignal) => Promise<() => void> {
  let free = limit
  const waiting = new Set<() => void>()
  const leave = (): void => {
    const [next] = waiting
    if (next === undefined) free += 1
    else next()
  }
  return async (signal) => {
    signal?.throwIfAborted()
    if (free > 0) free -= 1
    else if (bounds !== undefined && waiting.size >= bounds.maxWaiting) throw bounds.refuse()
    else await waitIn(waiting, signal)
    return leave
  }
}

function waitIn(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      waiting.delete(enter)
      signal?.removeEventListener('abort', giveUp)
    }
    const enter = (): void => {
      end()
      resolve()
    }
    const giveUp = (): void => {
      end()
      reject(signal?.reason)
    }
    waiting.add(enter)
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

/** Resolves as soon as `signal` aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
