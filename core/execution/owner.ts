import { parseObject } from '../json.ts'
import { isTimestamp } from '../time.ts'
import { MIRROR_KEY_PATTERN } from './patterns.ts'

/** Whose a folder of the data volume is, as its mark says. */
export interface FolderOwner {
  /** metadata.uid of a Task or an Execution: a name may come again after a deletion, a uid never. */
  readonly uid: string
  /** Absent in the marks of earlier versions, which held the uid alone. */
  readonly namespace?: string
  readonly name?: string
  /** The task's metadata.uid, for files of a task's execution; they are kept as long as the task exists. */
  readonly task?: string
  /** RFC 3339: of a sandbox whose task was deleted while it ran. It stays until then. */
  readonly keptUntil?: string
  /** Of a sandbox: the key of the repository (layout.ts) whose mirrors its clone borrows from. */
  readonly mirror?: string
  /** Of an execution's files: the project, else the repository, that its agent worked for, in words (continues.ts). */
  readonly place?: string
}

export function formatOwner(owner: FolderOwner): string {
  return `${JSON.stringify(owner)}\n`
}

const MIRROR_KEY = new RegExp(MIRROR_KEY_PATTERN)

/** @returns undefined for what names nobody */
export function parseOwner(text: string): FolderOwner | undefined {
  const content = text.trim()
  // After a power cut an unsynced file may be empty, or hold zeros.
  if (content === '' || content.includes('\0')) return undefined
  if (!content.startsWith('{')) return { uid: content }
  const { uid, namespace, name, task, keptUntil, mirror, place } = parseObject(content)
  if (typeof uid !== 'string' || uid === '') return undefined
  return {
    uid,
    ...(typeof namespace === 'string' && { namespace }),
    ...(typeof name === 'string' && { name }),
    ...(typeof task === 'string' && { task }),
    ...(typeof keptUntil === 'string' && isTimestamp(keptUntil) && { keptUntil }),
    ...(typeof mirror === 'string' && MIRROR_KEY.test(mirror) && { mirror }),
    ...(typeof place === 'string' && { place }),
  }
}
