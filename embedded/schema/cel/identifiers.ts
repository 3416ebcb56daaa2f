/** Words that CEL keeps for itself; a property of such a name is reached as `__word__`. */
const KEYWORDS = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return'.split(' '),
)

const ACCESSIBLE = /^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/
const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}

/**
 * The name under which CEL rules reach a property, or undefined for a name that no rule can reach.
 * Source: Kubernetes, "Validation expression language", field name escaping.
 */
export function celIdentifier(property: string): string | undefined {
  // A field of this name would shadow what tells the type of an object.
  if (!ACCESSIBLE.test(property) || property === 'constructor') return undefined
  if (KEYWORDS.has(property)) return `__${property}__`
  return property.replaceAll(/__|[.\-/]/g, (found) => ESCAPES[found] ?? found)
}
