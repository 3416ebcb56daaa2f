import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Kind } from '../kind.ts'
import { openPage } from '../list.ts'
import type { ListSelection } from '../objects.ts'
import type { Representation } from '../representation.ts'
import type { Store } from '../storage/backend.ts'
import { wholeNumber } from './query.ts'

/** Answers a list. Items are written as they are read. */
export async function serveList(
  { store }: { readonly store: Store },
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
  form: Representation,
  response: ServerResponse,
): Promise<void> {
  const page = openPage(store, kind, {
    ...selectionOf(namespace, query),
    limit: wholeNumber(query, 'limit'),
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
  })
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })
  let separator = ''
  response.write(form.listHead)
  for (const entries of page.chunks) {
    const text = separator + entries.map(({ value }) => form.item(value)).join(',')
    separator = ','
    if (!response.write(text)) await drained(response)
    if (response.destroyed) return
  }
  response.end(form.listTail(page.metadata()))
}

/** The objects that a query selects. */
export function selectionOf(namespace: string | undefined, query: URLSearchParams): ListSelection {
  return {
    namespace,
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
  }
}

/** Waits until a response takes more, or is gone. */
export async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return
  const gone = new AbortController()
  const closed = (): void => gone.abort()
  response.once('close', closed)
  try {
    await once(response, 'drain', { signal: gone.signal })
  } catch (error) {
    if (!gone.signal.aborted) throw error
  } finally {
    response.off('close', closed)
  }
}
