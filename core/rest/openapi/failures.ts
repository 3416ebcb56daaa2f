import { ERROR_HEADER } from '../../errors.ts'
import type { JsonObject } from '../../json.ts'
import type { ErrorStatus, Route } from '../route.ts'

/** Every status of a refusal, with its name under `components/responses` and what it means. */
const FAILURES = {
  400: [
    'BadRequest',
    'A parameter or the body is invalid, or names something that does not exist; the text says which.',
  ],
  401: ['Unauthorized', 'The token is missing or wrong.'],
  403: ['Forbidden', 'The Host or Origin is not allowed here, or the token lacks the scope.'],
  404: ['NotFound', 'There is no such record.'],
  408: ['RequestTimedOut', 'The request did not arrive in time.'],
  409: ['Conflict', 'The state of the record, or another record, does not allow it.'],
  412: ['PreconditionFailed', 'The record has changed since the version in If-Match.'],
  413: ['PayloadTooLarge', 'The body is larger than the limit.'],
  414: ['UriTooLong', 'The address is longer than 8000 characters.'],
  415: ['UnsupportedMediaType', 'The body is of a type that the operation does not read.'],
  416: ['RangeNotSatisfiable', 'The range is outside the file.'],
  422: ['Unprocessable', 'The request is valid, but cannot be processed.'],
  426: ['UpgradeRequired', 'The path is a WebSocket.'],
  429: ['TooManyRequests', 'Too many requests from this address.'],
  431: ['HeadersTooLarge', 'The header fields are too many or too long.'],
  500: ['StorageFailed', 'The control plane or the data volume failed; the text is that of the cause.'],
  502: ['AgentFailed', 'The agent that was asked failed; the text says how.'],
  503: [
    'Unavailable',
    'The server is starting, stopping, or has reached its limit of clients; or no agent is available.',
  ],
  504: ['TimedOut', 'It took longer than allowed.'],
  507: ['InsufficientStorage', 'The data volume has no space left.'],
} as const satisfies Record<ErrorStatus | 403 | 408 | 414 | 431 | 500, readonly [string, string]>

/** Headers that come with a status beside those of every refusal. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  416: ['Content-Range'],
  426: ['Upgrade'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

type FailureStatus = keyof typeof FAILURES

/** Paths that answer before the caches are filled, as the API server's `ready` lets them. */
const ALWAYS_READY: ReadonlySet<string> = new Set(['getVersion', 'getHealth'])

/** `components/responses`: one per status, and 405, which belongs to a path and not to any of its operations. */
export function failureComponents(header: (name: string) => JsonObject): JsonObject {
  const entries = Object.entries(FAILURES).map(([status, [name, description]]) => [
    name,
    failure(description, HEADERS[status] ?? [], header),
  ])
  const methodNotAllowed = failure('The path exists, but not with this method.', ['Allow'], header)
  return { ...Object.fromEntries(entries), MethodNotAllowed: methodNotAllowed }
}

function failure(description: string, headers: readonly string[], header: (name: string) => JsonObject): JsonObject {
  return {
    description,
    headers: Object.fromEntries(['X-Request-Id', ERROR_HEADER, ...headers].map((name) => [name, header(name)])),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

/**
 * Everything that an operation can be refused with: what its row lists, and what meets any request of its kind, since
 * parameters are checked, access is checked and storage may fail everywhere.
 */
export function failuresOf(route: Route): JsonObject {
  const general: FailureStatus[] = [400, 403, 408, 414, 431, 500]
  if (needsToken(route)) general.push(401)
  if (!ALWAYS_READY.has(route.id)) general.push(503)
  const statuses = [...new Set<FailureStatus>([...general, ...route.errors])].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/${FAILURES[status][0]}` }]),
  )
}

/** Whether a token is asked for where one is configured: below /api/, unless the row says otherwise. */
export function needsToken({ path, isOpen }: Pick<Route, 'path' | 'isOpen'>): boolean {
  return path.startsWith('/api/') && isOpen !== true
}
