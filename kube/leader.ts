/**
 * One of several processes works at a time.
 *
 * The leader renews a Lease; others take it over once they have seen it unchanged for its whole duration, by their own
 * monotonic clock, so clocks of different machines are never compared. The leader counts from the moment before it
 * sent its last successful renewal, which is earlier than anybody can have seen it, and aborts its work at two thirds
 * of the duration: the last third is for the work to end.
 *
 * Who stands by watches the Lease: one that is given back is taken at once, one that is not renewed as soon as its time
 * is over. The watch only says when to look. What decides is a read from the server and a compare-and-swap, and these
 * are also done from time to time, in case the watch is away. A Lease that was deleted while another held it counts as
 * held until its time is over, because its holder still works, and makes it again.
 *
 * Not guaranteed: a machine that sleeps may wake up as a leader for a moment. Writes are compare-and-swap, and slots
 * are Leases without a time limit, so that moment does no harm.
 */
import { setMaxListeners } from 'node:events'
import { toMicroTimestamp } from '../core/time.ts'
import { type Clock, delay } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Lease } from './builtin.ts'
import { type LeaseClient, holderOf } from './lease.ts'
import { type Sightings, createSightings } from './lease-sightings.ts'
import type { OutageLog } from './outage.ts'
import { LEASES } from './resources.ts'
import { type KubeClient, type ObjectKey, isAlreadyExists, isConflict, isNotFound } from './types.ts'

/** All contenders share `key` and the two durations. */
export interface LeaderOptions {
  readonly client: LeaseClient & Pick<KubeClient, 'list' | 'watch'>
  readonly key: ObjectKey
  /** Unique per process: `<host>_<uuid>`. */
  readonly identity: string
  readonly clock: Clock
  /** Milliseconds that never jump; for tests. Default `performance.now`. */
  readonly monotonicMs?: () => number
  /** In [0, 1), as Math.random. */
  readonly random: () => number
  readonly logger: Logger
  /** Shared with the informers of the process, so that an outage is one matter in the log. */
  readonly outages: OutageLog
  /** Default 15 s. */
  readonly durationMs?: number
  /** Default 5 s. */
  readonly renewMs?: number
}

/** What has to end when leadership does: `lost` aborts while the Lease still is ours. */
export type LeaderWork = (lost: AbortSignal) => Promise<void>

const DEFAULT_DURATION_MS = 15_000
const DEFAULT_RENEW_MS = 5_000
/** Share of the duration without a renewal after which the leader stops its work. */
const LOST_AFTER = 2 / 3
/** Share of the renewal interval after which a failed renewal is repeated. */
const RETRY_SHARE = 1 / 5

/**
 * Waits for leadership, runs `work` while it lasts, and starts over when it is lost; until `stop` aborts or `work` ends
 * by itself.
 *
 * After `stop` the Lease is kept until `work`, which must listen to `stop` itself, has ended; then it is given back.
 * Rejects with what `work` rejects with, after giving the Lease back.
 */
export async function runAsLeader(options: LeaderOptions, stop: AbortSignal, work: LeaderWork): Promise<void> {
  const election = createElection(options)
  while (!stop.aborted) {
    const term = await election.campaign(stop)
    if (!term) return
    try {
      if (!stop.aborted) {
        options.logger.info({ identity: options.identity, lease: options.key.name }, 'leading')
        await work(term.lost)
      }
    } finally {
      await term.end()
    }
    if (!term.lost.aborted) return
  }
}

interface Term {
  readonly lost: AbortSignal
  /** Stops renewing, and gives the Lease back unless it was lost. */
  end(): Promise<void>
}

/** A Lease we wrote, and the monotonic time before we sent it. */
interface Hold {
  readonly lease: Lease
  readonly sentAt: number
}

/** Undefined when another holds the Lease. */
type Renew = (held: Hold, signal: AbortSignal) => Promise<Hold | undefined>

function createElection(options: LeaderOptions) {
  const { logger, key } = options
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const durationMs = options.durationMs ?? DEFAULT_DURATION_MS
  const renewMs = options.renewMs ?? DEFAULT_RENEW_MS
  const write = async (lease: Lease | undefined, signal?: AbortSignal): Promise<Hold> => {
    const sentAt = monotonicMs()
    const next = claim(lease, options, durationMs)
    const written = lease
      ? await options.client.replace(LEASES, next, { signal })
      : await options.client.create(LEASES, next, { signal })
    return { lease: written, sentAt }
  }
  /**
   * One try to get it; undefined when another holds it. A stop does not cut off the write: what it may have written has
   * to be given back.
   */
  const tryAcquire = async (sightings: Sightings, stop: AbortSignal): Promise<Hold | undefined> => {
    const lease = await options.client.find(LEASES, key, { signal: stop })
    if (lease) sightings.note(lease)
    return sightings.leftMs() > 0 ? undefined : write(lease)
  }
  /**
   * Renews; undefined when another holds it. A conflict alone says only that somebody touched the Lease; one that was
   * deleted is made again, and whoever is faster leads.
   */
  const renew: Renew = async (held, signal) => {
    try {
      return await write(held.lease, signal)
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error
      const lease = await options.client.find(LEASES, key, { signal })
      return lease === undefined || holderOf(lease) === options.identity ? write(lease, signal) : undefined
    }
  }
  const filled = { ...options, monotonicMs, durationMs, renewMs }

  return {
    async campaign(stop: AbortSignal): Promise<Term | undefined> {
      const ending = new AbortController()
      const sightings = createSightings(filled)
      const watching = sightings.watch(AbortSignal.any([stop, ending.signal]))
      try {
        while (!stop.aborted) {
          try {
            const hold = await tryAcquire(sightings, stop)
            if (hold) return startTerm(filled, hold, renew)
          } catch (error) {
            // Another was faster: that is what elections are about.
            if (!isConflict(error) && !isAlreadyExists(error) && !stop.aborted)
              logger.warn({ error }, 'trying for leadership failed')
          }
          await sightings.untilFree((renewMs * (1 + options.random())) / 3)
        }
        return undefined
      } finally {
        ending.abort()
        await watching
      }
    },
  }
}

/** Keeps the Lease renewed until the term ends; `lost` also cuts off a renewal that hangs. */
function startTerm(options: Required<LeaderOptions>, first: Hold, renew: Renew): Term {
  const { clock, logger, key, identity, durationMs, renewMs, monotonicMs } = options
  const lost = new AbortController()
  // Each controller listens.
  setMaxListeners(0, lost.signal)
  const ending = new AbortController()
  let held = first
  const lose = (reason: string): void => {
    logger.warn({ identity, lease: key.name, reason }, 'leadership lost')
    lost.abort(new Error(`leadership lost: ${reason}`))
  }
  const arm = (): (() => void) =>
    clock.schedule(held.sentAt + durationMs * LOST_AFTER - monotonicMs(), () => lose('not renewed in time'))
  let disarm = arm()
  /** Gives the wait until the next renewal; a failed one is repeated while there is time. */
  const renewOnce = async (): Promise<number> => {
    try {
      const next = await renew(held, lost.signal)
      if (lost.signal.aborted) return 0
      disarm()
      if (next) {
        held = next
        disarm = arm()
      } else lose('another process holds the lease')
      return renewMs
    } catch (error) {
      if (!lost.signal.aborted) logger.warn({ error, lease: key.name }, 'renewing leadership failed')
      return renewMs * RETRY_SHARE
    }
  }
  const renewing = (async () => {
    let waitMs = renewMs
    while (await pause(clock, waitMs, ending.signal, lost.signal)) waitMs = await renewOnce()
  })()
  return {
    lost: lost.signal,
    async end() {
      ending.abort()
      await renewing
      disarm()
      // One that was lost is another's, or will be by time; asking a server that is out of reach would only delay us.
      if (!lost.signal.aborted) await release(options, held.lease)
    },
  }
}

function claim(lease: Lease | undefined, { clock, identity, key }: LeaderOptions, durationMs: number): Lease {
  const now = toMicroTimestamp(clock.now())
  const isOurs = lease !== undefined && holderOf(lease) === identity
  return {
    ...lease,
    metadata: lease?.metadata ?? { name: key.name, ...(key.namespace !== undefined && { namespace: key.namespace }) },
    spec: {
      ...lease?.spec,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(durationMs / 1000),
      renewTime: now,
      ...(isOurs ? {} : { acquireTime: now, leaseTransitions: (lease?.spec?.leaseTransitions ?? -1) + 1 }),
    },
  }
}

/** With the resourceVersion that we wrote: if another took it, this is refused, as it should be. */
async function release({ client, logger }: LeaderOptions, lease: Lease): Promise<void> {
  try {
    await client.replace(LEASES, { ...lease, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 } })
  } catch (error) {
    if (!isConflict(error)) logger.warn({ error }, 'giving leadership back failed; it ends by time')
  }
}

/** Waits; false when one of the signals says that waiting is over. */
async function pause(clock: Clock, ms: number, ending: AbortSignal, lost: AbortSignal): Promise<boolean> {
  if (!ending.aborted && !lost.aborted) await delay(clock, ms, ending)
  return !ending.aborted && !lost.aborted
}
