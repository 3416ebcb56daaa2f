import type { Tokens } from '../crd/types.ts'

export const NO_TOKENS: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

export function addTokens(a: Tokens | undefined, b: Tokens): Tokens {
  return a === undefined ? b : combine(a, b, (x, y) => x + y)
}

/** What `a` has beyond `b`, never less than nothing. */
export function subtractTokens(a: Tokens, b: Tokens): Tokens {
  return combine(a, b, (x, y) => Math.max(0, x - y))
}

/** Kind by kind. */
export function combine(a: Tokens, b: Tokens, how: (x: number, y: number) => number): Tokens {
  return {
    input: how(a.input, b.input),
    output: how(a.output, b.output),
    cacheRead: how(a.cacheRead, b.cacheRead),
    cacheWrite: how(a.cacheWrite, b.cacheWrite),
  }
}
