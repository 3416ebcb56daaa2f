/** Lines of a comparison in hunks, as git prints them: pure. */
import type { DiffLine, Hunk } from './git-diff.ts'

/** Equal lines that stand around each change. */
const CONTEXT = 3

/**
 * The changed lines with {@link CONTEXT} equal ones around them; nothing where no line changed.
 *
 * @param lines all lines of a part of a file
 * @param from their first numbers in the old and the new file, from 1
 */
export function toHunks(
  lines: readonly DiffLine[],
  from: { readonly old: number; readonly new: number },
): readonly Hunk[] {
  const spans: [start: number, end: number][] = []
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'context') continue
    const [start, end] = [Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1)]
    const last = spans.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = end
    else spans.push([start, end])
  }
  const hunks: Hunk[] = []
  let [position, old, now] = [0, from.old, from.new]
  const count = (part: readonly DiffLine[], other: DiffLine['kind']): number =>
    part.filter(({ kind }) => kind !== other).length
  for (const [start, end] of spans) {
    const [skipped, shown] = [lines.slice(position, start), lines.slice(start, end)]
    ;[old, now] = [old + count(skipped, 'added'), now + count(skipped, 'deleted')]
    const [oldLines, newLines] = [count(shown, 'added'), count(shown, 'deleted')]
    // A side without lines names the line before it (git-diff(1)).
    const starts = { oldStart: oldLines === 0 ? old - 1 : old, newStart: newLines === 0 ? now - 1 : now }
    hunks.push({ ...starts, oldLines, newLines, heading: '', lines: shown })
    ;[position, old, now] = [end, old + oldLines, now + newLines]
  }
  return hunks
}
