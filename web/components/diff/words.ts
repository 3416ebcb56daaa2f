/** Which parts of a changed line changed. */
import { longestCommon } from '../../model/common-lines.ts'

/** From and up to which character of a line, in UTF-16 units. */
export type Range = readonly [start: number, end: number]

export interface WordChanges {
  readonly before: readonly Range[]
  readonly after: readonly Range[]
}

const NOTHING: WordChanges = { before: [], after: [] }
const TOKEN = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu
/** Longer lines have no marks: comparing takes the square of this. */
const MAX_TOKENS = 400
const MAX_LENGTH = 2_000
/** With less in common the lines are different lines, and marks would only be noise. */
const LEAST_COMMON = 0.3

/** The words that are in one of two lines only; nothing where the lines have little in common. */
export function compareWords(before: string, after: string): WordChanges {
  if (before.length > MAX_LENGTH || after.length > MAX_LENGTH) return NOTHING
  const [a, b] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []]
  if (a.length > MAX_TOKENS || b.length > MAX_TOKENS) return NOTHING
  const pairs = longestCommon(a, b)
  const weigh = (tokens: readonly string[]): number => tokens.join('').replaceAll(/\s/g, '').length
  const common = weigh(pairs.map(([i]) => a[i] ?? ''))
  if (common < LEAST_COMMON * Math.max(weigh(a), weigh(b))) return NOTHING
  return { before: rangesBut(a, new Set(pairs.map(([i]) => i))), after: rangesBut(b, new Set(pairs.map(([, j]) => j))) }
}

/** Ranges of the tokens that are not in `kept`, neighbours joined. */
function rangesBut(tokens: readonly string[], kept: ReadonlySet<number>): readonly Range[] {
  const ranges: Range[] = []
  let position = 0
  for (const [index, token] of tokens.entries()) {
    const end = position + token.length
    const last = ranges.at(-1)
    if (!kept.has(index)) {
      if (last !== undefined && last[1] === position) ranges[ranges.length - 1] = [last[0], end]
      else ranges.push([position, end])
    }
    position = end
  }
  return ranges
}
