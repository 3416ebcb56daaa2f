/**
 * Whether the caches are in step with the control plane.
 *
 * They are stale as soon as a watch has failed and is not open again, or the control plane does not answer a small
 * question (asked every five seconds, with a timeout of five seconds: so a connection that hangs is noticed within ten).
 * Reads go on from the caches meanwhile, marked; this module tells who must mark them, and when all is well again.
 */
import { type Clock, delay } from '../../lib/clock.ts'
import type { Reachability } from '../../kube/reachability.ts'
import type { Caches } from './caches.ts'
import { messageOf } from '../../lib/error-message.ts'

export interface Freshness {
  /** Why answers from the caches may be out of date; undefined: they are not. */
  staleReason(): string | undefined
  /** Looks until `signal` aborts, and calls `onCaughtUp` whenever something may have been missed and is made up for. */
  run(signal: AbortSignal, onCaughtUp: () => void): Promise<void>
}

export interface FreshnessOptions {
  readonly caches: Caches
  readonly reachability: Reachability
  readonly clock: Clock
}

const POLL_MS = 500

export function createFreshness({ caches, reachability, clock }: FreshnessOptions): Freshness {
  const staleReason = (): string | undefined => {
    const problem = reachability.problem() ?? caches.watchProblem(clock.now())
    if (problem === undefined) return undefined
    const contact = caches.lastContact()
    const since = contact === undefined ? '' : `, last heard of at ${contact.toISOString()}`
    return `the control plane is out of reach${since}: ${messageOf(problem)}`
  }
  const poll = async (signal: AbortSignal, onCaughtUp: () => void): Promise<void> => {
    let relists = caches.relists()
    let wasStale = false
    while (!signal.aborted) {
      await delay(clock, POLL_MS, signal)
      const isStale = staleReason() !== undefined
      if (!isStale && (wasStale || caches.relists() !== relists)) {
        relists = caches.relists()
        onCaughtUp()
      }
      wasStale = isStale
    }
  }
  return {
    staleReason,
    run: async (signal, onCaughtUp) => void (await Promise.all([reachability.run(signal), poll(signal, onCaughtUp)])),
  }
}
