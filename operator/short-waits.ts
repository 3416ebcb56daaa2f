/**
 * Work on the data volume that a reconcile can do without: it is waited for a second, and goes on by itself after that.
 *
 * Under a key there is at most one piece of it. So a volume that does not answer is asked once, however often an object is
 * looked at meanwhile, and only who asks first waits.
 */
import type { Clock } from '../lib/clock.ts'
import { VolumeNotAnswering } from './volume-work.ts'

export interface ShortWaits<T> {
  /** @returns undefined where it is not done yet. @throws what `work` does in time; after a later failure the next one tries again */
  run(key: string, work: () => Promise<T>): Promise<Done<T> | undefined>
  /** Whether the work under a key goes on. */
  isUnderWay(key: string): boolean
}

interface Done<T> {
  readonly value: T
}

/** A volume that answers takes some milliseconds. */
export const SHORT_WAIT_MS = 1000
const KEPT_MS = 60_000

/** @param keepsLate whether what comes late is given to the next one, who asks for the same: for a volume that is always so slow */
export function createShortWaits<T>(
  clock: Pick<Clock, 'schedule'>,
  { keepsLate }: { readonly keepsLate: boolean },
): ShortWaits<T> {
  const underWay = new Set<string>()
  const late = new Map<string, Done<T>>()
  const keep = (key: string, done: Done<T>): void => {
    if (!keepsLate) return
    late.set(key, done)
    clock.schedule(KEPT_MS, () => {
      if (late.get(key) === done) late.delete(key)
    })
  }
  return {
    isUnderWay: (key) => underWay.has(key),
    async run(key, work) {
      const before = late.get(key)
      late.delete(key)
      if (before !== undefined || underWay.has(key)) return before
      underWay.add(key)
      const done = work()
        .then((value) => ({ value }))
        .finally(() => underWay.delete(key))
      let cancel = (): void => undefined
      const over = new Promise<undefined>((resolve) => {
        cancel = clock.schedule(SHORT_WAIT_MS, () => {
          done.then(
            (found) => keep(key, found),
            () => undefined,
          )
          resolve(undefined)
        })
      })
      try {
        return await Promise.race([done, over])
      } catch (error) {
        if (error instanceof VolumeNotAnswering) return undefined
        throw error
      } finally {
        cancel()
      }
    },
  }
}
