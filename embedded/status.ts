import type { FieldError } from './schema/errors.ts'
import type { JsonObject, JsonValue } from './schema/json.ts'

/** The names of a kind that Status messages need. */
export interface KindName {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
}

/** An answer that is not a success, with the `Status` body a kube-apiserver 1.34 sends (kube/wire.md, B1). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  readonly reason: string
  readonly details: JsonObject | undefined
  readonly retryAfterSeconds: number | undefined
  /** For an expired list: the token to go on with, inconsistently. */
  readonly continueToken: string | undefined

  constructor(
    code: number,
    reason: string,
    message: string,
    more: { details?: JsonObject; retryAfterSeconds?: number; continueToken?: string } = {},
  ) {
    super(message)
    this.code = code
    this.reason = reason
    this.details = more.details
    this.retryAfterSeconds = more.retryAfterSeconds
    this.continueToken = more.continueToken
  }
}

export function toStatus(error: ApiError): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: error.continueToken === undefined ? {} : { continue: error.continueToken },
    status: 'Failure',
    message: error.message,
    reason: error.reason,
    ...(error.details === undefined ? {} : { details: error.details }),
    code: error.code,
  }
}

/** `widgets.example.com`, or `pods` in the core group. */
function resourceName({ plural, group }: KindName): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** `Widget.example.com`, or `Pod` in the core group. */
function qualifiedKind({ kind, group }: KindName): string {
  return group === '' ? kind : `${kind}.${group}`
}

function details(kind: KindName, name: string): JsonObject {
  return { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.plural }
}

export function notFound(kind: KindName, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${resourceName(kind)} "${name}" not found`, { details: details(kind, name) })
}

/** A subresource that a served kind does not have here. */
export function notServed(plural: string, subresource: string): ApiError {
  const message = `the embedded control plane does not serve ${plural}/${subresource}`
  // Without details kubectl debug dies of a nil pointer.
  return new ApiError(404, 'NotFound', message, { details: { kind: plural } })
}

export function alreadyExists(kind: KindName, name: string, isBeingDeleted: boolean): ApiError {
  const message = `${resourceName(kind)} "${name}" already exists`
  return new ApiError(409, 'AlreadyExists', isBeingDeleted ? `object is being deleted: ${message}` : message, {
    details: details(kind, name),
  })
}

export function conflict(kind: KindName, name: string, detail: string = MODIFIED): ApiError {
  return new ApiError(409, 'Conflict', `Operation cannot be fulfilled on ${resourceName(kind)} "${name}": ${detail}`, {
    details: details(kind, name),
  })
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again'

/** A delete whose precondition on `field` does not hold; worded with the kind, as the real server does. */
export function preconditionFailed(
  kind: KindName,
  name: string,
  field: 'UID' | 'ResourceVersion',
  wanted: string,
  actual: string,
): ApiError {
  const since = field === 'UID' ? 'deleted and then recreated' : 'modified'
  const detail = `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${actual}). The object might have been ${since}`
  return new ApiError(409, 'Conflict', `Operation cannot be fulfilled on ${qualifiedKind(kind)} "${name}": ${detail}`, {
    details: details(kind, name),
  })
}

/** 422 with one cause per field error. */
export function invalid(kind: KindName, name: string, errors: readonly FieldError[]): ApiError {
  const causes: JsonValue[] = errors.map(({ reason, message, field }) => ({ reason, message, field }))
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))]
  const text = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
  return new ApiError(422, 'Invalid', `${qualifiedKind(kind)} "${name}" is invalid: ${text}`, {
    details: { name, ...(kind.group === '' ? {} : { group: kind.group }), kind: kind.kind, causes },
  })
}

/** A query parameter with a value outside its set. */
export function unsupportedOption(options: string, field: string, value: string, known: readonly string[]): ApiError {
  const message = `Unsupported value: "${value}": supported values: ${known.map((name) => `"${name}"`).join(', ')}`
  const kind = { group: 'meta.k8s.io', version: 'v1', kind: options, plural: options }
  return invalid(kind, '', [{ reason: 'FieldValueNotSupported', field, message }])
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message)
}

export function forbidden(kind: KindName, name: string, detail: string): ApiError {
  return new ApiError(403, 'Forbidden', `${resourceName(kind)} "${name}" is forbidden: ${detail}`, {
    details: details(kind, name),
  })
}

export function methodNotAllowed(): ApiError {
  return new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource')
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  return new ApiError(415, 'UnsupportedMediaType', message)
}

export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError(410, 'Expired', message, continueToken === undefined ? {} : { continueToken })
}

export function internalError(message: string): ApiError {
  return new ApiError(500, 'InternalError', message)
}
