import type { Clock } from '../lib/clock.ts'
import { type Kind, keyPrefix } from './kind.ts'
import type { ListSelection } from './objects.ts'
import { readState } from './read.ts'
import { type Selection, parseSelection } from './selection.ts'
import { ApiError, expired, internalError } from './status.ts'
import { type Change, type Store, RevisionCompacted } from './storage/backend.ts'

/**
 * Watches are cursors over the store's bounded history.
 *
 * Nothing is queued per watcher: each one reads on from where it is, when it can. So a slow one costs no memory; if
 * it falls behind the history it is told that its version is too old (410) and lists again.
 */

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly revision: number
  /** The object; for DELETED as it was last, with the revision of its end. */
  readonly json: string
}

/** How often an idle watch is told how far it has come. */
const BOOKMARK_MS = 30_000
/** A watch without timeoutSeconds ends after this, so that no client is served for ever. */
const DEFAULT_TIMEOUT_SECONDS = 30 * 60

/** What a watch asks for, as the query parameters of those names. */
export interface WatchRequest extends ListSelection {
  /** Changes after it. Empty, "0" or absent: first the state as it is now. */
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: string
  readonly sendInitialEvents?: boolean | undefined
  readonly allowWatchBookmarks?: boolean
  readonly timeoutSeconds?: number | undefined
}

export interface WatchContext {
  readonly store: Store
  readonly clock: Clock
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal
}

export type WatchBatch =
  | { readonly kind: 'events'; readonly events: readonly WatchEvent[] }
  /** All up to `revision` has been told; `isInitialEnd`: the state that was asked for. */
  | { readonly kind: 'bookmark'; readonly revision: number; readonly isInitialEnd?: true }

interface WatchStart {
  readonly namespace: string | undefined
  readonly selection: Selection
  readonly after: number
  readonly withState: boolean
  /** Absent: none. */
  readonly bookmarks?: Clock | undefined
  readonly marksInitialEnd?: boolean
}

/**
 * What happens from the version that was asked for, until the time is over, `gone` aborts, or the server stops. What is
 * no request is refused at once.
 *
 * @throws ApiError 410 when the watch has fallen behind the history
 */
export function openWatch(
  { store, clock, stopping }: WatchContext,
  kind: Kind,
  request: WatchRequest,
  gone: AbortSignal,
): AsyncIterable<WatchBatch> {
  const start = toStart(store, clock, kind, request)
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = request
  return untilOver(
    (over) => watchKind(store, kind, start, over),
    [gone, stopping],
    (end) => clock.schedule(Math.max(0, timeoutSeconds) * 1000, end),
  )
}

async function* untilOver<T>(
  open: (over: AbortSignal) => AsyncIterable<T>,
  signals: readonly AbortSignal[],
  limit: (end: () => void) => () => void,
): AsyncGenerator<T, void, void> {
  const over = new AbortController()
  const end = (): void => over.abort()
  const lift = limit(end)
  for (const signal of signals) {
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  }
  try {
    yield* open(over.signal)
  } finally {
    lift()
    for (const signal of signals) signal.removeEventListener('abort', end)
  }
}

function toStart(store: Store, clock: Clock, kind: Kind, request: WatchRequest): WatchStart {
  const selection = parseSelection(kind, request)
  const { namespace, resourceVersion: version = '', sendInitialEvents: initial } = request
  if (!/^\d{0,15}$/.test(version)) {
    throw internalError(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`)
  }
  if (initial === true && request.resourceVersionMatch !== 'NotOlderThan') {
    throw new ApiError(
      422,
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    )
  }
  const isAny = version === '' || version === '0'
  const withState = initial ?? isAny
  return {
    namespace,
    selection,
    after: withState || isAny ? store.revision : Number(version),
    withState,
    bookmarks: request.allowWatchBookmarks === true ? clock : undefined,
    marksInitialEnd: initial === true,
  }
}

/** Batches until `signal` aborts. @throws ApiError 410 when the watch has fallen behind the history */
export async function* watchKind(
  store: Store,
  kind: Kind,
  start: WatchStart,
  signal: AbortSignal,
): AsyncGenerator<WatchBatch, void, void> {
  const bell = ringEvery(start.bookmarks, BOOKMARK_MS)
  try {
    if (start.withState) yield* stateOf(store, kind, start)
    if (start.bookmarks !== undefined && start.marksInitialEnd === true)
      yield { kind: 'bookmark', revision: start.after, isInitialEnd: true }
    yield* changesOf(store, kind, start, bell, signal)
  } catch (error) {
    throw error instanceof RevisionCompacted ? expired(error.message) : error
  } finally {
    bell.stop()
  }
}

function* stateOf(store: Store, kind: Kind, { namespace, selection, after }: WatchStart): Generator<WatchBatch> {
  for (const chunk of readState(store, kind, { namespace, selection, revision: after })) {
    const events = chunk.map(({ revision, value }): WatchEvent => ({ type: 'ADDED', revision, json: value }))
    yield { kind: 'events', events }
  }
}

async function* changesOf(
  store: Store,
  kind: Kind,
  { namespace, selection, after, bookmarks }: WatchStart,
  bell: Bell,
  signal: AbortSignal,
): AsyncGenerator<WatchBatch, void, void> {
  const prefix = keyPrefix(kind, kind.namespaced ? namespace : undefined)
  let revision = after
  while (!signal.aborted) {
    if (bell.hasRung()) yield { kind: 'bookmark', revision }
    if (store.revision <= revision) {
      await moved(store, bell, signal)
      continue
    }
    const changes = store.changesAfter(revision)
    revision = store.revision
    const events = changes
      .filter(({ key }) => key.startsWith(prefix))
      .map((change) => toEvent(change, selection))
      .filter((event) => event !== undefined)
    if (events.length > 0) yield { kind: 'events', events }
  }
  if (bookmarks !== undefined) yield { kind: 'bookmark', revision }
}

/** Tells that time has passed: whether it has rung since it was last asked, and at the moment that it does. */
interface Bell {
  hasRung(): boolean
  onRing: (() => void) | undefined
  stop(): void
}

function ringEvery(clock: Clock | undefined, ms: number): Bell {
  let rung = false
  const again = (): (() => void) | undefined =>
    clock?.schedule(ms, () => {
      rung = true
      cancel = again()
      bell.onRing?.()
    })
  let cancel = again()
  const bell: Bell = {
    hasRung() {
      const answer = rung
      rung = false
      return answer
    },
    onRing: undefined,
    stop: () => cancel?.(),
  }
  return bell
}

/** Resolves with the next durable change, when the bell rings, or when `signal` aborts. */
function moved(store: Store, bell: Bell, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stop()
      bell.onRing = undefined
      signal.removeEventListener('abort', done)
      resolve()
    }
    const stop = store.onChange(done)
    bell.onRing = done
    signal.addEventListener('abort', done)
  })
}

/** What a change means to somebody who sees only the selected objects; undefined when nothing. */
function toEvent(change: Change, selection: Selection): WatchEvent | undefined {
  const { previous, revision } = change
  const wasSeen = previous !== undefined && selection.matchesJson(previous.value)
  const isSeen = change.type === 'put' && selection.matchesJson(change.value)
  if (isSeen) return { type: wasSeen ? 'MODIFIED' : 'ADDED', revision, json: change.value }
  if (!wasSeen) return undefined
  // Who leaves the selection is shown as it was when it was still in, but with the new version.
  const json = change.type === 'remove' ? change.value : withRevision(previous.value, revision)
  return { type: 'DELETED', revision, json }
}

function withRevision(json: string, revision: number): string {
  const object: { metadata: { resourceVersion?: string } } = JSON.parse(json)
  object.metadata.resourceVersion = String(revision)
  return JSON.stringify(object)
}
