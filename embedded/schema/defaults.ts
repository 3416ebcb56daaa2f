import { type JsonObject, type JsonValue, fieldOf, isObject } from './json.ts'
import type { SchemaNode } from './node.ts'

/**
 * Fills defaults in place, as a kube-apiserver does on every write and read.
 *
 * A declared field that is absent or null takes its default; a null without one is dropped. Nothing is filled below a parent that is itself absent and has no default.
 * Applying it twice changes nothing more.
 */
export function applyDefaults(node: SchemaNode, value: JsonValue | undefined): void {
  if (Array.isArray(value)) {
    const { items } = node
    if (items !== undefined) defaultItems(items, value)
  } else if (isObject(value)) defaultObject(node, value)
}

function defaultItems(items: SchemaNode, list: JsonValue[]): void {
  list.forEach((item, i) => {
    if (item === null && items.default !== undefined) list[i] = structuredClone(items.default)
    applyDefaults(items, list[i])
  })
}

function defaultObject(node: SchemaNode, object: JsonObject): void {
  for (const [key, child] of node.properties) {
    defaultField(child, object, key)
    applyDefaults(child, fieldOf(object, key))
  }
  const { additionalProperties } = node
  if (additionalProperties === undefined) return
  for (const key of Object.keys(object)) {
    if (node.properties.has(key)) continue
    defaultField(additionalProperties, object, key)
    applyDefaults(additionalProperties, object[key])
  }
}

function defaultField(child: SchemaNode, object: JsonObject, key: string): void {
  const value = fieldOf(object, key)
  if (child.default !== undefined && (value === undefined || value === null)) {
    object[key] = structuredClone(child.default)
  } else if (value === null) delete object[key]
}
