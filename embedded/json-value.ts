import type { JsonObject, JsonValue } from './schema/json.ts'
import { ApiError, badRequest } from './status.ts'

/** Whether a value is what JSON can say: no dates, no undefined, no class instances. */
export function isJsonValue(value: unknown): value is JsonValue {
  if (value === null) return true
  if (typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJsonValue)
  if (typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJsonValue)
}

/** A kube-apiserver allows 10,000; every object there is needs a few dozen, and checks here recurse. */
export const MAX_DEPTH = 1000

/**
 * Whether a value holds lists and objects more than `limit` deep. Level by level and without recursion, since deep
 * values are made to exhaust the stack of what recurses.
 */
export function isDeeperThan(limit: number, value: JsonValue): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true
    level = level.flatMap((container) => Object.values(container).filter(isContainer))
  }
  return false
}

function isContainer(value: JsonValue): value is JsonValue[] | JsonObject {
  return typeof value === 'object' && value !== null
}

/** Of one request, as a kube-apiserver. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024

export function tooLarge(): ApiError {
  return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY_BYTES}`)
}

/** The object, or options, of a request. @throws ApiError 400 */
export function parseBody(text: string, kind: string): JsonValue {
  const refuse = (detail: string): ApiError =>
    badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${detail} (${text.slice(0, 40)})`,
    )
  return parseJson(text, refuse)
}

/** @throws ApiError 400 */
export function parsePatch(text: string): JsonValue {
  return parseJson(text, (detail) => badRequest(`error decoding patch: ${detail}`))
}

/** Escapes of halves of characters, which Go's decoder reads as U+FFFD where they are alone. */
const HALF = /\\u[dD][89a-fA-F]/

function toWhole(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? Buffer.from(value).toString() : value
}

/** @throws what `refuse` makes of the parser's words */
export function parseJson(text: string, refuse: (detail: string) => Error): JsonValue {
  try {
    const value: JsonValue = HALF.test(text) ? JSON.parse(text, toWhole) : JSON.parse(text)
    if (!isDeeperThan(MAX_DEPTH, value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // What Go's decoder says of the commonest mistake, a cut body; its other texts are its own.
    throw refuse(/end of JSON|Unterminated/.test(error.message) ? 'unexpected end of JSON input' : error.message)
  }
  throw refuse('exceeded max depth')
}
