import type { ServerResponse } from 'node:http'
import type { Clock } from '../../lib/clock.ts'
import { apiVersionOf } from '../kind.ts'
import type { Kind } from '../kind.ts'
import { eventLine } from '../representation.ts'
import type { Representation } from '../representation.ts'
import { parseSelection } from '../selection.ts'
import { ApiError, expired, internalError, toStatus } from '../status.ts'
import { RevisionCompacted } from '../storage/backend.ts'
import type { Store } from '../storage/backend.ts'
import { watchKind } from '../watch.ts'
import type { WatchStart } from '../watch.ts'
import { drained } from './list.ts'
import { flag, wholeNumber } from './query.ts'

/** How often an idle watch is told how far it has come. */
const BOOKMARK_MS = 30_000
/** A watch without timeoutSeconds ends after this, so that no connection is kept for ever. */
const DEFAULT_TIMEOUT_SECONDS = 30 * 60
/** A client that reads nothing for this long is cut. */
const STALLED_MS = 60_000

export interface WatchContext {
  readonly store: Store
  readonly clock: Clock
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal
}

interface WatchRequest {
  readonly start: WatchStart
  readonly bookmarks: boolean
  readonly sendInitialEvents: boolean
  readonly timeoutMs: number
}

/** Answers a watch until its time is over, the client goes, or the server stops. */
export async function serveWatch(
  context: WatchContext,
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
  form: Representation,
  response: ServerResponse,
): Promise<void> {
  const request = parseWatch(context.store, kind, namespace, query)
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })
  // Before the first event: kubectl waits for the headers before it starts its own time-out.
  response.flushHeaders()
  const over = new AbortController()
  const end = (): void => over.abort()
  const cancelTimeout = context.clock.schedule(request.timeoutMs, end)
  response.once('close', end)
  context.stopping.addEventListener('abort', end)
  try {
    await stream(context, kind, request, form, response, over.signal)
  } finally {
    cancelTimeout()
    context.stopping.removeEventListener('abort', end)
    response.end()
  }
}

function parseWatch(store: Store, kind: Kind, namespace: string | undefined, query: URLSearchParams): WatchRequest {
  const selection = parseSelection(kind, {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
  })
  const version = query.get('resourceVersion') ?? ''
  if (!/^\d{0,15}$/.test(version)) {
    throw internalError(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`)
  }
  const initial = query.get('sendInitialEvents')
  const sendInitialEvents = initial !== null && flag(query, 'sendInitialEvents')
  if (sendInitialEvents && query.get('resourceVersionMatch') !== 'NotOlderThan') {
    throw new ApiError(
      422,
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    )
  }
  const isAny = version === '' || version === '0'
  const withState = initial === null ? isAny : sendInitialEvents
  const timeoutSeconds = wholeNumber(query, 'timeoutSeconds') ?? DEFAULT_TIMEOUT_SECONDS
  return {
    start: { namespace, selection, after: withState || isAny ? store.revision : Number(version), withState },
    bookmarks: flag(query, 'allowWatchBookmarks'),
    sendInitialEvents,
    timeoutMs: Math.max(0, timeoutSeconds) * 1000,
  }
}

async function stream(
  { store, clock }: WatchContext,
  kind: Kind,
  { start, bookmarks, sendInitialEvents }: WatchRequest,
  form: Representation,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  let reached = start.withState ? 0 : start.after
  let isFirst = true
  const stopBookmarks = bookmarks ? every(clock, BOOKMARK_MS, () => bookmark()) : undefined
  const bookmark = (annotations?: { [key: string]: string }): void => {
    // Before the state is told there is no version from which a client could go on.
    if (reached > 0 && !response.destroyed) response.write(bookmarkLine(kind, reached, annotations))
  }
  try {
    for await (const batch of watchKind(store, kind, start, signal)) {
      reached = batch.kind === 'synced' || !start.withState || reached > 0 ? batch.revision : 0
      if (batch.kind === 'synced') {
        if (bookmarks && sendInitialEvents) bookmark({ 'k8s.io/initial-events-end': 'true' })
        continue
      }
      if (batch.events.length === 0) continue
      const text = batch.events.map((event, i) => eventLine(event, form, isFirst && i === 0)).join('')
      isFirst = false
      if (!response.write(text)) await drainedInTime(clock, response)
    }
    if (bookmarks) bookmark()
  } catch (error) {
    if (!(error instanceof RevisionCompacted)) throw error
    response.write(`{"type":"ERROR","object":${JSON.stringify(toStatus(expired(error.message)))}}\n`)
  } finally {
    stopBookmarks?.()
  }
}

function bookmarkLine(kind: Kind, revision: number, annotations?: { [key: string]: string }): string {
  const metadata = { resourceVersion: String(revision), ...(annotations === undefined ? {} : { annotations }) }
  return `${JSON.stringify({ type: 'BOOKMARK', object: { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata } })}\n`
}

async function drainedInTime(clock: Clock, response: ServerResponse): Promise<void> {
  const cancel = clock.schedule(STALLED_MS, () => response.destroy())
  await drained(response)
  cancel()
}

function every(clock: Clock, ms: number, callback: () => void): () => void {
  let cancel = clock.schedule(ms, function again() {
    callback()
    cancel = clock.schedule(ms, again)
  })
  return () => cancel()
}
