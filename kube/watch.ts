import { collectionPath, withQuery } from './paths.ts'
import { statusToKubeError } from './status.ts'
import type { Transport } from './transport.ts'
import type { KubeObject, Resource, WatchEvent, WatchOptions } from './types.ts'

/** One line of a watch, as the API server sends it. */
type WatchLine<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: { readonly metadata: { readonly resourceVersion: string } } }
  | { readonly type: 'ERROR'; readonly object: unknown }

/**
 * The changes after `query.resourceVersion`, with bookmarks.
 *
 * Ends when the server ends the watch, and quietly when `signal` aborts.
 *
 * @throws KubeError for an HTTP error and for an ERROR event, Expired for one that says 410
 * @throws StreamCut when the connection ends in the middle of an event
 */
export async function* watchEvents<T extends KubeObject>(
  transport: Transport,
  resource: Resource<T>,
  query: WatchOptions,
  signal: AbortSignal,
  onOpen?: () => void,
): AsyncGenerator<WatchEvent<T>, void, void> {
  const { namespace, ...rest } = query
  const path = withQuery(collectionPath(resource, namespace), { watch: true, allowWatchBookmarks: true, ...rest })
  try {
    const stream = await transport.stream({ method: 'GET', path, signal })
    onOpen?.()
    for await (const line of readLines(stream)) {
      const event = toWatchEvent<T>(JSON.parse(line))
      if (event) yield event
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function toWatchEvent<T>(line: WatchLine<T>): WatchEvent<T> | undefined {
  switch (line.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: line.type, object: line.object }
    case 'BOOKMARK':
      return { type: 'BOOKMARK', resourceVersion: line.object.metadata.resourceVersion }
    case 'ERROR':
      throw statusToKubeError(line.object)
    default:
      // An event type of a later Kubernetes is skipped, as client-go does.
      line satisfies never
      return undefined
  }
}

const NEWLINE = 0x0a

/** A stream that ended in the middle of a line: what was cut off is unknown, so nothing of it is used. */
export class StreamCut extends Error {
  override readonly name = 'StreamCut'
  readonly code = 'ECONNRESET'
}

/**
 * Splits a byte stream into lines, however the bytes are cut into chunks.
 *
 * Bytes are decoded line by line, so a character that two chunks share is whole; lines have no length limit and
 * cost time proportional to their length. Empty lines are left out.
 *
 * @throws StreamCut when the stream ends after an unfinished line
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let unfinished: Uint8Array[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = decode([...unfinished, chunk.subarray(start, end)])
      unfinished = []
      start = end + 1
      if (line !== '') yield line
    }
    if (start < chunk.length) unfinished.push(chunk.subarray(start))
  }
  if (decode(unfinished).trim() !== '') throw new StreamCut('the stream ended in the middle of a line')
}

function decode(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8')
}
