import { isObject } from '../schema/json.ts'
import type { JsonObject, JsonValue } from '../schema/json.ts'
import { parseField } from './fields.ts'
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

/** The type of each field by its name in JSON, those of inlined messages included. */
function fieldsOf(message: string): ReadonlyMap<string, string> {
  const found = known.get(message)
  if (found !== undefined) return found
  const fields = new Map<string, string>()
  for (const row of Object.values(MESSAGES[message] ?? {})) {
    const { name, type, flag, shape } = parseField(row)
    if (flag === '^') for (const [inner, innerType] of fieldsOf(type)) fields.set(inner, innerType)
    // Of a map the values would have to be walked; those of ours are texts and numbers.
    else fields.set(name, shape === '{}' ? 'map' : type)
  }
  known.set(message, fields)
  return fields
}
