/**
 * Keeps the objects of one kind in memory and in step with the API server.
 *
 * A list in pages fills the cache; a watch from the list's resourceVersion keeps it current, and resumes from the
 * last version heard of, be it an event's or a bookmark's. It never stops by itself:
 * - the server ends the watch (time-out): it is opened again;
 * - 410: the version is compacted away, so everything is listed again, and what vanished meanwhile is told as deletes;
 * - any other error: the same after a back-off with full jitter, of 3 s at most while no answer comes at all;
 * - silence: a connection that died without a word looks like a quiet one. Without event or bookmark (the API server
 *   sends one about every minute) the watch is ended, one small list asks whether the server still counts from where
 *   we stand, and the watch resumes.
 * `isStale` tells /readyz when none of this has reached the server for too long.
 */
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import type { Backoff } from './backoff.ts'
import { type Change, type IndexFunction, type Lister, createCache } from './cache.ts'
import { type FeedOptions, type FeedSink, eventVersion, runFeed } from './feed.ts'
import { keyOf } from './keys.ts'
import { type OutageLog, createOutageLog } from './outage.ts'
import type { Share } from './shared-objects.ts'
import type { KubeClient, KubeObject, Resource } from './types.ts'

/** What to watch, and how to be patient with it. */
export interface InformerOptions<T extends KubeObject> {
  readonly client: Pick<KubeClient, 'list' | 'watch'>
  readonly resource: Resource<T>
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** The selectors as a function: then `observe` also takes what the watch has not told of yet. */
  readonly isSelected?: (object: T) => boolean
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>
  /** What to keep of each object, for instance {@link withoutManagedFields}. */
  readonly transform?: (object: T) => T
  /** Shared with other informers that have the same `transform`. Default: this one keeps a copy of its own. */
  readonly share?: Share<T> | undefined
  readonly clock: Clock
  /** In [0, 1), as Math.random. */
  readonly random: () => number
  readonly logger: Logger
  readonly pageSize?: number
  /** Silence after which a watch counts as dead; more than the minute between bookmarks. Default 90 s. */
  readonly stallAfterMs?: number
  readonly backoff?: Backoff
  /** Shared by the informers of a process, so that an outage is one matter in the log. Default: one of its own. */
  readonly outages?: OutageLog
  /** Called behind the changes of every full list but the first: between it and what was there before, changes may be missing. */
  readonly onRelisted?: () => void
}

/** Called synchronously; what it throws is logged. */
export type ChangeHandler<T> = (change: Change<T>) => void

/** A cache of one kind that follows the API server; reads never wait. */
export interface Informer<T extends KubeObject> extends Lister<T> {
  readonly resource: Resource<T>
  /** Runs until `signal` aborts, and resolves when everything has ended. Never rejects. To be called once. */
  run(signal: AbortSignal): Promise<void>
  /** True as soon as the first list is in the cache and told to the handlers; false when stopped before that. */
  readonly synced: Promise<boolean>
  hasSynced(): boolean
  /** Not synced yet, or the server was not heard of for longer than a stall takes to be noticed. */
  isStale(now: Date): boolean
  /** When the server last answered or sent something. */
  lastContact(): Date | undefined
  /** Why the server is out of reach; undefined when all is well. */
  lastError(): unknown
  /**
   * Calls `handler` for every change from now on, after the cache holds it, in the order of the changes, and at once
   * for every object that is there already. The returned function ends it.
   */
  onChange(handler: ChangeHandler<T>): () => void
  /**
   * Makes visible at once what this process has just written or read; never older over newer. With a selector, and
   * without `isSelected`, only objects that are there already are taken: whether a new one matches is the server's to say.
   */
  observe(object: T): void
  /**
   * Hides at once what this process has just deleted, until the server says the same, or lists it again. What
   * finalizers keep alive stays hidden meanwhile, so this is for those who show objects, not for those who clean up.
   */
  observeDeleted(object: T): void
}

const DEFAULT_PAGE_SIZE = 500
const DEFAULT_STALL_AFTER_MS = 90_000
const DEFAULT_BACKOFF: Backoff = { baseMs: 500, maxMs: 30_000 }
/** Time for opening the next watch after a stall, before the informer counts as stale. */
const STALE_GRACE_MS = 30_000

function unchanged<T>(object: T): T {
  return object
}

/** An informer that is empty until it runs. */
export function createInformer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  const { clock, logger, resource } = options
  const stallAfterMs = options.stallAfterMs ?? DEFAULT_STALL_AFTER_MS
  const { transform = unchanged, share = unchanged } = options
  const keep = (object: T): T => share(transform(object))
  const isSelective = options.labelSelector !== undefined || options.fieldSelector !== undefined
  const isSelected = options.isSelected ?? ((object: T) => !isSelective || cache.get(keyOf(object)) !== undefined)
  const cache = createCache<T>(options.indexes ?? {})
  const audience = createAudience<T>(logger, resource.kind)
  const { tell } = audience
  const sync = deferred<boolean>()
  let contactAt: Date | undefined
  let problem: unknown
  let isSynced = false

  const outages = options.outages ?? createOutageLog(clock, logger)
  const sink: FeedSink<T> = {
    contact() {
      contactAt = clock.now()
      if (problem !== undefined) outages.recovered(resource.kind)
      problem = undefined
    },
    failed(error) {
      problem = error
      outages.failed(resource.kind, error)
    },
    listed(objects, version) {
      tell(cache.replaceAll(objects.map(keep), version))
      if (isSynced) options.onRelisted?.()
      isSynced = true
      sync.resolve(true)
    },
    event(event) {
      if (event.type !== 'BOOKMARK') {
        const object = keep(event.object)
        tell(event.type === 'DELETED' ? cache.remove(object) : cache.put(object))
      }
      cache.advance(eventVersion(event) ?? '')
    },
  }
  const isOurs = (object: T): boolean =>
    (options.namespace === undefined || options.namespace === object.metadata.namespace) && isSelected(object)

  return {
    resource,
    get: cache.get,
    list: cache.list,
    byIndex: cache.byIndex,
    async run(signal) {
      await runFeed(toFeedOptions(options, stallAfterMs), sink, signal)
      sync.resolve(false)
    },
    synced: sync.promise,
    hasSynced: () => isSynced,
    isStale: (now) =>
      !isSynced || contactAt === undefined || now.getTime() - contactAt.getTime() > stallAfterMs + STALE_GRACE_MS,
    lastContact: () => contactAt,
    lastError: () => problem,
    onChange(handler) {
      return audience.join(
        handler,
        cache.list().map((object) => ({ type: 'add', object })),
      )
    },
    observe(object) {
      if (isOurs(object)) tell(cache.observe(keep(object)))
    },
    observeDeleted: (object) => tell(cache.conceal(object)),
  }
}

function toFeedOptions<T extends KubeObject>(options: InformerOptions<T>, stallAfterMs: number): FeedOptions<T> {
  return {
    ...options,
    namespace: options.namespace,
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
    pageSize: options.pageSize ?? DEFAULT_PAGE_SIZE,
    backoff: options.backoff ?? DEFAULT_BACKOFF,
    stallAfterMs,
  }
}

/** Those who want to hear of changes. One reader's mistake cuts off neither the others nor the watch. */
function createAudience<T>(logger: Logger, kind: string) {
  const handlers = new Set<ChangeHandler<T>>()
  const call = (handler: ChangeHandler<T>, change: Change<T>): void => {
    try {
      handler(change)
    } catch (error) {
      logger.error({ error, kind }, 'informer handler failed')
    }
  }
  return {
    tell(changes: readonly Change<T>[]): void {
      for (const change of changes) for (const handler of handlers) call(handler, change)
    },
    join(handler: ChangeHandler<T>, past: readonly Change<T>[]): () => void {
      handlers.add(handler)
      for (const change of past) call(handler, change)
      return () => handlers.delete(handler)
    },
  }
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolvePromise: (value: T) => void = () => undefined
  const promise = new Promise<T>((resolve) => {
    resolvePromise = resolve
  })
  return { promise, resolve: resolvePromise }
}

/**
 * The object without `metadata.managedFields`, which is often larger than the rest and of no use here; itself where it
 * has none.
 *
 * By Object.assign: what object spread clones and the cache then freezes gets a hidden class of its own from V8 (Node
 * 20.20), one per object, which costs a kilobyte each and makes every access to it a slow one.
 */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (!('managedFields' in object.metadata)) return object
  const metadata: T['metadata'] & { managedFields?: unknown } = object.metadata
  const { managedFields: _, ...kept } = metadata
  return Object.assign({}, object, { metadata: kept })
}
