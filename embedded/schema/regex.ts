import { RE2JS } from '@bufbuild/re2'

/** How many compiled patterns are kept; patterns come from CRDs and are few, those made by expressions are not. */
const CACHE_LIMIT = 500
const compiled = new Map<string, RE2JS>()

/**
 * A compiled RE2 pattern: linear time, no back references, as in a kube-apiserver. Cached by its source.
 *
 * @throws Error with RE2's own message when the pattern is not RE2
 */
export function compilePattern(source: string): RE2JS {
  const known = compiled.get(source)
  if (known !== undefined) return known
  const pattern = new RE2JS(source)
  if (compiled.size >= CACHE_LIMIT) compiled.clear()
  compiled.set(source, pattern)
  return pattern
}
