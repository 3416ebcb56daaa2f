/** What one contender has seen of the leader's Lease, and until when it therefore is another's. */
import { createAutoResetEvent } from '../lib/async.ts'
import type { Lease } from './builtin.ts'
import { type InformerOptions, createInformer } from './informer.ts'
import { holderOf } from './lease.ts'
import type { OutageLog } from './outage.ts'
import { LEASES } from './resources.ts'
import type { ObjectKey } from './types.ts'

export interface SightingsOptions extends Pick<InformerOptions<Lease>, 'client' | 'clock' | 'random' | 'logger'> {
  readonly outages: OutageLog
  readonly key: ObjectKey
  /** Whose own Lease is free to it. */
  readonly identity: string
  /** How long a Lease lasts that does not say so. */
  readonly durationMs: number
  /** Milliseconds that never jump. */
  readonly monotonicMs: () => number
}

export interface Sightings {
  /** It looks like this now: its time counts from here if this version is new. */
  note(lease: Lease): void
  /** How long it still is another's; at most 0 when nobody holds it, or its holder has not renewed it in time. */
  leftMs(): number
  /** Resolves when the Lease is seen free, when its time is over, after `ms`, and when the watch has ended. */
  untilFree(ms: number): Promise<void>
  /** Notes what happens to the Lease until `signal` aborts. To be called once. */
  watch(signal: AbortSignal): Promise<void>
}

/** Nothing is seen yet; until something is, the Lease counts as free. */
export function createSightings(options: SightingsOptions): Sightings {
  const { clock, key, identity, durationMs, monotonicMs } = options
  const freed = createAutoResetEvent(clock)
  let seen: { readonly version: string | undefined; readonly until: number } | undefined

  const note = (lease: Lease): void => {
    const version = lease.metadata.resourceVersion
    if (seen?.version === version) return
    const holder = holderOf(lease)
    const isFree = holder === undefined || holder === identity
    const lastsMs = (lease.spec?.leaseDurationSeconds ?? durationMs / 1000) * 1000
    seen = { version, until: isFree ? -Infinity : monotonicMs() + lastsMs }
    if (isFree) freed.set()
  }
  // Its last moment is the holder's.
  const leftMs = (): number => (seen === undefined ? 0 : seen.until - monotonicMs() + 1)
  return {
    note,
    leftMs,
    untilFree: (ms) => freed.wait(leftMs() > 0 ? Math.min(ms, leftMs()) : ms),
    async watch(signal) {
      const { client, random, logger, outages } = options
      const which = { resource: LEASES, namespace: key.namespace, fieldSelector: `metadata.name=${key.name}` }
      const informer = createInformer({ client, clock, random, logger, outages, ...which })
      informer.onChange((change) => {
        // Its holder makes a deleted one again, and works meanwhile.
        if (change.type !== 'delete') note(change.object)
      })
      await informer.run(signal)
      freed.close()
    },
  }
}
