import type { SchemaNode } from '../node.ts'

const SEGMENT = /\.([A-Za-z_][A-Za-z0-9_]*)|\['([^']+)'\]/y

/**
 * Resolves a rule's `fieldPath` (`.a.b`, `.a['b-c']`) against the schema it stands in.
 *
 * Returns the path as it is appended to the field of an error (`.a.b`, `.m[key]` below a map), or undefined when the
 * schema has no such field; lists cannot be entered.
 */
export function resolveFieldPath(fieldPath: string, node: SchemaNode): string | undefined {
  let place: SchemaNode = node
  let resolved = ''
  SEGMENT.lastIndex = 0
  for (let at = 0; at < fieldPath.length; at = SEGMENT.lastIndex) {
    const segment = SEGMENT.exec(fieldPath)
    const name = segment?.[1] ?? segment?.[2]
    if (name === undefined) return undefined
    const property = place.properties.get(name)
    const values = typeof place.additionalProperties === 'object' ? place.additionalProperties : undefined
    const next = property ?? values
    if (next === undefined) return undefined
    resolved += property === undefined ? `[${name}]` : `.${name}`
    place = next
  }
  return resolved === '' ? undefined : resolved
}
