/** Growing waits, spread at random so that many clients of a server that comes back do not arrive together. */
export interface Backoff {
  readonly baseMs: number
  readonly maxMs: number
}

/** The longest wait after `failures` failures in a row: base, doubled each time, up to the maximum. */
export function backoffCeiling({ baseMs, maxMs }: Backoff, failures: number): number {
  return Math.min(maxMs, baseMs * 2 ** Math.max(0, failures - 1))
}

/** While a server is away: a refused connection costs nobody anything, and its return is to be noticed soon. */
export const UNREACHABLE_MAX_MS = 3_000

/** While a right is missing: a person who gives it back looks at once whether work goes on. */
export const REFUSED_MAX_MS = 15_000

/** Full jitter: anywhere between nothing and the ceiling. `random` is in [0, 1). */
export function fullJitter(backoff: Backoff, failures: number, random: number): number {
  return Math.round(backoffCeiling(backoff, failures) * random)
}

/** Half jitter, for what must not be tried again at once: between half the ceiling and the ceiling. */
export function halfJitter(backoff: Backoff, failures: number, random: number): number {
  return Math.round((backoffCeiling(backoff, failures) * (1 + random)) / 2)
}
