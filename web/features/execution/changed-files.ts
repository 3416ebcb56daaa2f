import { editLines } from '../../model/edit-lines.ts'
import { shortPath } from '../../model/tool-words.ts'
import type { Transcript } from '../../model/transcript.ts'

export interface ChangedFile {
  readonly path: string
  readonly added: number
  readonly removed: number
}

/** As the agent's edits say it; what its commands changed is in the diff alone. */
export function changedFiles({ entries }: Transcript): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  for (const entry of entries) {
    if (entry.kind !== 'tool' || entry.result?.isError === true) continue
    for (const { path, before, after } of entry.edits) {
      const short = shortPath(path)
      const { added, removed } = files.get(short) ?? { added: 0, removed: 0 }
      const lines = editLines(before, after)
      const count = (kind: string): number => lines.filter((line) => line.kind === kind).length
      files.set(short, { path: short, added: added + count('added'), removed: removed + count('removed') })
    }
  }
  return [...files.values()]
}
