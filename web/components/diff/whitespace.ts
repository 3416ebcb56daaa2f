/** The hunks of a file without changes of whitespace alone, as `git diff -w` would show them. */
import { matchLines } from '../../model/common-lines.ts'
import type { DiffLine, Hunk } from '../../model/git-diff.ts'

/** A hunk in which nothing else changed is left out. */
export function withoutWhitespaceChanges(hunks: readonly Hunk[]): readonly Hunk[] {
  return hunks
    .map((hunk) => ({ ...hunk, lines: mergeLines(hunk.lines) }))
    .filter(({ lines }) => lines.some(({ kind }) => kind !== 'context'))
}

function mergeLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  const merged: DiffLine[] = []
  for (let i = 0; i < lines.length;) {
    const { deleted, added, end } = changeAt(lines, i)
    if (end === i) {
      const line = lines[i++]
      if (line !== undefined) merged.push(line)
    } else {
      // Not by push(...): a change may have more lines than a call takes arguments.
      for (const line of mergeChange(deleted, added)) merged.push(line)
      i = end
    }
  }
  return merged
}

interface Change {
  readonly deleted: readonly DiffLine[]
  readonly added: readonly DiffLine[]
  /** Index behind the change; that of its beginning where there is none. */
  readonly end: number
}

/** The deleted lines from `start` on, and the added ones behind them. */
export function changeAt(lines: readonly DiffLine[], start: number): Change {
  let middle = start
  while (lines[middle]?.kind === 'deleted') middle++
  let end = middle
  while (lines[end]?.kind === 'added') end++
  return { deleted: lines.slice(start, middle), added: lines.slice(middle, end), end }
}

/** Lines that are equal but for whitespace become context, with the new text; the others stay as they are. */
function mergeChange(deleted: readonly DiffLine[], added: readonly DiffLine[]): DiffLine[] {
  const [before, after] = [deleted.map(normalize), added.map(normalize)]
  const merged: DiffLine[] = []
  let [i, j] = [0, 0]
  for (const [from, to] of [...matchLines(before, after), [deleted.length, added.length] as const]) {
    for (; i < from; i++) push(merged, deleted[i])
    for (; j < to; j++) push(merged, added[j])
    const [oldLine, newLine] = [deleted[from], added[to]]
    if (oldLine !== undefined && newLine !== undefined) merged.push({ ...newLine, kind: 'context', old: oldLine.old })
    ;[i, j] = [from + 1, to + 1]
  }
  return merged
}

function push(lines: DiffLine[], line: DiffLine | undefined): void {
  if (line !== undefined) lines.push(line)
}

function normalize({ text }: DiffLine): string {
  return text.replaceAll(/\s+/g, '')
}
