/**
 * Answers of somebody else, kept for a while: bounded in time, in number, and in how many are asked for at once.
 *
 * All who want the same answer while it is being asked for get that one. A failure is not kept.
 */
import { apiError } from '../../core/errors.ts'
import type { Clock } from '../../lib/clock.ts'

export interface Answer<T> {
  readonly value: T
  /** 0: for nobody but those who wait for it. */
  readonly keepMs: number
}

export interface Remembered<T> {
  /** @throws ApiError `unavailable` when too many other answers are waited for; whatever `ask` throws */
  get(key: string, ask: () => Promise<Answer<T>>): Promise<T>
}

export interface RememberedOptions {
  readonly clock: Clock
  readonly maxKept: number
  readonly maxAsked: number
}

/** Nothing is known yet. */
export function createRemembered<T>({ clock, maxKept, maxAsked }: RememberedOptions): Remembered<T> {
  const kept = new Map<string, { readonly value: T; readonly atMs: number; readonly keepMs: number }>()
  const asked = new Map<string, Promise<T>>()
  const nowMs = (): number => clock.now().getTime()

  const keep = (key: string, { value, keepMs }: Answer<T>): T => {
    kept.delete(key)
    if (keepMs <= 0) return value
    // The oldest goes first: a Map is in the order of insertion.
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= maxKept) kept.delete(oldest)
    kept.set(key, { value, atMs: nowMs(), keepMs })
    return value
  }
  return {
    async get(key, ask) {
      const known = kept.get(key)
      // An age below zero: the clock was set back, and how old the answer is nobody knows.
      const ageMs = known === undefined ? -1 : nowMs() - known.atMs
      if (known !== undefined && ageMs >= 0 && ageMs < known.keepMs) return known.value
      const waiting = asked.get(key)
      if (waiting !== undefined) return waiting
      if (asked.size >= maxAsked) throw apiError('unavailable', 'too many callers are being identified', 1)
      const answer = ask()
        .then((given) => keep(key, given))
        .finally(() => asked.delete(key))
      asked.set(key, answer)
      return answer
    },
  }
}
