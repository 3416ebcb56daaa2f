import { type Kind, keyPrefix } from './kind.ts'
import { parseJson } from './json-value.ts'
import type { ListSelection } from './objects.ts'
import { readState } from './read.ts'
import type { ListMetadata } from './representation.ts'
import { isObject } from './schema/json.ts'
import { type Selection, parseSelection } from './selection.ts'
import { ApiError, badRequest, expired } from './status.ts'
import { type Entry, type Store, RevisionCompacted } from './storage/backend.ts'

/** What a list asks for, as the query parameters of those names. */
export interface ListRequest extends ListSelection {
  readonly limit?: number | undefined
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: string
}

/** Entries are read as they are taken, so a long list is never held whole; `metadata` is known once all are. */
export interface Page {
  readonly chunks: Iterable<readonly Entry[]>
  metadata(): ListMetadata
}

interface ListQuery {
  readonly namespace: string | undefined
  readonly selection: Selection
  readonly revision: number
  readonly after: string | undefined
  readonly limit: number | undefined
}

/** Begins to read a page. @throws ApiError 410 for a state that is forgotten, 400 and 422 for what is no request */
export function openPage(store: Store, kind: Kind, request: ListRequest): Page {
  const query = toQuery(store, kind, request)
  const { limit } = query
  // One more than asked for tells whether there is a next page.
  const chunks = readState(store, kind, { ...query, limit: limit === undefined ? undefined : limit + 1 })
  // Before any header is sent, so that a forgotten state can still be a 410.
  const first = nextChunk(chunks, query)
  let taken = 0
  let last: Entry | undefined
  let hasMore = false
  function* take(): Generator<readonly Entry[]> {
    for (let chunk = first; chunk !== undefined; chunk = nextChunk(chunks, query)) {
      const entries = chunk.slice(0, (limit ?? Infinity) - taken)
      hasMore = entries.length < chunk.length
      taken += entries.length
      if (entries.length === 0) continue
      last = entries.at(-1)
      yield entries
    }
  }
  return { chunks: take(), metadata: () => metadataOf(store, kind, query, hasMore ? last : undefined) }
}

function toQuery(store: Store, kind: Kind, request: ListRequest): ListQuery {
  const selection = parseSelection(kind, request)
  const { namespace, limit, continue: token = '', resourceVersion: wanted = '' } = request
  // As in a real cluster, a list of "any version will do" is whole.
  const paged = limit === undefined || limit <= 0 || (wanted === '0' && token === '') ? undefined : limit
  if (token !== '') {
    if (wanted !== '') throw badRequest('specifying resource version is not allowed when using continue')
    const { revision, after } = decodeContinue(token)
    return { namespace, selection, limit: paged, ...resumeAt(store, kind, { revision, after }) }
  }
  return { namespace, selection, limit: paged, revision: stateFor(store, request), after: undefined }
}

/** A token with revision -1 goes on in the newest state, knowingly inconsistent. */
function resumeAt(store: Store, kind: Kind, { revision, after }: Continuation): { revision: number; after: string } {
  return { revision: revision < 0 ? store.revision : revision, after: keyPrefix(kind) + after }
}

function stateFor(
  store: Store,
  { resourceVersion: wanted = '', resourceVersionMatch: match = '' }: ListRequest,
): number {
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

/** @throws ApiError 410 for a state that is forgotten, which it may be between two chunks too */
function nextChunk(chunks: Chunks, { after }: ListQuery): readonly Entry[] | undefined {
  try {
    const { value, done } = chunks.next()
    return done === true ? undefined : value
  } catch (error) {
    if (!(error instanceof RevisionCompacted)) throw error
    if (after === undefined) throw expired('The resourceVersion for the provided list is too old.')
    throw expired(TOO_OLD_TOKEN, encodeContinue({ revision: -1, after: after.slice(after.indexOf('/') + 1) }))
  }
}

const TOO_OLD_TOKEN =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

function metadataOf(store: Store, kind: Kind, query: ListQuery, last: Entry | undefined): ListMetadata {
  const resourceVersion = String(query.revision)
  if (last === undefined) return { resourceVersion }
  const token = encodeContinue({ revision: query.revision, after: last.key.slice(keyPrefix(kind).length) })
  if (query.selection.isSelective) return { resourceVersion, continue: token }
  const prefix = keyPrefix(kind, kind.namespaced ? query.namespace : undefined)
  return { resourceVersion, continue: token, remainingItemCount: store.count(prefix, last.key) }
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
