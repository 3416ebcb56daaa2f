import { RE2JS } from '@bufbuild/re2'

/** A compiled pattern that judges a text in a time that grows with its length alone. */
export interface LinearPattern {
  test(text: string): boolean
}

/** How many compiled patterns are kept; patterns come from schemas and are few, those made by expressions are not. */
const CACHE_LIMIT = 500
const compiled = new Map<string, LinearPattern>()

/** One set of characters, any number of times: a match cannot be tried in two ways. */
const ONE_SET = /^\^\[\^?(?:[^\\[\]]|\\x[0-9a-f]{2})+\]\*\$$/i

/**
 * A pattern as a kube-apiserver understands it: RE2, which looks at each character once, whatever it is given, and has
 * no back references. Cached by its source.
 *
 * The engine of JavaScript tries again and again: a title of 100 KB held this process for 22 seconds. It is a hundred
 * times as fast where it has nothing to try, so the patterns of our longest texts are left to it.
 *
 * @throws Error with RE2's own message when the pattern is not RE2
 */
export function compilePattern(source: string): LinearPattern {
  const known = compiled.get(source)
  if (known !== undefined) return known
  const re2 = new RE2JS(source)
  const pattern = ONE_SET.test(source) ? new RegExp(source, 'u') : re2
  if (compiled.size >= CACHE_LIMIT) compiled.clear()
  compiled.set(source, pattern)
  return pattern
}
