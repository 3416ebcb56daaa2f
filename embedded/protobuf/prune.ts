import { type JsonObject, type JsonValue, isObject } from '../schema/json.ts'
import { fieldsIn } from './fields.ts'
import { MESSAGES } from './messages.ts'

const TYPE_META = new Set(['apiVersion', 'kind', 'metadata'])
const known = new Map<string, ReadonlyMap<string, string>>()

/**
 * Removes in place what a built-in kind does not have, as a kube-apiserver does, and returns the removed paths.
 *
 * @param message of MESSAGES
 */
export function pruneMessage(message: string, object: JsonObject): string[] {
  const removed: string[] = []
  // Definitions are checked by their own schema.
  if (MESSAGES[message] !== undefined) pruneObject(message, object, '', removed)
  return removed
}

function pruneObject(message: string, object: JsonObject, path: string, removed: string[]): void {
  const fields = fieldsOf(message)
  for (const key of Object.keys(object)) {
    if (path === '' && TYPE_META.has(key)) continue
    const childPath = path === '' ? key : `${path}.${key}`
    const type = fields.get(key)
    if (type !== undefined) {
      if (MESSAGES[type] !== undefined) pruneValue(type, object[key], childPath, removed)
      continue
    }
    delete object[key]
    removed.push(childPath)
  }
}

function pruneValue(message: string, value: JsonValue | undefined, path: string, removed: string[]): void {
  if (Array.isArray(value)) value.forEach((item, i) => pruneValue(message, item, `${path}[${i}]`, removed))
  else if (isObject(value)) pruneObject(message, value, path, removed)
}

/** The type of each field by its name in JSON. */
function fieldsOf(message: string): ReadonlyMap<string, string> {
  const found = known.get(message)
  if (found !== undefined) return found
  // Values of maps are not walked: ours are texts and numbers.
  const fields = new Map(fieldsIn(message).map(({ name, type, shape }) => [name, shape === '{}' ? 'map' : type]))
  known.set(message, fields)
  return fields
}
