/** Content that commits bring and the diff does not show: a later commit takes it back, and the history keeps it. */

/** A file as a commit has it and the diff does not. */
export interface HiddenFile {
  readonly commit: string
  readonly path: string
  /** The file's objects in base and head, for a file that the diff shows with other content; zeros: there is none. */
  readonly shown?: readonly [base: string, head: string]
  readonly content: string
}

/**
 * @param brought the objects that the commits bring, one on each line
 * @param log the commits with their changes: `git log -z --raw --no-abbrev --no-renames --format=%H`
 * @param diff the one that is reviewed
 * @returns the files, those of newer commits first
 */
export function findHiddenFiles(brought: string, log: string, diff: readonly RawChange[]): HiddenFile[] {
  const changed = new Map(diff.map(({ path, objects }) => [path, objects] as const))
  const visible = new Set([...changed.values()].flat())
  const hidden = new Set(brought.split('\n').filter((object) => object !== '' && !visible.has(object)))
  return parseRawChanges(log).flatMap(({ commit, path, objects }) => {
    const shown = changed.get(path)
    const [before, after] = objects
    // What a commit removes from a file that the diff shows, an earlier commit added.
    if (shown !== undefined) return hidden.has(after) ? [{ commit, path, shown, content: after }] : []
    return hidden.has(before) || hidden.has(after) ? [{ commit, path, content: after }] : []
  })
}

/** One path in which two trees differ; the name has its bytes as latin1. */
export interface RawChange {
  /** What the output names before it: a commit, where it is of several. */
  readonly commit: string
  readonly path: string
  /** Modes, as git prints them; 000000: there is nothing. */
  readonly modes: readonly [before: string, after: string]
  readonly objects: readonly [before: string, after: string]
}

/** Reads what git prints with `-z --raw --no-abbrev --no-renames`, as latin1. */
export function parseRawChanges(output: string): RawChange[] {
  const changes: RawChange[] = []
  const parts = output.split('\0')
  let commit = ''
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]?.trimStart() ?? ''
    if (!part.startsWith(':')) {
      commit = part
      continue
    }
    i += 1
    const [before = '', after = '', from = '', to = ''] = part.slice(1).split(' ')
    changes.push({ commit, path: parts[i] ?? '', modes: [before, after], objects: [from, to] })
  }
  return changes
}

/**
 * The lines that only the second of two files has, wherever they are; undefined where git compares no lines of them.
 *
 * @param diff of the two, without context
 */
export function findAddedLines(diff: string): ReadonlySet<string> | undefined {
  if (diff === '') return new Set()
  const lines = diff.split('\n')
  const start = lines.findIndex((line) => line.startsWith('@@'))
  if (start === -1) return undefined
  const of = (sign: string): string[] =>
    lines.slice(start).flatMap((line) => (line.startsWith(sign) ? [line.slice(1).trim()] : []))
  const moved = new Set(of('-'))
  return new Set(of('+').filter((line) => line !== '' && !moved.has(line)))
}
