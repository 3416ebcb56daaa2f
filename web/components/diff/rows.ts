/** What a diff shows from top to bottom, one row per line of the screen list: pure, so that it can be drawn in part. */
import type { DiffFile, DiffLine, DiffSide, Hunk } from '../../model/git-diff.ts'
import { placeOf } from '../../model/review.ts'
import { changeAt, withoutWhitespaceChanges } from './whitespace.ts'

/** Old and new lines below one another, or beside one another. */
export type Layout = 'unified' | 'split'

/** Where a comment stands. */
export interface Place {
  readonly file: string
  readonly side: DiffSide
  readonly line: number
}

interface InFile {
  /** The same row has the same key whatever comes before it. */
  readonly key: string
  readonly fileIndex: number
}

export type LineRow = InFile & {
  readonly kind: 'line'
  readonly line: DiffLine
  /** The other half of a changed line, for the marks of words. */
  readonly partner: DiffLine | undefined
}
export type PairRow = InFile & {
  readonly kind: 'pair'
  readonly left: DiffLine | undefined
  readonly right: DiffLine | undefined
}
export type CommentRow = InFile & {
  readonly kind: 'comment'
  readonly place: Place
  /** Its line is not among those that are shown. */
  readonly isLost: boolean
}
export type Row =
  | (InFile & { readonly kind: 'file'; readonly view: FileView })
  | (InFile & { readonly kind: 'note'; readonly text: string })
  | (InFile & { readonly kind: 'hunk'; readonly skipped: number; readonly heading: string })
  | (InFile & { readonly kind: 'more'; readonly left: number })
  | LineRow
  | PairRow
  | CommentRow

export interface FileView {
  readonly file: DiffFile
  readonly index: number
  readonly isFolded: boolean
  readonly isViewed: boolean
  /** Lines that are shown of it at most. */
  readonly limit: number
  readonly layout: Layout
  readonly ignoresWhitespace: boolean
  /** Places of comments in this file. */
  readonly places: readonly Place[]
}

/** Lines of one file that are shown at once, and that each "Show more" adds. */
export const LINES_AT_ONCE = 3_000
/** With so many lines open, further files start folded. */
const OPEN_LINES = 60_000

/** A file without lines costs something too. */
const LINES_PER_FILE = 20

/** Which files start folded, by their index: those that come after very many lines. */
export function foldedFrom(files: readonly DiffFile[]): number {
  let lines = 0
  for (const [index, { hunks }] of files.entries()) {
    lines += LINES_PER_FILE + Math.min(LINES_AT_ONCE, countLines(hunks))
    if (lines > OPEN_LINES) return index
  }
  return files.length
}

function countLines(hunks: readonly Hunk[]): number {
  let count = 0
  for (const { lines } of hunks) count += lines.length
  return count
}

/** The rows of one file, its header first. */
export function fileRows(view: FileView): readonly Row[] {
  const { file, index, isFolded, places } = view
  const head: Row = { key: `${index}.file`, fileIndex: index, kind: 'file', view }
  if (isFolded) return [head]
  const of = (name: string): InFile => ({ key: `${index}.${name}`, fileIndex: index })
  const { hunks, note } = withoutWhitespace(view)
  const words = [...describe(file), ...note]
  const notes = words.map((text, n): Row => ({ ...of(`note${n}`), kind: 'note', text }))
  const wanted = new Map(places.map((place) => [placeOf(place), place]))
  const rows = contentRows(view, { hunks, wanted, of })
  const lost = [...wanted].map(([name, place]): Row => ({
    ...of(`comment.${name}`),
    kind: 'comment',
    place,
    isLost: true,
  }))
  return [head, ...notes, ...lost, ...rows]
}

/** With more lines than this, a file is shown with its changes of whitespace. */
const MAX_COMPARED = 20_000

interface Compared {
  readonly hunks: readonly Hunk[]
  readonly note: readonly string[]
}

function withoutWhitespace({ file, ignoresWhitespace }: FileView): Compared {
  if (!ignoresWhitespace || file.hunks.length === 0) return { hunks: file.hunks, note: [] }
  if (countLines(file.hunks) > MAX_COMPARED)
    return { hunks: file.hunks, note: ['Too many lines to leave out changes of whitespace.'] }
  const hunks = withoutWhitespaceChanges(file.hunks)
  return { hunks, note: hunks.length === 0 ? ['Only whitespace changed.'] : [] }
}

interface Content {
  readonly hunks: readonly Hunk[]
  /** Comments that have no row yet; each goes when its line comes. */
  readonly wanted: Map<string, Place>
  readonly of: (name: string) => InFile
}

function contentRows({ file, limit, layout }: FileView, { hunks, wanted, of }: Content): readonly Row[] {
  const rows: Row[] = []
  const isWhole = file.change === 'added' || file.change === 'deleted'
  let [shown, oldNext] = [0, 1]
  for (const [n, hunk] of hunks.entries()) {
    if (shown >= limit) break
    const skipped = isWhole ? 0 : Math.max(0, hunk.oldStart - oldNext)
    oldNext = hunk.oldStart + hunk.oldLines
    if (n > 0 || skipped > 0) rows.push({ ...of(`hunk${n}`), kind: 'hunk', skipped, heading: hunk.heading })
    const lines = hunk.lines.slice(0, limit - shown)
    shown += lines.length
    for (const row of layout === 'split' ? pairRows(lines, n, of) : lineRows(lines, n, of)) {
      rows.push(row)
      if (wanted.size > 0) rows.push(...commentRows(file, row, { wanted, of }))
    }
  }
  const left = countLines(hunks) - shown
  if (left > 0) rows.push({ ...of('more'), kind: 'more', left })
  return rows
}

/** Every line a row, the deleted ones of a change before the added ones. */
function lineRows(lines: readonly DiffLine[], hunk: number, of: Content['of']): readonly LineRow[] {
  const rows: LineRow[] = []
  for (let i = 0; i < lines.length;) {
    const { deleted, added, end } = changeAt(lines, i)
    const context = lines[end]
    const add = (line: DiffLine, partner?: DiffLine): void =>
      void rows.push({ ...of(`${hunk}.${line.old ?? ''}-${line.new ?? ''}`), kind: 'line', line, partner })
    for (const [n, line] of deleted.entries()) add(line, added[n])
    for (const [n, line] of added.entries()) add(line, deleted[n])
    if (context !== undefined) add(context)
    i = end + 1
  }
  return rows
}

/** The old file on the left and the new one on the right; the lines of a change stand beside one another. */
function pairRows(lines: readonly DiffLine[], hunk: number, of: Content['of']): readonly PairRow[] {
  const rows: PairRow[] = []
  for (let i = 0; i < lines.length;) {
    const { deleted, added, end } = changeAt(lines, i)
    const context = lines[end]
    const add = (left: DiffLine | undefined, right: DiffLine | undefined): void =>
      void rows.push({ ...of(`${hunk}.${left?.old ?? ''}=${right?.new ?? ''}`), kind: 'pair', left, right })
    for (let n = 0; n < Math.max(deleted.length, added.length); n++) add(deleted[n], added[n])
    if (context !== undefined) add(context, context)
    i = end + 1
  }
  return rows
}

/** The comments that stand below a row. */
function commentRows(file: DiffFile, row: LineRow | PairRow, { wanted, of }: Omit<Content, 'hunks'>): CommentRow[] {
  const lines = row.kind === 'line' ? [row.line] : row.left === row.right ? [row.left] : [row.left, row.right]
  return lines.flatMap((line) => {
    const place = line === undefined ? undefined : placeOfLine(file.path, line)
    const name = place === undefined ? '' : placeOf(place)
    if (place === undefined || !wanted.delete(name)) return []
    return [{ ...of(`comment.${name}`), kind: 'comment' as const, place, isLost: false }]
  })
}

/** Where a comment on that line belongs: to the old file only if the line is gone. */
export function placeOfLine(file: string, line: DiffLine): Place {
  return line.kind === 'deleted'
    ? { file, side: 'old', line: line.old ?? 0 }
    : { file, side: 'new', line: line.new ?? 0 }
}

const NO_CONTENT: Readonly<Record<DiffFile['change'], string>> = {
  added: 'An empty file was added.',
  deleted: 'An empty file was deleted.',
  modified: 'The content did not change.',
  renamed: 'Renamed without a change.',
  copied: 'Copied without a change.',
}

/** What the lines of a file do not tell, in words. */
export function describe({ change, isBinary, modes, hunks }: DiffFile): readonly string[] {
  const words: string[] = []
  if (modes !== undefined) words.push(describeModes(modes))
  if (isBinary) words.push('A binary file: its content is not shown.')
  else if (hunks.length === 0 && (modes === undefined || change !== 'modified')) words.push(NO_CONTENT[change])
  return words
}

function describeModes([before, after]: readonly [string, string]): string {
  const isExecutable = after.endsWith('755')
  const meaning =
    isExecutable === before.endsWith('755') ? '' : isExecutable ? ': now executable' : ': no longer executable'
  return `The mode changed from ${before} to ${after}${meaning}.`
}
