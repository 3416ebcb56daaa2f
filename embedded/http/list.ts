import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Kind } from '../kind.ts'
import { keyPrefix } from '../kind.ts'
import { readState } from '../read.ts'
import type { ListMetadata, Representation } from '../representation.ts'
import { isObject } from '../schema/json.ts'
import type { Selection } from '../selection.ts'
import { parseSelection } from '../selection.ts'
import { ApiError, badRequest, expired } from '../status.ts'
import type { Entry, Store } from '../storage/backend.ts'
import { RevisionCompacted } from '../storage/backend.ts'
import { parseJson } from './body.ts'
import { wholeNumber } from './query.ts'

interface ListQuery {
  readonly namespace: string | undefined
  readonly selection: Selection
  readonly revision: number
  readonly after: string | undefined
  readonly limit: number | undefined
}

/** Answers a list. Items are written as they are read, so a long list is never held whole. */
export async function serveList(
  store: Store,
  kind: Kind,
  namespace: string | undefined,
  query: URLSearchParams,
  form: Representation,
  response: ServerResponse,
): Promise<void> {
  const listQuery = parseListQuery(store, kind, namespace, query)
  const { limit } = listQuery
  // One more than asked for tells whether there is a next page.
  const chunks = readState(store, kind, { ...listQuery, limit: limit === undefined ? undefined : limit + 1 })
  const first = firstChunk(chunks, listQuery)
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })
  let sent = 0
  let last: Entry | undefined
  let hasMore = false
  response.write(form.listHead)
  for (let chunk = first; chunk !== undefined; chunk = nextChunk(chunks)) {
    const entries = chunk.slice(0, (limit ?? Infinity) - sent)
    hasMore = entries.length < chunk.length
    if (entries.length > 0) {
      const text = (sent > 0 ? ',' : '') + entries.map(({ value }) => form.item(value)).join(',')
      sent += entries.length
      last = entries.at(-1)
      if (!response.write(text)) await drained(response)
    }
    if (response.destroyed) return
  }
  response.end(form.listTail(metadataOf(store, kind, listQuery, hasMore ? last : undefined)))
}

function parseListQuery(store: Store, kind: Kind, namespace: string | undefined, query: URLSearchParams): ListQuery {
  const selection = parseSelection(kind, {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
  })
  const limit = wholeNumber(query, 'limit')
  const token = query.get('continue') ?? ''
  const wanted = query.get('resourceVersion') ?? ''
  // As in a real cluster, a list of "any version will do" is whole.
  const paged = limit === undefined || limit <= 0 || (wanted === '0' && token === '') ? undefined : limit
  if (token !== '') {
    if (wanted !== '') throw badRequest('specifying resource version is not allowed when using continue')
    const { revision, after } = decodeContinue(token)
    return { namespace, selection, limit: paged, ...resumeAt(store, kind, { revision, after }) }
  }
  return { namespace, selection, limit: paged, revision: stateFor(store, query, wanted), after: undefined }
}

/** A token with revision -1 goes on in the newest state, knowingly inconsistent. */
function resumeAt(store: Store, kind: Kind, { revision, after }: Continuation): { revision: number; after: string } {
  return { revision: revision < 0 ? store.revision : revision, after: keyPrefix(kind) + after }
}

function stateFor(store: Store, query: URLSearchParams, wanted: string): number {
  const match = query.get('resourceVersionMatch') ?? ''
  if (wanted === '' || wanted === '0') {
    if (match === 'Exact' || (match !== '' && wanted === '')) throw forbiddenMatch(match)
    return store.revision
  }
  const revision = parseRevision(wanted)
  if (revision > store.revision) throw tooLarge(revision, store.revision)
  if (match !== 'Exact') return store.revision
  if (revision < store.compactedRevision) throw expired('The resourceVersion for the provided list is too old.')
  return revision
}

/** @throws ApiError 400 when it is no whole number */
function parseRevision(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw badRequest(
      `Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    )
  return Number(text)
}

function forbiddenMatch(match: string): ApiError {
  return new ApiError(
    422,
    'Invalid',
    `ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch ${match} is forbidden unless resourceVersion is provided`,
  )
}

function tooLarge(wanted: number, current: number): ApiError {
  return new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    retryAfterSeconds: 1,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  })
}

type Chunks = Iterator<readonly Entry[]>

/** Reads the first chunk before any header is sent, so that a forgotten state can still be a 410. */
function firstChunk(chunks: Chunks, { after }: ListQuery): readonly Entry[] | undefined {
  try {
    return nextChunk(chunks)
  } catch (error) {
    if (!(error instanceof RevisionCompacted)) throw error
    if (after === undefined) throw expired('The resourceVersion for the provided list is too old.')
    throw expired(TOO_OLD_TOKEN, encodeContinue({ revision: -1, after: after.slice(after.indexOf('/') + 1) }))
  }
}

const TOO_OLD_TOKEN =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

function nextChunk(chunks: Chunks): readonly Entry[] | undefined {
  const { value, done } = chunks.next()
  return done === true ? undefined : value
}

function metadataOf(store: Store, kind: Kind, query: ListQuery, last: Entry | undefined): ListMetadata {
  const resourceVersion = String(query.revision)
  if (last === undefined) return { resourceVersion }
  const token = encodeContinue({ revision: query.revision, after: last.key.slice(keyPrefix(kind).length) })
  if (query.selection.isSelective) return { resourceVersion, continue: token }
  const prefix = keyPrefix(kind, kind.namespaced ? query.namespace : undefined)
  return { resourceVersion, continue: token, remainingItemCount: store.count(prefix, last.key) }
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

/** Where the next page of a list begins: in which state, and behind which object (`<namespace>/<name>`). */
interface Continuation {
  readonly revision: number
  readonly after: string
}

const VERSION = 'meta.k8s.io/v1'
const INVALID = 'continue key is not valid: '

/** The token is opaque to clients; its form is that of a kube-apiserver. */
function encodeContinue({ revision, after }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start: `${after}\0` })).toString('base64url')
}

/** @throws ApiError 400 for what is no token of ours */
function decodeContinue(token: string): Continuation {
  const value = parseJson(Buffer.from(token, 'base64url').toString('utf8'), (detail) => badRequest(INVALID + detail))
  if (!isObject(value) || value['v'] !== VERSION) throw badRequest(`${INVALID}incorrect encoding`)
  const { rv, start } = value
  if (typeof rv !== 'number' || typeof start !== 'string' || !start.endsWith('\0')) {
    throw badRequest(`${INVALID}no start or version in it`)
  }
  return { revision: rv, after: start.slice(0, -1) }
}
