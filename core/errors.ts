import { listOf } from './sentences/amounts.ts'

/**
 * Every refusal that a caller of the REST API can meet, as one table: the code that programs switch on (it stands in the
 * header `Slipway-Error`), the HTTP status, and the message for people in the words of the contract. Source:
 * specification §11.
 */

/** One kind of refusal; all its parts are made of the same arguments. */
interface Refusal<Args extends readonly unknown[]> {
  readonly status: number
  message(...args: Args): string
  /** Go out with the answer, as `Allow` does with 405. */
  headers?(...args: Args): Readonly<Record<string, string>>
  /** True for a 5xx that is an answer like any other, not a failure of ours: an agent's doing, or a state we are in. */
  readonly isOthers?: true
}

function refusal<Args extends readonly unknown[]>(row: Refusal<Args>): Refusal<Args> {
  return row
}

const said = (message: string): string => message
const saidAndWhen = (message: string, _retryAfterSeconds?: number): string => message
const retryAfter = (_message: string, seconds?: number): Readonly<Record<string, string>> =>
  seconds === undefined ? {} : { 'Retry-After': String(seconds) }

const TABLE = {
  // The request
  invalid_json: refusal({ status: 400, message: (reason: string) => `invalid JSON: ${reason}` }),
  /** What was sent cannot be read as HTTP/1.1 (RFC 9112). */
  malformed_request: refusal({ status: 400, message: () => 'this is no HTTP/1.1 request' }),
  /** A part of the request does not fit its schema; the message names field or value. */
  invalid_request: refusal({ status: 400, message: said }),
  /** A request names another record that does not exist: an agent, a dependency, a project. */
  unknown_reference: refusal({
    status: 400,
    message: (field: string, kind: string, id: string, place: 'nowhere' | 'archive' = 'nowhere') =>
      place === 'archive'
        ? `${field}: ${kind} ${id} is archived: restore it first`
        : `${field}: ${kind} ${id} does not exist`,
  }),
  /** A PUT would change what only the system writes. */
  read_only_field: refusal({ status: 400, message: (field: string) => `${field} is read-only` }),
  route_not_found: refusal({ status: 404, message: (path: string) => `no such path: ${path}` }),
  /** RFC 9110 §15.5.6: the answer names the methods that the path has. */
  method_not_allowed: refusal({
    status: 405,
    message: (method: string, allowed: readonly string[]) =>
      `method ${method} is not allowed here; allowed: ${allowed.join(', ')}`,
    headers: (_method, allowed) => ({ Allow: allowed.join(', ') }),
  }),
  /** RFC 9110 §15.5.9. */
  request_timed_out: refusal({ status: 408, message: said }),
  payload_too_large: refusal({
    status: 413,
    message: (limitBytes: number, what: string = 'the request body') => `${what} is larger than ${limitBytes} bytes`,
  }),
  /** RFC 9110 §15.5.15. */
  uri_too_long: refusal({ status: 414, message: (limit: number) => `the address is longer than ${limit} characters` }),
  unsupported_media_type: refusal({
    status: 415,
    message: (given: string, wanted: readonly string[] = ['application/json']) =>
      `content type ${given === '' ? '(none)' : given} is not supported; send ${wanted.join(' or ')}`,
  }),
  unsupported_charset: refusal({
    status: 415,
    message: (given: string) => `charset ${given} is not supported; send the body as utf-8`,
  }),
  /** A small compressed body could unpack to anything, so none is unpacked (RFC 9110 §15.5.16). */
  unsupported_encoding: refusal({
    status: 415,
    message: (given: string) => `content encoding ${given} is not supported; send the body as it is`,
    headers: () => ({ 'Accept-Encoding': 'identity' }),
  }),
  /** The asked part lies outside the file (RFC 9110 §15.5.17). */
  range_not_satisfiable: refusal({
    status: 416,
    message: (range: string, sizeBytes: number) => `range ${range} lies outside the ${sizeBytes} bytes there are`,
    headers: (_range, sizeBytes) => ({ 'Content-Range': `bytes */${sizeBytes}` }),
  }),
  /** `Expect` asks for something else than `100-continue` (RFC 9110 §10.1.1). */
  expectation_failed: refusal({
    status: 417,
    message: (given: string) => `the expectation ${given} is not known; the only one that is: 100-continue`,
  }),
  /** The request is understood, but nothing can be made of it (RFC 9110 §15.5.21). */
  unprocessable: refusal({ status: 422, message: said }),
  /** A plain request to a path that speaks WebSocket only (RFC 9110 §15.5.22). */
  upgrade_required: refusal({
    status: 426,
    message: () => 'this path is a WebSocket; connect with a WebSocket client',
    headers: () => ({ Upgrade: 'websocket' }),
  }),
  /** RFC 6585 §4. */
  too_many_requests: refusal({
    status: 429,
    message: (retryAfterSeconds: number) => `too many requests; try again in ${retryAfterSeconds} s`,
    headers: (retryAfterSeconds) => ({ 'Retry-After': String(retryAfterSeconds) }),
  }),
  /** RFC 6585 §5: too many header fields, or too long ones. */
  headers_too_large: refusal({ status: 431, message: said }),

  // The caller
  unauthorized: refusal({
    status: 401,
    message: () => 'a valid token is required: send it as Authorization: Bearer <token>',
    headers: () => ({ 'WWW-Authenticate': 'Bearer' }),
  }),
  /** The caller's token is not good for this operation (RFC 6750 §3.1). */
  forbidden: refusal({
    status: 403,
    message: (caller: string, scope: string) => `${caller} lacks the scope ${scope}`,
    headers: (_caller, scope) => ({ 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }),
  }),
  /** Kubernetes does not let the caller do it. */
  right_missing: refusal({
    status: 403,
    message: (caller: string, verb: string, resource: string, namespace: string) =>
      `user ${caller} may not ${verb} ${resource} in namespace ${namespace}: bind a role that has the verb ${verb}`,
  }),
  /** Four eyes are asked for, and these are not (specification §4.33). */
  second_person_needed: refusal({
    status: 403,
    message: (kind: string, reason: string) => `${kind} cannot be accepted: ${reason}`,
  }),
  /** The request came by a host name or from a web page that this server does not answer; a session demands an Origin. */
  foreign_origin: refusal({
    status: 403,
    message: (header: 'Host' | 'Origin', value: string | undefined) =>
      value === undefined
        ? 'a session is for pages of this server, which send their Origin; a program sends its token'
        : `${header} ${value} is not allowed; set publicUrl or allowedHosts to allow it`,
  }),
  /** A webhook without a signature, or with one that its body does not have. */
  signature_rejected: refusal({
    status: 401,
    message: () => 'X-Hub-Signature-256 is missing or is not the signature of this body',
    headers: () => ({ 'WWW-Authenticate': 'X-Hub-Signature-256' }),
  }),
  /** Nobody reads it, but the access log shows its status, which is nginx's; no RFC has one. */
  caller_gone: refusal({ status: 499, message: () => 'the caller has gone' }),

  // The record
  /** The record that the path names does not exist; `kind` in the words of the contract: `task`, `execution` … */
  not_found: refusal({ status: 404, message: (kind: string) => `${kind} not found` }),
  /** Archived records are read-only (specification §14.4). */
  archived: refusal({ status: 409, message: (kind: string) => `${kind} is archived: restore it first` }),
  /** An archived record is not as it was written; the message names the file. */
  archive_damaged: refusal({
    status: 500,
    message: (problem: string) => `${problem}; put it back from a backup of the data volume`,
    isOthers: true,
  }),
  already_exists: refusal({ status: 409, message: (kind: string, id: string) => `${kind} ${id} already exists` }),
  /** The id that a create asks for is still held by a record that is being deleted. */
  being_deleted: refusal({
    status: 409,
    message: (kind: string, id: string) => `${kind} ${id} is being deleted; try again in a moment`,
    headers: () => ({ 'Retry-After': '1' }),
  }),
  /** Its past is in the archive and about to come back: what was decided now would take its place. */
  being_restored: refusal({
    status: 409,
    message: (kind: string, id: string) => `${kind} ${id} is being restored; try again in a moment`,
    headers: () => ({ 'Retry-After': '1' }),
  }),
  /** Other records need this one; `relation` says how one does and how many do: `depends on it`, `depend on it`. */
  in_use: refusal({
    status: 409,
    message: (kind: string, id: string, users: readonly string[], relation: readonly [one: string, many: string]) =>
      `${kind} ${id} cannot be deleted: ${listOf(users.toSorted(), { most: MAX_NAMED })} ${relation[users.length === 1 ? 0 : 1]}`,
  }),
  /** The state of a record does not allow the move. */
  transition_refused: refusal({ status: 409, message: said }),
  /** Several writers changed the same record again and again; the caller may simply repeat the request. */
  write_contended: refusal({
    status: 409,
    message: (kind: string, id: string) => `${kind} ${id} keeps changing; try again`,
  }),
  /** `If-Match` names a version that is no longer the current one (RFC 9110 §13.1.1). */
  precondition_failed: refusal({ status: 412, message: said }),
  too_many_subscriptions: refusal({
    status: 409,
    message: (limit: number) => `${limit} browsers are subscribed already; unsubscribe one that is no longer used`,
  }),

  // Scripts and plans
  /** A script runs already, or there is nothing for it to run. */
  script_refused: refusal({ status: 409, message: said }),
  script_timed_out: refusal({
    status: 504,
    message: (script: string, limitSeconds: number) => `script ${script} was ended after ${limitSeconds} seconds`,
  }),
  /** A plan cannot become a story as things are; nothing is left of it (specification §5.12). */
  approval_refused: refusal({ status: 409, message: (reason: string) => `nothing was approved: ${reason}` }),
  /** The branch of a story was not there in time (RFC 9110 §15.6.5). */
  approval_timed_out: refusal({ status: 504, message: (reason: string) => `nothing was approved: ${reason}` }),

  // Agents
  /** Each agent is drained, limited, not installed or without credentials, and the message says which is what. */
  agent_unavailable: refusal({ status: 503, message: saidAndWhen, headers: retryAfter, isOthers: true }),
  /** The agent that was asked ended without an answer, for a reason of its own (RFC 9110 §15.6.3). */
  agent_failed: refusal({ status: 502, message: said, isOthers: true }),
  /** The agent that was asked did not answer in time (RFC 9110 §15.6.5). */
  agent_timed_out: refusal({ status: 504, message: said, isOthers: true }),

  // The server
  /** A write got no answer: it may have been done (specification §11.3). */
  outcome_unknown: refusal({
    status: 500,
    message: () => 'the control plane did not answer: whether this was done is not known; look before you do it again',
  }),
  /** Writing or reading a record failed; the message is the underlying error's, as the contract asks. */
  storage_failed: refusal({ status: 500, message: (cause: Error) => textOf(cause) }),
  /** As many clients as the limit allows are connected, or the server stops. A probe asks each second: it is told once. */
  unavailable: refusal({ status: 503, message: saidAndWhen, headers: retryAfter, isOthers: true }),
  /** The disk that the request would write to is full (RFC 4918 §11.5). */
  insufficient_storage: refusal({ status: 507, message: said }),
} as const

/** What programs switch on; a code keeps its meaning. */
export type ErrorCode = keyof typeof TABLE

/** Every code, in the order of the table. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(TABLE).filter(isErrorCode)

/** The HTTP status of a code. */
export function statusOfError(code: ErrorCode): number {
  return TABLE[code].status
}

/** Whether a text is a code of the table. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(TABLE, text)
}

/** What the message of each code is made of. */
type ErrorArgs = { readonly [C in ErrorCode]: Parameters<(typeof TABLE)[C]['message']> }

const ERRORS: { readonly [C in ErrorCode]: Refusal<ErrorArgs[C]> } = TABLE

/** The response header that carries the code of a refusal (specification §11.1). */
export const ERROR_HEADER = 'Slipway-Error'

/** A refusal of the table. {@link apiError} words it; `new` is for a message that is said in one place only. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly isOthers: boolean
  /** Further members of the answer. */
  more: Readonly<Record<string, unknown>> = {}

  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.status = ERRORS[code].status
    this.headers = headers
    this.isOthers = ERRORS[code].isOthers === true
  }

  /** Says more in the answer than the error. */
  saying(more: Readonly<Record<string, unknown>>): this {
    this.more = more
    return this
  }

  /** Keeps the error that led here, for the log. */
  causedBy(cause: unknown): this {
    this.cause = cause
    return this
  }
}

/** The refusal of that code, its message made of `args`. */
export function apiError<C extends ErrorCode>(code: C, ...args: ErrorArgs[C]): ApiError {
  const row: Refusal<ErrorArgs[C]> = ERRORS[code]
  return new ApiError(code, row.message(...args), row.headers?.(...args) ?? {})
}

/** Whether an error is a refusal of one of these codes. */
export function isApiError(error: unknown, ...codes: readonly ErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code)
}

/** A move that the state alone rules out: `task cannot be deleted from state RUNNING`. */
export function refusedFromState(kind: string, done: string, state: string): ApiError {
  return apiError('transition_refused', `${kind} cannot be ${done} from state ${state}`)
}

/** Records that a refusal names one by one. */
const MAX_NAMED = 100

/** Several attempts that failed together, as for a name with several addresses, have no text of their own. */
function textOf(error: Error): string {
  if (error.message !== '') return error.message
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : []
  return first instanceof Error ? textOf(first) : error.name
}
