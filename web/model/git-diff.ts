/**
 * Reads what `git diff` prints (gitformat-diff(5), "Generating patch text with -p").
 *
 * A text may be hostile: an agent chose its names and contents, and it may be cut anywhere. So nothing is refused: what
 * is no diff is left out, and a file says what is known of it. The work can be done in parts (`steps`), so that a page
 * goes on while 20 MB are read. Hunks end by the counts in their headers, so a removed line `-- x` is no file header.
 */
import { pathFromHeader, readPath } from './git-path.ts'

export type DiffSide = 'old' | 'new'
export type FileChange = 'modified' | 'added' | 'deleted' | 'renamed' | 'copied'

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'deleted'
  /** Without its sign and its line feed; a carriage return stays. */
  readonly text: string
  /** Number in the old file, from 1; undefined for an added line. */
  readonly old: number | undefined
  /** Number in the new file, from 1; undefined for a deleted line. */
  readonly new: number | undefined
  /** The line is the last of its file and has no line feed. */
  hasNoNewline?: true
}

export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** What git says of the place, such as the name of a function; "" when nothing. */
  readonly heading: string
  readonly lines: readonly DiffLine[]
}

export interface DiffFile {
  /** Path in the new state; of a deleted file, in the old one. */
  readonly path: string
  /** Where a renamed or copied file came from. */
  readonly from: string | undefined
  readonly change: FileChange
  readonly isBinary: boolean
  /** Modes as git prints them, where the mode changed. */
  readonly modes: readonly [before: string, after: string] | undefined
  /** Names of the contents as git has them; undefined where it prints none, such as for a rename without a change. */
  readonly blobs: readonly [before: string, after: string] | undefined
  readonly added: number
  readonly deleted: number
  readonly hunks: readonly Hunk[]
}

export interface GitDiff {
  readonly files: readonly DiffFile[]
  readonly added: number
  readonly deleted: number
  /** What the runner wrote at the end of a diff that it cut. */
  readonly cut: string | undefined
}

type Editable<T> = { -readonly [K in keyof T]: T[K] }
type OpenFile = Omit<Editable<DiffFile>, 'hunks'> & { hunks: OpenHunk[]; before?: string }
type OpenHunk = Omit<Hunk, 'lines'> & { lines: DiffLine[] }

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)/s
const CUT = /^\[(cut after \d+ bytes.*)\]$/
/** Lines between two looks at whether to go on: well below a millisecond. */
const LINES_PER_STEP = 500

/** Gives control back after every {@link LINES_PER_STEP} lines. */
export function* parseInSteps(text: string): Generator<undefined, GitDiff> {
  const reader = createReader()
  let count = 0
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    reader.line(text.slice(start, end))
    start = end + 1
    if (++count % LINES_PER_STEP === 0) yield undefined
  }
  return reader.end()
}

function createReader(): { line: (line: string) => void; end: () => GitDiff } {
  const files: OpenFile[] = []
  let cut: string | undefined
  let hunk: OpenHunk | undefined
  let left = { old: 0, new: 0 }
  const header = (line: string): void => {
    const file = files.at(-1)
    if (line.startsWith('diff ')) files.push(openFile(line))
    else if (line.startsWith('[cut after ')) cut = CUT.exec(line)?.[1] ?? cut
    else if (file !== undefined && line.startsWith('@@ ')) {
      hunk = openHunk(line)
      if (hunk === undefined) return
      left = { old: hunk.oldLines, new: hunk.newLines }
      file.hunks.push(hunk)
    } else if (file !== undefined) readHeader(file, line)
  }
  const content = (file: OpenFile, into: OpenHunk, line: string): boolean => {
    const kind = kindOf(line)
    if (kind === undefined) return false
    if (kind === 'no-newline') {
      const last = into.lines.at(-1)
      if (last !== undefined) last.hasNoNewline = true
      return true
    }
    if (left.old <= 0 && left.new <= 0) return false
    const [isOld, isNew] = [kind !== 'added', kind !== 'deleted']
    into.lines.push({
      kind,
      text: line.slice(1),
      old: isOld ? into.oldStart + into.oldLines - left.old : undefined,
      new: isNew ? into.newStart + into.newLines - left.new : undefined,
    })
    left = { old: left.old - (isOld ? 1 : 0), new: left.new - (isNew ? 1 : 0) }
    if (kind === 'added') file.added++
    if (kind === 'deleted') file.deleted++
    return true
  }
  return {
    line(line) {
      const file = files.at(-1)
      if (file !== undefined && hunk !== undefined && content(file, hunk, line)) return
      hunk = undefined
      header(line)
    },
    end: () => ({ files: files.map(closeFile), ...sum(files), cut }),
  }
}

/** What a line of a hunk is, by its first character. Some programs drop the space of an empty context line. */
function kindOf(line: string): DiffLine['kind'] | 'no-newline' | undefined {
  switch (line.charAt(0)) {
    case ' ':
    case '':
      return 'context'
    case '+':
      return 'added'
    case '-':
      return 'deleted'
    case '\\':
      return 'no-newline'
    default:
      return undefined
  }
}

function openFile(line: string): OpenFile {
  const common = { change: 'modified', isBinary: false, modes: undefined, blobs: undefined } as const
  return { ...common, path: pathFromHeader(line), from: undefined, added: 0, deleted: 0, hunks: [] }
}

function openHunk(line: string): OpenHunk | undefined {
  const match = HUNK.exec(line)
  if (match === null) return undefined
  const [, oldStart = '0', oldLines = '1', newStart = '0', newLines = '1', heading = ''] = match
  const numbers = { oldStart: Number(oldStart), oldLines: Number(oldLines), newStart: Number(newStart) }
  return { ...numbers, newLines: Number(newLines), heading, lines: [] }
}

type Field = (file: OpenFile, value: string) => void

/** The extended header lines that say something, by how they begin. */
const HEADERS: readonly (readonly [start: string, read: Field])[] = [
  ['new file mode ', (file) => void (file.change = 'added')],
  ['deleted file mode ', (file) => void (file.change = 'deleted')],
  ['old mode ', (file, value) => void (file.before = value)],
  ['new mode ', (file, value) => void (file.modes = [file.before ?? '', value])],
  ['rename from ', (file, value) => void Object.assign(file, { from: readPath(value), change: 'renamed' })],
  ['rename to ', (file, value) => void (file.path = readPath(value))],
  ['copy from ', (file, value) => void Object.assign(file, { from: readPath(value), change: 'copied' })],
  ['copy to ', (file, value) => void (file.path = readPath(value))],
  ['index ', (file, value) => void (file.blobs = readBlobs(value))],
  ['Binary files ', (file) => void (file.isBinary = true)],
  ['GIT binary patch', (file) => void (file.isBinary = true)],
  ['--- ', (file, value) => setPath(file, value)],
  ['+++ ', (file, value) => setPath(file, value)],
]

/** `0123456..789abcd 100644`; the mode is there where it did not change. */
function readBlobs(value: string): DiffFile['blobs'] {
  const match = /^([0-9a-f]+)\.\.([0-9a-f]+)/.exec(value)
  return match === null ? undefined : [match[1] ?? '', match[2] ?? '']
}

function readHeader(file: OpenFile, line: string): void {
  const found = HEADERS.find(([start]) => line.startsWith(start))
  if (found !== undefined) found[1](file, line.slice(found[0].length))
}

/** `--- a/x` and `+++ b/x`: the later one counts, and `/dev/null` is none. */
function setPath(file: OpenFile, value: string): void {
  // git writes a tab behind a name with a space, so that patch(1) sees its end.
  const path = readPath(value.replace(/\t$/, ''))
  if (path !== '/dev/null') file.path = path.replace(/^[ab]\//, '')
}

function closeFile({ before: _before, ...file }: OpenFile): DiffFile {
  return file
}

function sum(files: readonly OpenFile[]): { readonly added: number; readonly deleted: number } {
  let [added, deleted] = [0, 0]
  for (const file of files) {
    added += file.added
    deleted += file.deleted
  }
  return { added, deleted }
}
