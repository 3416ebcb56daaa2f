/** What two lists of lines have in common: pure. */

/** Beyond this many pairs of lines, only an equal beginning and end are looked for. */
const MAX_PAIRS = 250_000

/** Indexes of equal lines. */
export type Match = readonly [before: number, after: number]

/** Pairs of equal lines in order: of a longest common subsequence, if the lines between equal beginning and end are few enough. */
export function matchLines(before: readonly string[], after: readonly string[]): Match[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let tail = 0
  const room = Math.min(before.length, after.length) - start
  while (tail < room && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const [midBefore, midAfter] = [before.slice(start, before.length - tail), after.slice(start, after.length - tail)]
  const middle = midBefore.length * midAfter.length > MAX_PAIRS ? [] : longestCommon(midBefore, midAfter)
  return [
    ...Array.from({ length: start }, (_, i): Match => [i, i]),
    ...middle.map(([i, j]): Match => [i + start, j + start]),
    ...Array.from({ length: tail }, (_, i): Match => [before.length - tail + i, after.length - tail + i]),
  ]
}

/** Pairs of a longest common subsequence. */
export function longestCommon(a: readonly string[], b: readonly string[]): Match[] {
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pairs: Match[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
