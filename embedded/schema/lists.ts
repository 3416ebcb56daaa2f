import type { FieldError } from './errors.ts'
import { type JsonObject, type JsonValue, canonicalJson, fieldOf, isObject } from './json.ts'
import { fieldError } from './messages.ts'
import type { SchemaNode } from './node.ts'

/** Refuses items that occur twice: by value in a set, by their key fields in a map; each is named once. */
export function validateListItems(node: SchemaNode, list: JsonValue[], path: string, errors: FieldError[]): void {
  const seen = new Map<string, number>()
  list.forEach((item, i) => {
    const key = node.listType === 'map' ? keyOf(node, item) : item
    if (key === undefined) return
    const identity = canonicalJson(key)
    const count = seen.get(identity) ?? 0
    seen.set(identity, count + 1)
    if (count === 1) errors.push(fieldError.duplicate(`${path}[${i}]`, key))
  })
}

/** The key fields of a map list's item, or undefined for an item that the schema refuses anyway. */
function keyOf(node: SchemaNode, item: JsonValue): JsonObject | undefined {
  if (!isObject(item)) return undefined
  const key: JsonObject = {}
  for (const name of node.listMapKeys) {
    const value = fieldOf(item, name)
    if (value !== undefined) key[name] = value
  }
  return key
}

/**
 * Finds the old item that an item of a map list was, by its key fields; undefined for other lists, whose items
 * nothing identifies.
 */
export function matchItems(
  node: SchemaNode,
  old: JsonValue | undefined,
): ((item: JsonValue) => JsonValue | undefined) | undefined {
  if (node.listType !== 'map' || !Array.isArray(old)) return undefined
  const byKey = new Map(old.map((item) => [canonicalJson(keyOf(node, item) ?? null), item]))
  return (item) => {
    const key = keyOf(node, item)
    return key === undefined ? undefined : byKey.get(canonicalJson(key))
  }
}
