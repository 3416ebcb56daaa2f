/**
 * Every refusal that a caller of the REST API can meet, one class per case: `code` for programs, `status` for HTTP,
 * the message for people in the words of the contract (specification §11).
 */

/** Header of every refusal: its `code`, for programs (specification §11.1). */
export const ERROR_CODE_HEADER = 'Slipway-Error'

/** What all of them share. `headers` go out with the answer, as `Allow` does with 405. */
export abstract class ApiError extends Error {
  abstract readonly code: string
  abstract readonly status: number
  readonly headers: Readonly<Record<string, string>> = {}
  /** True for a 5xx that is an answer like any other, not a failure of ours: an agent's doing, or a state we are in. */
  readonly isOthers: boolean = false
}

/** The record that the path names does not exist. */
export class RecordNotFound extends ApiError {
  override readonly name = 'RecordNotFound'
  readonly code = 'not_found'
  readonly status = 404

  /** @param kind in the words of the contract: `task`, `execution` … */
  constructor(kind: string) {
    super(`${kind} not found`)
  }
}

/** No route has this path. */
export class RouteNotFound extends ApiError {
  override readonly name = 'RouteNotFound'
  readonly code = 'route_not_found'
  readonly status = 404

  constructor(path: string) {
    super(`no such path: ${path}`)
  }
}

/** The path exists, but not with this method (RFC 9110 §15.5.6: the answer names those that do). */
export class MethodNotAllowed extends ApiError {
  override readonly name = 'MethodNotAllowed'
  readonly code = 'method_not_allowed'
  readonly status = 405
  override readonly headers: Readonly<Record<string, string>>

  constructor(method: string, allowed: readonly string[]) {
    super(`method ${method} is not allowed here; allowed: ${allowed.join(', ')}`)
    this.headers = { Allow: allowed.join(', ') }
  }
}

/** The request body is not JSON; the wording is the contract's. */
export class InvalidJson extends ApiError {
  override readonly name = 'InvalidJson'
  readonly code = 'invalid_json'
  readonly status = 400

  constructor(reason: string, cause?: unknown) {
    super(`invalid JSON: ${reason}`, { cause })
  }
}

/** A part of the request does not fit its schema; the message names field or value. */
export class InvalidRequest extends ApiError {
  override readonly name = 'InvalidRequest'
  readonly code = 'invalid_request'
  readonly status = 400
}

/** A request names another record that does not exist: an agent, a dependency, a project. */
export class UnknownReference extends ApiError {
  override readonly name = 'UnknownReference'
  readonly code = 'unknown_reference'
  readonly status = 400

  constructor(field: string, kind: string, id: string) {
    super(`${field}: ${kind} ${id} does not exist`)
  }
}

/** A PUT would change what only the system writes. */
export class ReadOnlyField extends ApiError {
  override readonly name = 'ReadOnlyField'
  readonly code = 'read_only_field'
  readonly status = 400

  constructor(field: string) {
    super(`${field} is read-only`)
  }
}

/** The caller presented no token, or a wrong one. */
export class Unauthorized extends ApiError {
  override readonly name = 'Unauthorized'
  readonly code = 'unauthorized'
  readonly status = 401
  override readonly headers = { 'WWW-Authenticate': 'Bearer' }

  constructor() {
    super('a valid token is required: send it as Authorization: Bearer <token>')
  }
}

/** The caller's token is not good for this operation (RFC 6750 §3.1). */
export class Forbidden extends ApiError {
  override readonly name = 'Forbidden'
  readonly code = 'forbidden'
  readonly status = 403
  override readonly headers: Readonly<Record<string, string>>

  constructor(caller: string, scope: string) {
    super(`token ${caller} lacks the scope ${scope}`)
    this.headers = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }
  }
}

/** The request came by a host name or from a web page that this server does not answer. */
export class ForeignOrigin extends ApiError {
  override readonly name = 'ForeignOrigin'
  readonly code = 'foreign_origin'
  readonly status = 403

  /** @param value undefined where a session demands an Origin and there is none */
  constructor(header: 'Host' | 'Origin', value: string | undefined) {
    const cure = 'set publicUrl or allowedHosts to allow it'
    const refusal = 'a session is for pages of this server, which send their Origin; a program sends its token'
    super(value === undefined ? refusal : `${header} ${value} is not allowed; ${cure}`)
  }
}

/** The state of a record does not allow the move. */
export class TransitionRefused extends ApiError {
  override readonly name = 'TransitionRefused'
  readonly code = 'transition_refused'
  readonly status = 409

  /** Words of a move that is judged by state alone: `task cannot be deleted from state RUNNING`. */
  static fromState(kind: string, done: string, state: string): TransitionRefused {
    return new TransitionRefused(`${kind} cannot be ${done} from state ${state}`)
  }
}

/** The id that a create asks for is still held by a record that is being deleted. */
export class RecordGoing extends ApiError {
  override readonly name = 'RecordGoing'
  readonly code = 'being_deleted'
  readonly status = 409
  override readonly headers = { 'Retry-After': '1' }

  constructor(kind: string, id: string) {
    super(`${kind} ${id} is being deleted; try again in a moment`)
  }
}

/** The id that a create asks for is taken. */
export class RecordExists extends ApiError {
  override readonly name = 'RecordExists'
  readonly code = 'already_exists'
  readonly status = 409

  constructor(kind: string, id: string) {
    super(`${kind} ${id} already exists`)
  }
}

/** Records that a refusal names one by one. */
const MAX_NAMED = 100

/** Other records need this one; they are named. */
export class RecordInUse extends ApiError {
  override readonly name = 'RecordInUse'
  readonly code = 'in_use'
  readonly status = 409

  /** @param relation how one needs it, how many do, as in `task a cannot be deleted: task b depends on it` */
  constructor(kind: string, id: string, users: readonly string[], relation: readonly [one: string, many: string]) {
    const named = users.toSorted().slice(0, MAX_NAMED).join(', ')
    const more = users.length > MAX_NAMED ? ` and ${users.length - MAX_NAMED} more` : ''
    super(`${kind} ${id} cannot be deleted: ${named}${more} ${relation[users.length === 1 ? 0 : 1]}`)
  }
}

/** As many browsers are subscribed as can be stored. */
export class TooManySubscriptions extends ApiError {
  override readonly name = 'TooManySubscriptions'
  readonly code = 'too_many_subscriptions'
  readonly status = 409

  constructor(limit: number) {
    super(`${limit} browsers are subscribed already; unsubscribe one that is no longer used`)
  }
}

/** Several writers changed the same record again and again; the caller may simply repeat the request. */
export class WriteContended extends ApiError {
  override readonly name = 'WriteContended'
  readonly code = 'write_contended'
  readonly status = 409

  constructor(kind: string, id: string) {
    super(`${kind} ${id} keeps changing; try again`)
  }
}

/** `If-Match` names a version that is no longer the current one (RFC 9110 §13.1.1). */
export class PreconditionFailed extends ApiError {
  override readonly name = 'PreconditionFailed'
  readonly code = 'precondition_failed'
  readonly status = 412
}

/** The request body is larger than this server takes. */
export class PayloadTooLarge extends ApiError {
  override readonly name = 'PayloadTooLarge'
  readonly code = 'payload_too_large'
  readonly status = 413

  constructor(limitBytes: number, what = 'the request body') {
    super(`${what} is larger than ${limitBytes} bytes`)
  }
}

/** The request did not arrive in time (RFC 9110 §15.5.9). */
export class RequestTimedOut extends ApiError {
  override readonly name = 'RequestTimedOut'
  readonly code = 'request_timed_out'
  readonly status = 408

  constructor(limitMs: number) {
    super(`the request body did not arrive within ${limitMs} ms`)
  }
}

/** `Expect` asks for something else than `100-continue` (RFC 9110 §10.1.1). */
export class ExpectationFailed extends ApiError {
  override readonly name = 'ExpectationFailed'
  readonly code = 'expectation_failed'
  readonly status = 417

  constructor(given: string) {
    super(`the expectation ${given} is not known; the only one that is: 100-continue`)
  }
}

/** The address is longer than any of ours (RFC 9110 §15.5.15). */
export class UriTooLong extends ApiError {
  override readonly name = 'UriTooLong'
  readonly code = 'uri_too_long'
  readonly status = 414

  constructor(limit: number) {
    super(`the address is longer than ${limit} characters`)
  }
}

/** More header fields than any client of ours sends (RFC 6585 §5). */
export class TooManyHeaders extends ApiError {
  override readonly name = 'TooManyHeaders'
  readonly code = 'too_many_headers'
  readonly status = 431

  constructor(limit: number) {
    super(`more than ${limit} header fields`)
  }
}

/** The request body is compressed; a small one could unpack to anything, so none is unpacked (RFC 9110 §15.5.16). */
export class UnsupportedEncoding extends ApiError {
  override readonly name = 'UnsupportedEncoding'
  readonly code = 'unsupported_encoding'
  readonly status = 415
  override readonly headers = { 'Accept-Encoding': 'identity' }

  constructor(given: string) {
    super(`content encoding ${given} is not supported; send the body as it is`)
  }
}

/** The request body is text in another character set than JSON's. */
export class UnsupportedCharset extends ApiError {
  override readonly name = 'UnsupportedCharset'
  readonly code = 'unsupported_charset'
  readonly status = 415

  constructor(given: string) {
    super(`charset ${given} is not supported; send the body as utf-8`)
  }
}

/** The request body is not of a type that this route reads. */
export class UnsupportedMediaType extends ApiError {
  override readonly name = 'UnsupportedMediaType'
  readonly code = 'unsupported_media_type'
  readonly status = 415

  constructor(given: string, wanted: readonly string[] = ['application/json']) {
    super(`content type ${given === '' ? '(none)' : given} is not supported; send ${wanted.join(' or ')}`)
  }
}

/** This client used an operation that is limited per client too often (RFC 6585 §4). */
export class TooManyRequests extends ApiError {
  override readonly name = 'TooManyRequests'
  readonly code = 'too_many_requests'
  readonly status = 429
  override readonly headers: Readonly<Record<string, string>>

  constructor(retryAfterSeconds: number) {
    super(`too many requests; try again in ${retryAfterSeconds} s`)
    this.headers = { 'Retry-After': String(retryAfterSeconds) }
  }
}

/** The asked part lies outside the file (RFC 9110 §15.5.17). */
export class RangeNotSatisfiable extends ApiError {
  override readonly name = 'RangeNotSatisfiable'
  readonly code = 'range_not_satisfiable'
  readonly status = 416
  override readonly headers: Readonly<Record<string, string>>

  constructor(range: string, sizeBytes: number) {
    super(`range ${range} lies outside the ${sizeBytes} bytes there are`)
    this.headers = { 'Content-Range': `bytes */${sizeBytes}` }
  }
}

/** A plain request to a path that speaks WebSocket only (RFC 9110 §15.5.22). */
export class UpgradeRequired extends ApiError {
  override readonly name = 'UpgradeRequired'
  readonly code = 'upgrade_required'
  readonly status = 426
  override readonly headers = { Upgrade: 'websocket' }

  constructor() {
    super('this path is a WebSocket; connect with a WebSocket client')
  }
}

/** A write got no answer: it may have been done (specification §11.3). */
export class OutcomeUnknown extends ApiError {
  override readonly name = 'OutcomeUnknown'
  readonly code = 'outcome_unknown'
  readonly status = 500

  constructor(cause: Error) {
    super('the control plane did not answer: whether this was done is not known; look before you do it again', {
      cause,
    })
  }
}

/** Writing or reading a record failed; the message is the underlying error's, as the contract asks. */
export class StorageFailed extends ApiError {
  override readonly name = 'StorageFailed'
  readonly code = 'storage_failed'
  readonly status = 500

  constructor(cause: Error) {
    super(textOf(cause), { cause })
  }
}

/** The request is understood, but nothing can be made of it (RFC 9110 §15.5.21). */
export class Unprocessable extends ApiError {
  override readonly name = 'Unprocessable'
  readonly code = 'unprocessable'
  readonly status = 422
}

/** A webhook without a signature, or with one that its body does not have. */
export class SignatureRejected extends ApiError {
  override readonly name = 'SignatureRejected'
  readonly code = 'signature_rejected'
  readonly status = 401
  override readonly headers = { 'WWW-Authenticate': 'X-Hub-Signature-256' }

  constructor() {
    super('X-Hub-Signature-256 is missing or is not the signature of this body')
  }
}

/**
 * No agent can be had for what was asked: each is drained, limited, not installed or without credentials, and the
 * message says which is what.
 */
export class AgentUnavailable extends ApiError {
  override readonly name = 'AgentUnavailable'
  readonly code = 'agent_unavailable'
  readonly status = 503
  override readonly isOthers = true
  override readonly headers: Readonly<Record<string, string>>

  /** @param retryAfterSeconds when one is known to be available again */
  constructor(message: string, retryAfterSeconds?: number) {
    super(message)
    this.headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
  }
}

/** The agent that was asked ended without an answer, for a reason of its own (RFC 9110 §15.6.3). */
export class AgentFailed extends ApiError {
  override readonly name = 'AgentFailed'
  readonly code = 'agent_failed'
  readonly status = 502
  override readonly isOthers = true
}

/** The agent that was asked did not answer in time (RFC 9110 §15.6.5). */
export class AgentTimedOut extends ApiError {
  override readonly name = 'AgentTimedOut'
  readonly code = 'agent_timed_out'
  readonly status = 504
  override readonly isOthers = true
}

/** The caller closed the connection before its answer; nobody reads this, but the access log shows its status. */
export class CallerGone extends ApiError {
  override readonly name = 'CallerGone'
  readonly code = 'caller_gone'
  /** As nginx logs it; no RFC has one. */
  readonly status = 499

  constructor() {
    super('the caller has gone')
  }
}

/** A script runs already, or there is nothing for it to run. */
export class ScriptRefused extends ApiError {
  override readonly name = 'ScriptRefused'
  readonly code = 'script_refused'
  readonly status = 409
}

/** A script took longer than it may, and was ended with all that it had started. */
export class ScriptTimedOut extends ApiError {
  override readonly name = 'ScriptTimedOut'
  readonly code = 'script_timed_out'
  readonly status = 504

  constructor(script: string, limitSeconds: number) {
    super(`script ${script} was ended after ${limitSeconds} seconds`)
  }
}

/** The disk that the request would write to is full (RFC 4918 §11.5). */
export class InsufficientStorage extends ApiError {
  override readonly name = 'InsufficientStorage'
  readonly code = 'insufficient_storage'
  readonly status = 507
}

/**
 * Several attempts that failed together, as for a name with several addresses, have no text of their own. The folders of
 * this machine are nobody's business: of a path the last part is said.
 */
function textOf(error: Error): string {
  if (error.message !== '')
    return pathsOf(error).reduce((text, path) => text.replaceAll(path, nameIn(path)), error.message)
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : []
  return first instanceof Error ? textOf(first) : error.name
}

/** What node says of a failed call of the file system. */
function pathsOf(error: Error & { readonly path?: unknown; readonly dest?: unknown }): string[] {
  return [error.path, error.dest].filter((path): path is string => typeof path === 'string' && path.includes('/'))
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** As many clients as the limit allows are connected already, or the server is stopping. */
export class Unavailable extends ApiError {
  override readonly name = 'Unavailable'
  readonly code = 'unavailable'
  readonly status = 503
  // A probe asks each second: what stands behind it is told once, where it happens.
  override readonly isOthers = true
}

/** A plan cannot become a story as things are; nothing is left of it (specification §5.12). */
export class ApprovalRefused extends ApiError {
  override readonly name = 'ApprovalRefused'
  readonly code = 'approval_refused'
  readonly status = 409

  constructor(reason: string, cause?: unknown) {
    super(`nothing was approved: ${reason}`, { cause })
  }
}

/** The branch of a story was not there in time; nothing is left of its plan (RFC 9110 §15.6.5). */
export class ApprovalTimedOut extends ApiError {
  override readonly name = 'ApprovalTimedOut'
  readonly code = 'approval_timed_out'
  readonly status = 504

  constructor(reason: string) {
    super(`nothing was approved: ${reason}`)
  }
}
