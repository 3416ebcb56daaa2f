/**
 * What changed from one diff to another one of the same base, such as from one attempt of a task to the next: pure.
 *
 * A diff has the lines of its base around each change, so where either of the two changes something, the base's lines are
 * known there, and with them those of both results. Everywhere else both are as the base. So the outcome is exact, without
 * the files themselves. Diffs of different bases are compared as `git range-diff` compares commits: by what each of them changes, in
 * files that both bases have alike.
 */
import { matchLines } from './common-lines.ts'
import type { DiffState } from './diff-state.ts'
import type { DiffFile, DiffLine, FileChange, GitDiff, Hunk } from './git-diff.ts'
import { showUnseen } from './hostile-text.ts'
import { toHunks } from './hunks.ts'

export interface DiffBetween {
  readonly diff: GitDiff
  /** Paths of files whose two versions began from different ones. */
  readonly unknown: readonly string[]
}

/** The changes that lead from the result of one diff to that of the other. */
export function diffBetween(before: GitDiff, after: GitDiff): DiffBetween {
  const earlier = new Map(before.files.map((file) => [originOf(file), file]))
  const later = new Map(after.files.map((file) => [originOf(file), file]))
  const files: DiffFile[] = []
  const unknown: string[] = []
  for (const origin of new Set([...earlier.keys(), ...later.keys()])) {
    const [a, b] = [earlier.get(origin), later.get(origin)]
    const file = a !== undefined && b !== undefined && isSame(a, b) ? undefined : fileBetween(a, b)
    if (file === 'unknown') unknown.push(b?.path ?? a?.path ?? '')
    else if (file !== undefined) files.push(file)
  }
  const sum = (name: 'added' | 'deleted'): number => files.reduce((total, file) => total + file[name], 0)
  return { diff: { files, added: sum('added'), deleted: sum('deleted'), cut: undefined }, unknown }
}

/** The commits that two diffs are against; undefined where it is not known. */
export interface Bases {
  readonly earlier: string | undefined
  readonly later: string | undefined
}

/** The same for diffs as far as the page has them; of a diff that is cut, or of an unknown base, nothing can be told. */
export function compareStates(earlier: DiffState, later: DiffState, bases: Bases): DiffState {
  if (later.kind !== 'loaded') return later
  if (bases.earlier === undefined || bases.later === undefined)
    return { ...later, note: 'The two are not known to have one base, so the whole of the later one is shown.' }
  if (earlier.kind !== 'loaded') return earlier
  const cut = [earlier, later].find(({ isPartial, diff }) => isPartial || diff.cut !== undefined)
  if (cut !== undefined)
    return { ...later, note: 'One of the two diffs is cut, so the whole of the later one is shown.' }
  const isRebased = bases.earlier !== bases.later
  const { diff, unknown } = diffBetween(earlier.diff, later.diff)
  if (unknown.length === 0 && !isRebased) return { ...later, diff }
  const names = unknown.map(showUnseen).join(', ')
  const notes = [
    isRebased ? REBASED : '',
    unknown.length === 0 ? '' : `Began from another version, so shown as a whole: ${names}.`,
  ]
  return { ...later, diff: withWhole(diff, later.diff, unknown), note: notes.filter((note) => note !== '').join(' ') }
}

const REBASED =
  'The work was rebased between the two. What each of them changes in a file is compared; what came with the new base is not shown.'

/** With all that a diff changes in some files. */
function withWhole(diff: GitDiff, of: GitDiff, paths: readonly string[]): GitDiff {
  const files = of.files.filter(({ path }) => paths.includes(path))
  const sum = (name: 'added' | 'deleted'): number => files.reduce((total, file) => total + file[name], 0)
  const [added, deleted] = [diff.added + sum('added'), diff.deleted + sum('deleted')]
  return { ...diff, files: [...diff.files, ...files], added, deleted }
}

/** Names the file of the base that a file came from; one without any is named by itself. */
function originOf({ change, path, from }: DiffFile): string {
  return change === 'added' || change === 'copied' ? `new ${path}` : `base ${from ?? path}`
}

function isSame(a: DiffFile, b: DiffFile): boolean {
  const [blobs, modes] = [
    [a.blobs, b.blobs],
    [a.modes, b.modes],
  ].map(([x, y]) => x?.[1] === y?.[1])
  // Without a content git printed none, so there is no change of it.
  return blobs === true && modes === true && a.path === b.path && (a.change === 'deleted') === (b.change === 'deleted')
}

/** Undefined: there is no change to show. */
function fileBetween(a: DiffFile | undefined, b: DiffFile | undefined): DiffFile | 'unknown' | undefined {
  const [hadFile, hasFile] = [isThere(a, b), isThere(b, a)]
  const [path, from] = [b?.path ?? originPath(a), a?.path ?? originPath(b)]
  if (!hadFile && !hasFile) return undefined
  if (!haveOneBase(a, b)) return 'unknown'
  const isBinary = a?.isBinary === true || b?.isBinary === true
  const hunks = isBinary ? [] : hunksBetween(a?.hunks ?? [], b?.hunks ?? [])
  if (hunks === undefined) return 'unknown'
  const count = (kind: DiffLine['kind']): number =>
    hunks.reduce((total, { lines }) => total + lines.filter((line) => line.kind === kind).length, 0)
  const isRenamed = hadFile && hasFile && path !== from
  const change: FileChange = !hadFile ? 'added' : !hasFile ? 'deleted' : isRenamed ? 'renamed' : 'modified'
  return {
    path: hasFile ? path : from,
    from: isRenamed ? from : undefined,
    change,
    isBinary,
    modes: hadFile && hasFile ? modesBetween(a, b) : undefined,
    blobs: undefined,
    added: count('added'),
    deleted: count('deleted'),
    hunks,
  }
}

/** Whether a file is there after a diff; one that the diff does not name is as in the base, where the other names it. */
function isThere(file: DiffFile | undefined, other: DiffFile | undefined): boolean {
  if (file !== undefined) return file.change !== 'deleted'
  return other !== undefined && other.change !== 'added' && other.change !== 'copied'
}

function originPath(file: DiffFile | undefined): string {
  return file?.from ?? file?.path ?? ''
}

function haveOneBase(a: DiffFile | undefined, b: DiffFile | undefined): boolean {
  // The base of a copy is another file.
  if (a?.change === 'copied' || b?.change === 'copied') return a?.change === b?.change && a?.from === b?.from
  return a?.blobs === undefined || b?.blobs === undefined || a.blobs[0] === b.blobs[0]
}

function modesBetween(a: DiffFile | undefined, b: DiffFile | undefined): DiffFile['modes'] {
  const base = a?.modes?.[0] ?? b?.modes?.[0]
  const [was, is] = [a?.modes?.[1] ?? base, b?.modes?.[1] ?? base]
  return was === undefined || is === undefined || was === is ? undefined : [was, is]
}

/** A part of the base that at least one of the diffs tells of: from which line on, and before which one it ends. */
interface Region {
  readonly start: number
  end: number
}

/** Undefined: the diffs contradict each other about the base. */
function hunksBetween(a: readonly Hunk[], b: readonly Hunk[]): readonly Hunk[] | undefined {
  const base = baseLines([...a, ...b])
  if (base === undefined) return undefined
  const hunks: Hunk[] = []
  const [resultA, resultB] = [resultsOf(a, base), resultsOf(b, base)]
  let [shiftA, shiftB] = [0, 0]
  for (const region of regionsOf([...a, ...b])) {
    const [linesA, linesB] = [resultA(region), resultB(region)]
    const from = { old: region.start + shiftA, new: region.start + shiftB }
    for (const hunk of toHunks(compareLines(linesA, linesB, from), from)) hunks.push(hunk)
    const length = region.end - region.start
    ;[shiftA, shiftB] = [shiftA + linesA.length - length, shiftB + linesB.length - length]
  }
  return hunks
}

type Line = Pick<DiffLine, 'text' | 'hasNoNewline'>

/** The lines of the base by their number; undefined where two hunks have different ones. */
function baseLines(hunks: readonly Hunk[]): ReadonlyMap<number, Line> | undefined {
  const known = new Map<number, Line>()
  for (const { lines } of hunks)
    for (const line of lines) {
      if (line.old === undefined) continue
      const other = known.get(line.old)
      if (other !== undefined && other.text !== line.text) return undefined
      known.set(line.old, line)
    }
  return known
}

/** Where a hunk begins in the base; one without lines of it stands behind the line that it names. */
function startOf({ oldStart, oldLines }: Hunk): number {
  return oldLines === 0 ? oldStart + 1 : oldStart
}

function regionsOf(hunks: readonly Hunk[]): readonly Region[] {
  const regions: Region[] = []
  for (const hunk of inOrder(hunks)) {
    const [start, end] = [startOf(hunk), startOf(hunk) + hunk.oldLines]
    const last = regions.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else regions.push({ start, end })
  }
  return regions
}

/**
 * Gives the lines that a diff makes of a region of the base. Regions must be asked for in their order: each hunk is looked
 * at once, since large files have very many.
 */
function resultsOf(hunks: readonly Hunk[], base: ReadonlyMap<number, Line>): (region: Region) => readonly Line[] {
  const ordered = inOrder(hunks)
  let index = 0
  return ({ start, end }) => {
    const lines: Line[] = []
    let next = start
    const keepUntil = (until: number): void => {
      for (; next < until; next++) lines.push(base.get(next) ?? { text: '' })
    }
    for (let hunk = ordered[index]; hunk !== undefined && startOf(hunk) <= end; hunk = ordered[++index]) {
      keepUntil(startOf(hunk))
      for (const line of hunk.lines) if (line.kind !== 'deleted') lines.push(line)
      next = startOf(hunk) + hunk.oldLines
    }
    keepUntil(end)
    return lines
  }
}

function inOrder(hunks: readonly Hunk[]): readonly Hunk[] {
  return hunks.toSorted((a, b) => startOf(a) - startOf(b))
}

/** Every line of a region, with its numbers on both sides. */
function compareLines(
  before: readonly Line[],
  after: readonly Line[],
  from: { readonly old: number; readonly new: number },
): readonly DiffLine[] {
  const found: { readonly kind: DiffLine['kind']; readonly line: Line }[] = []
  const add = (kind: DiffLine['kind'], lines: readonly Line[]): void => {
    for (const line of lines) found.push({ kind, line })
  }
  let [i, j] = [0, 0]
  for (const [at, other] of matchLines(before.map(wholeOf), after.map(wholeOf))) {
    add('deleted', before.slice(i, at))
    add('added', after.slice(j, other))
    add('context', after.slice(other, other + 1))
    ;[i, j] = [at + 1, other + 1]
  }
  add('deleted', before.slice(i))
  add('added', after.slice(j))
  let { old, new: now } = from
  return found.map(({ kind, line: { text, hasNoNewline } }) => ({
    kind,
    text,
    old: kind === 'added' ? undefined : old++,
    new: kind === 'deleted' ? undefined : now++,
    ...(hasNoNewline === true ? { hasNoNewline } : {}),
  }))
}

/** A line that lacks its line feed is another line. */
function wholeOf({ text, hasNoNewline }: Line): string {
  return hasNoNewline === true ? text : `${text}\n`
}
