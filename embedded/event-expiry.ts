/**
 * Deletes Events an hour after they were written last, as a kube-apiserver does (`--event-ttl`), and the oldest ones beyond
 * {@link MAX_EVENTS}: whoever tells much, or does the same work over and over, fills neither disk nor memory. Of those that
 * are there at the start, the time that they bear stands for that of the write.
 *
 * Which Events there are is read once at the start and followed from the store's changes, so that a look costs a walk over
 * some numbers and reads nothing. They go by the ordinary verb, and watches see DELETED.
 */
import { setImmediate } from 'node:timers/promises'
import { createAutoResetEvent } from '../lib/async.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { EVENTS, lastSeen } from './builtin/event.ts'
import { parseStored } from './decode.ts'
import { keyPrefix } from './kind.ts'
import type { ApiObject, ObjectKey } from './objects.ts'
import { ApiError } from './status.ts'
import type { Store } from './storage/backend.ts'
import type { Verbs } from './verbs.ts'

/** The default of kube-apiserver's `--event-ttl`. */
export const EVENT_TTL_MS = 3_600_000
/** More than the work of an hour tells that somebody looks at. */
export const MAX_EVENTS = 1000
/** A flood is answered when it has exceeded the limit by so many, not at each Event. */
const SURPLUS = MAX_EVENTS / 10
/** Deleted together, in one or two commits. */
const BATCH = 200
const LOOK_MS = 60_000

/** An Event that is in the store. */
export interface KnownEvent {
  /** Its key in the store. */
  readonly id: string
  readonly key: ObjectKey
  readonly resourceVersion: string
  /** When it was written last, in milliseconds since 1970. */
  readonly writtenAt: number
}

/** The Events to delete now, the oldest first. */
export function findExpiredEvents(events: Iterable<KnownEvent>, now: Date): KnownEvent[] {
  const byAge = [...events].sort((a, b) => a.writtenAt - b.writtenAt)
  const surplus = byAge.length - MAX_EVENTS
  return byAge.filter(({ writtenAt }, i) => i < surplus || now.getTime() - writtenAt > EVENT_TTL_MS)
}

export interface EventExpiryContext {
  readonly store: Store
  readonly verbs: Verbs
  readonly clock: Clock
  readonly logger: Logger
}

export interface EventExpiry {
  /** Waits for the deletions that are under way. */
  stop(): Promise<void>
}

export function startEventExpiry(context: EventExpiryContext): EventExpiry {
  const { clock, logger } = context
  const wake = createAutoResetEvent(clock)
  const { known, unfollow } = followEvents(context, wake.set)
  const expire = async (event: KnownEvent): Promise<void> => {
    if (!(await remove(context.verbs, event))) known.delete(event.id)
  }
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const expired = findExpiredEvents(known.values(), clock.now())
      try {
        await Promise.all(expired.slice(0, BATCH).map(expire))
        if (expired.length > BATCH) {
          // Others are served in between, even if nothing of it had to be waited for.
          await setImmediate()
          continue
        }
      } catch (error) {
        logger.warn({ error }, 'old events could not be deleted, will be tried again')
      }
      await wake.wait(LOOK_MS)
    }
  }
  const ended = run()
  return {
    async stop() {
      stopping.abort()
      unfollow()
      wake.close()
      await ended
    },
  }
}

/** @param onFlood called when there are many more than may stay */
function followEvents({ store, clock }: EventExpiryContext, onFlood: () => void) {
  const prefix = keyPrefix(EVENTS)
  const known = new Map<string, KnownEvent>()
  const note = (key: string, { metadata }: ApiObject, writtenAt: number): void => {
    const { name, namespace, resourceVersion = '' } = metadata
    known.set(key, { id: key, key: { namespace, name }, resourceVersion, writtenAt })
  }
  const now = clock.now().getTime()
  for (const { key, value } of store.range({ prefix })) {
    const event = parseStored(value)
    const told = Date.parse(lastSeen(event) ?? '')
    // What its author dates in the future would stay too long, and what bears no time for ever.
    note(key, event, Number.isNaN(told) ? now : Math.min(told, now))
  }
  let { revision } = store
  const unfollow = store.onChange(() => {
    const changes = store.changesAfter(revision)
    revision = store.revision
    for (const { type, key, value } of changes) {
      if (!key.startsWith(prefix)) continue
      if (type === 'put') note(key, parseStored(value), clock.now().getTime())
      else known.delete(key)
    }
    if (known.size > MAX_EVENTS + SURPLUS) onFlood()
  })
  return { known, unfollow }
}

/**
 * An Event that was counted up meanwhile is a new one, and one that is gone is what was wanted.
 *
 * @returns false for one that is gone, or that a finalizer keeps: to delete it again would change nothing
 */
async function remove(verbs: Verbs, { key, resourceVersion }: KnownEvent): Promise<boolean> {
  try {
    return (await verbs.delete(EVENTS, key, { preconditions: { resourceVersion } })).isGone
  } catch (error) {
    if (!(error instanceof ApiError) || (error.reason !== 'NotFound' && error.reason !== 'Conflict')) throw error
    return error.reason === 'Conflict'
  }
}
