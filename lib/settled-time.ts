import { type Clock, uptimeOf } from './clock.ts'

/**
 * The wall clock for what cannot be undone: the earliest that it has shown over the last `settleMs`, with the time that
 * has passed since. So a clock that is ahead for less than that is not believed, and one that is set forward late.
 *
 * @returns what gives the time; undefined as long as it has been asked for less than that, or was not asked in between
 */
export function createSettledTime(clock: Clock, settleMs: number): () => Date | undefined {
  /** By how much the clock was ahead of the kernel's own, the least first, which is the oldest too. */
  let sightings: readonly { readonly atMs: number; readonly offsetMs: number }[] = []
  let [startedAtMs, askedAtMs] = [-Infinity, -Infinity]
  return () => {
    const atMs = uptimeOf(clock)
    const offsetMs = clock.now().getTime() - atMs
    if (atMs - askedAtMs >= settleMs) startedAtMs = atMs
    askedAtMs = atMs
    const recent = sightings.filter((one) => atMs - one.atMs <= settleMs && one.offsetMs < offsetMs)
    sightings = [...recent, { atMs, offsetMs }]
    return atMs - startedAtMs < settleMs ? undefined : new Date(atMs + (sightings[0]?.offsetMs ?? offsetMs))
  }
}
