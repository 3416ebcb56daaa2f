/** The loop below an informer: list, watch, resume; informer.ts says what it guarantees. */
import { type Clock, delay } from '../lib/clock.ts'
import { type Backoff, fullJitter, UNREACHABLE_MAX_MS } from './backoff.ts'
import { compareVersions } from './keys.ts'
import { followSignals } from './limit.ts'
import {
  type KubeClient,
  type KubeObject,
  type Resource,
  type WatchEvent,
  KubeError,
  isExpired,
  isUnreachable,
} from './types.ts'

/** As InformerOptions, with every default filled in. */
export interface FeedOptions<T extends KubeObject> {
  readonly client: Pick<KubeClient, 'list' | 'watch'>
  readonly resource: Resource<T>
  readonly namespace: string | undefined
  readonly labelSelector: string | undefined
  readonly fieldSelector: string | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly pageSize: number
  readonly stallAfterMs: number
  readonly backoff: Backoff
}

/** Where the news goes; called synchronously and in order. */
export interface FeedSink<T> {
  listed(objects: readonly T[], version: string): void
  event(event: WatchEvent<T>): void
  /** The server has answered or sent something. */
  contact(): void
  failed(error: unknown): void
}

/** The server ends a watch after this to twice this; spread, so that not all watches end together. */
const WATCH_TIMEOUT_SECONDS = 240

/** A server that ends each watch sooner must not be asked in a hot loop. */
const SHORTEST_WATCH_MS = 1000

/** Feeds `sink` until `signal` aborts; never rejects for what the server does. */
export async function runFeed<T extends KubeObject>(
  options: FeedOptions<T>,
  sink: FeedSink<T>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random, backoff } = options
  /** Up to where the server has told everything; undefined: list first. */
  let version: string | undefined
  let failures = 0
  /** How many of the last failures in a row were a 410, nothing having been heard since. */
  let expirations = 0
  /** The last failure was that no answer came. */
  let isAway = false

  const fail = async (error: unknown): Promise<void> => {
    // A server that answers again, be it with an error as it starts, has not failed before.
    if (isAway !== isUnreachable(error)) failures = 0
    isAway = isUnreachable(error)
    failures += 1
    // The first 410 is ordinary (we were away for long, or the server was), and so is a second one: where a definition
    // changes, the server's cache can begin anew between list and watch. A third in a row is not.
    expirations = isExpired(error) ? expirations + 1 : 0
    if (expirations > 0) version = undefined
    if (expirations === 1 || expirations === 2) return
    sink.failed(error)
    const askedMs = error instanceof KubeError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    const maxMs = isAway ? Math.min(backoff.maxMs, UNREACHABLE_MAX_MS) : backoff.maxMs
    await delay(clock, Math.max(askedMs, fullJitter({ ...backoff, maxMs }, failures, random())), signal)
  }
  const isWell = (): void => {
    failures = 0
    expirations = 0
  }
  const hear = (event: WatchEvent<T>): void => {
    isWell()
    sink.contact()
    sink.event(event)
    version = eventVersion(event) ?? version
  }

  const resume = async ({ heard, silent, lastedMs }: WatchEnd, from: string): Promise<void> => {
    if (silent && (await isRewound(options, from, sink, signal))) version = undefined
    if (lastedMs >= SHORTEST_WATCH_MS) isWell()
    else if (heard) await delay(clock, SHORTEST_WATCH_MS * random(), signal)
    else if (!silent && !signal.aborted) await fail(new Error('the server ended the watch at once'))
  }

  while (!signal.aborted) {
    try {
      version ??= await listAll(options, sink, signal)
      const end = await watchOnce(options, version, { opened: sink.contact, hear }, signal)
      await resume(end, version)
    } catch (error) {
      if (!signal.aborted) await fail(error)
    }
  }
}

/** All pages of one consistent list; gives its version. */
async function listAll<T extends KubeObject>(
  options: FeedOptions<T>,
  sink: FeedSink<T>,
  signal: AbortSignal,
): Promise<string> {
  const objects: T[] = []
  let next: string | undefined
  for (;;) {
    const query = { ...selection(options), limit: options.pageSize, ...(next === undefined ? {} : { continue: next }) }
    const page = await options.client.list(options.resource, query, { signal })
    sink.contact()
    for (const object of page.items) objects.push(object)
    next = page.continue
    if (next === undefined) {
      sink.listed(objects, page.resourceVersion)
      return page.resourceVersion
    }
  }
}

interface WatchEnd {
  readonly heard: boolean
  readonly silent: boolean
  readonly lastedMs: number
}

interface WatchEars<T> {
  /** The server has accepted the watch: it answers again, though it may have nothing to tell. */
  readonly opened: () => void
  readonly hear: (event: WatchEvent<T>) => void
}

/** One watch, ended by the server, by `signal`, or by silence. */
async function watchOnce<T extends KubeObject>(
  options: FeedOptions<T>,
  version: string,
  { opened, hear }: WatchEars<T>,
  signal: AbortSignal,
): Promise<WatchEnd> {
  const { client, resource, clock, stallAfterMs } = options
  const timeoutSeconds = Math.round(WATCH_TIMEOUT_SECONDS * (1 + options.random()))
  const ending = followSignals([signal])
  const startedAt = clock.now().getTime()
  let silent = false
  let heard = false
  const arm = (): (() => void) =>
    clock.schedule(stallAfterMs, () => {
      silent = true
      ending.abort()
    })
  let disarm = arm()
  try {
    const query = { ...selection(options), resourceVersion: version, timeoutSeconds }
    for await (const event of client.watch(resource, query, ending.signal, opened)) {
      disarm()
      disarm = arm()
      heard = true
      hear(event)
    }
  } finally {
    disarm()
    ending.unlink()
  }
  return { heard, silent, lastedMs: clock.now().getTime() - startedAt }
}

/**
 * Whether the server counts from a lower version than ours, as after its store was restored from a backup.
 *
 * A watch from a version that lies in its future would stay silent for ever (measured, kube-apiserver 1.34).
 */
async function isRewound<T extends KubeObject>(
  options: FeedOptions<T>,
  version: string,
  sink: FeedSink<T>,
  signal: AbortSignal,
): Promise<boolean> {
  const probe = await options.client.list(options.resource, { ...selection(options), limit: 1 }, { signal })
  sink.contact()
  return compareVersions(probe.resourceVersion, version) < 0
}

function selection<T extends KubeObject>({ namespace, labelSelector, fieldSelector }: FeedOptions<T>) {
  return {
    namespace,
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  }
}

/** Up to which version the server has told everything, once this event is known. */
export function eventVersion(event: WatchEvent<KubeObject>): string | undefined {
  return event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion
}
