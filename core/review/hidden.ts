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
 * @param diff the one that is reviewed, by `git diff-tree -r` in the same form
 * @returns the files, those of newer commits first
 */
export function findHiddenFiles(brought: string, log: string, diff: string): HiddenFile[] {
  const changed = new Map(readRaw(diff).map(({ path, objects }) => [path, objects] as const))
  const visible = new Set([...changed.values()].flat())
  const hidden = new Set(brought.split('\n').filter((object) => object !== '' && !visible.has(object)))
  return readRaw(log).flatMap(({ commit, path, objects }) => {
    const shown = changed.get(path)
    const [before, after] = objects
    // Of a file that the diff shows, what a commit takes away was brought by an earlier one.
    if (shown !== undefined) return hidden.has(after) ? [{ commit, path, shown, content: after }] : []
    return hidden.has(before) || hidden.has(after) ? [{ commit, path, content: after }] : []
  })
}

interface Change {
  /** What the output names before it. */
  readonly commit: string
  readonly path: string
  readonly objects: readonly [before: string, after: string]
}

function readRaw(output: string): Change[] {
  const changes: Change[] = []
  const parts = output.split('\0')
  let commit = ''
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]?.trimStart() ?? ''
    if (!part.startsWith(':')) {
      commit = part
      continue
    }
    i += 1
    const [, , before = '', after = ''] = part.split(' ')
    changes.push({ commit, path: parts[i] ?? '', objects: [before, after] })
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
