import type { JsonObject, JsonValue } from '../schema/json.ts'

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
