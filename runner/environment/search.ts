/** One of the byte strings that are looked for, where it was found. */
export interface Match {
  /** Its place in the list. */
  readonly needle: number
  readonly at: number
}

/** Finds the first match in a buffer from `from` on. */
export type Search = (haystack: Uint8Array, from?: number) => Match | undefined

/**
 * Makes a search for any of several byte strings, of two bytes at least, that takes about as long for many as for one (Horspool's, by
 * pairs of bytes): it looks at the last pair of a window as long as the shortest string, and moves on by as much as that pair allows.
 */
export function makeSearch(needles: readonly Uint8Array[]): Search {
  if (needles.length === 0) return () => undefined
  const window = Math.min(...needles.map(({ length }) => length))
  if (window < 2) throw new RangeError('a byte string to look for is shorter than two bytes')
  const shifts = new Uint8Array(PAIRS).fill(Math.min(window - 1, MAX_SHIFT))
  const ending = new Map<number, number[]>()
  for (const [place, needle] of needles.entries()) {
    for (let at = 1; at < window; at += 1) {
      const pair = pairAt(needle, at)
      shifts[pair] = Math.min(shifts[pair] ?? 0, window - 1 - at)
    }
    const last = pairAt(needle, window - 1)
    ending.set(last, [...(ending.get(last) ?? []), place])
  }
  return (haystack, from = 0) => {
    let at = from + window - 1
    while (at < haystack.length) {
      const pair = pairAt(haystack, at)
      const shift = shifts[pair] ?? 0
      if (shift === 0) {
        const begin = at - window + 1
        const needle = ending.get(pair)?.find((place) => startsAt(haystack, needles[place], begin))
        if (needle !== undefined) return { needle, at: begin }
      }
      at += Math.max(1, shift)
    }
    return undefined
  }
}

const PAIRS = 1 << 16
const MAX_SHIFT = 255

/** The byte and the one before. */
function pairAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0)
}

function startsAt(haystack: Uint8Array, needle: Uint8Array | undefined, begin: number): boolean {
  if (needle === undefined || begin + needle.length > haystack.length) return false
  return needle.every((byte, at) => byte === haystack[begin + at])
}
