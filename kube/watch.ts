import { readLines } from './lines.ts'
import { collectionPath, withQuery } from './paths.ts'
import { watchErrorToKubeError } from './status.ts'
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
      throw watchErrorToKubeError(line.object)
    default:
      // An event type of a later Kubernetes is skipped, as client-go does.
      line satisfies never
      return undefined
  }
}
