/** How high a row will be, before it is drawn: the list then hardly moves when it is. In pixels. */
import type { Row } from './rows.ts'

/** A longer line freezes browsers when it wraps, so its beginning is shown; minified files have such lines. */
export const MAX_SHOWN = 1_000

const LINE = 20
const HEIGHTS = { file: 35, note: 33, hunk: 28, more: 45, comment: 110 } as const

/** @param columns characters in a line of the list; undefined where lines do not wrap */
export function estimateHeight(row: Row | undefined, columns: number | undefined): number {
  if (row === undefined) return LINE
  if (row.kind !== 'line' && row.kind !== 'pair') return HEIGHTS[row.kind]
  if (columns === undefined) return LINE
  const lengths =
    row.kind === 'line' ? [row.line.text.length] : [row.left?.text.length ?? 0, row.right?.text.length ?? 0]
  return LINE * Math.max(1, Math.ceil(Math.min(MAX_SHOWN, Math.max(...lengths)) / columns))
}

/** Characters of the longest line that does not wrap; tabs count as four. */
export function longestLine(rows: readonly Row[]): number {
  let longest = 0
  for (const row of rows) {
    const lines = row.kind === 'line' ? [row.line] : row.kind === 'pair' ? [row.left, row.right] : []
    for (const line of lines)
      if (line !== undefined && line.text.length <= MAX_SHOWN)
        longest = Math.max(longest, line.text.length + 3 * (/^\t*/.exec(line.text)?.[0].length ?? 0))
  }
  return longest
}
