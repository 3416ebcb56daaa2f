import { type JsonObject, type JsonValue, isObject } from './json.ts'
import type { SchemaNode } from './node.ts'

const TYPE_META = new Set(['apiVersion', 'kind', 'metadata'])

/**
 * Removes in place what the schema does not declare and returns the removed paths in the order they were met.
 *
 * `apiVersion`, `kind` and `metadata` stay at the root; below a `x-kubernetes-preserve-unknown-fields` only what is
 * declared is pruned further down.
 */
export function prune(root: SchemaNode, object: JsonObject): string[] {
  const removed: string[] = []
  pruneObject(root, object, '', removed)
  return removed
}

function pruneValue(node: SchemaNode, value: JsonValue | undefined, path: string, removed: string[]): void {
  if (Array.isArray(value)) {
    const { items } = node
    if (items !== undefined) value.forEach((item, i) => pruneValue(items, item, `${path}[${i}]`, removed))
  } else if (isObject(value)) pruneObject(node, value, path, removed)
}

function pruneObject(node: SchemaNode, object: JsonObject, path: string, removed: string[]): void {
  for (const key of Object.keys(object)) {
    if (path === '' && TYPE_META.has(key)) continue
    const childPath = path === '' ? key : `${path}.${key}`
    const child = childOf(node, key)
    if (child === undefined) {
      if (node.preserveUnknown) continue
      delete object[key]
      removed.push(childPath)
    } else pruneValue(child, object[key], childPath, removed)
  }
}

function childOf(node: SchemaNode, key: string): SchemaNode | undefined {
  return node.properties.get(key) ?? node.additionalProperties
}
