import type { ServerResponse } from 'node:http'
import type { Clock } from '../../lib/clock.ts'
import { type Kind, apiVersionOf } from '../kind.ts'
import { type Representation, eventLine } from '../representation.ts'
import { ApiError, toStatus } from '../status.ts'
import { type WatchBatch, type WatchContext, openWatch } from '../watch.ts'
import { drained, selectionOf } from './list.ts'
import { flag, wholeNumber } from './query.ts'

/** A client that reads nothing for this long is cut. */
const STALLED_MS = 60_000

/** Answers a watch until its time is over, the client goes, or the server stops. */
export async function serveWatch(
  context: WatchContext,
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
  form: Representation,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  const request = {
    ...selectionOf(namespace, query),
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    sendInitialEvents: query.has('sendInitialEvents') ? flag(query, 'sendInitialEvents') : undefined,
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks'),
    timeoutSeconds: wholeNumber(query, 'timeoutSeconds'),
  }
  const batches = openWatch(context, kind, request, gone.signal)
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })
  // Before the first event: kubectl waits for the headers before it starts its own time-out.
  response.flushHeaders()
  response.once('close', () => gone.abort())
  try {
    await write(context.clock, kind, batches, form, response)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    response.write(`{"type":"ERROR","object":${JSON.stringify(toStatus(error))}}\n`)
  } finally {
    response.end()
  }
}

async function write(
  clock: Clock,
  kind: Kind,
  batches: AsyncIterable<WatchBatch>,
  form: Representation,
  response: ServerResponse,
): Promise<void> {
  let isFirst = true
  for await (const batch of batches) {
    if (response.destroyed) return
    const text =
      batch.kind === 'bookmark'
        ? bookmarkLine(kind, batch.revision, batch.isInitialEnd === true)
        : batch.events.map((event, i) => eventLine(event, form, isFirst && i === 0)).join('')
    isFirst &&= batch.kind === 'bookmark'
    if (!response.write(text)) await drainedInTime(clock, response)
  }
}

function bookmarkLine(kind: Kind, revision: number, isInitialEnd: boolean): string {
  const annotations = isInitialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
  const metadata = { resourceVersion: String(revision), ...annotations }
  return `${JSON.stringify({ type: 'BOOKMARK', object: { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata } })}\n`
}

async function drainedInTime(clock: Clock, response: ServerResponse): Promise<void> {
  const cancel = clock.schedule(STALLED_MS, () => response.destroy())
  await drained(response)
  cancel()
}
