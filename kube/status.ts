import { parseJson } from '../core/json.ts'
import { KubeError } from './types.ts'

/** Longest part of an answer that is not a Status and still becomes a message. */
const MAX_TEXT_LENGTH = 1024

/** Reason of an answer that is no Status object, as a proxy or an unknown path gives it; never NotFound. */
const UNKNOWN_REASON = 'Unknown'

/**
 * The error that an answer of the API server stands for.
 *
 * A 404 in plain text means that the path is unknown, say because a CRD is missing; it must not be read as
 * "the object does not exist", so its reason is not NotFound.
 */
export function toKubeError(status: number, body: string, retryAfter?: string): KubeError {
  const seconds = parseRetryAfter(retryAfter)
  const parsed = parseObject(body)
  if (parsed?.['kind'] === 'Status') return statusToError(status, parsed, seconds)
  const text = body.trim().slice(0, MAX_TEXT_LENGTH)
  return new KubeError(status, UNKNOWN_REASON, text === '' ? `HTTP status ${status}` : text, seconds)
}

/** The error in an ERROR event of a watch; a Status without a code counts as 500. */
export function statusToKubeError(object: unknown): KubeError {
  return isRecord(object)
    ? statusToError(500, object, undefined)
    : new KubeError(500, UNKNOWN_REASON, 'the watch ended with an ERROR event that holds no Status')
}

function statusToError(httpStatus: number, status: Readonly<Record<string, unknown>>, seconds?: number): KubeError {
  const { code, reason, message, details } = status
  const retryAfterSeconds = isRecord(details) ? details['retryAfterSeconds'] : undefined
  return new KubeError(
    typeof code === 'number' ? code : httpStatus,
    typeof reason === 'string' && reason !== '' ? reason : UNKNOWN_REASON,
    typeof message === 'string' && message !== '' ? message : `HTTP status ${httpStatus}`,
    seconds ?? (typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined),
  )
}

/** Kubernetes sends seconds, never a date (RFC 9110, section 10.2.3 allows both). */
function parseRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  const value = parseJson(text)
  return isRecord(value) ? value : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
