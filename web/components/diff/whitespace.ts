/** The hunks of a file without changes of whitespace alone, as `git diff -w` would show them. */
import type { DiffLine, Hunk } from '../../model/git-diff.ts'

/** Beyond this many pairs of lines in one change, only its equal beginning and end are looked for. */
const MAX_PAIRS = 250_000

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

type Match = readonly [before: number, after: number]

/** Pairs of equal lines in order: of a longest common subsequence, if the change is small enough for that. */
function matchLines(before: readonly string[], after: readonly string[]): Match[] {
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
