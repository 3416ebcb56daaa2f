import { utf8Length } from '../text.ts'
import {
  ARCHIVE_PATH,
  CHECKOUTS_FOLDER,
  DROPS_PATH,
  EXECUTIONS_PATH,
  mirrorsPath,
  PLANS_PATH,
  REPOSITORIES_PATH,
  SANDBOXES_PATH,
  STAGED_REPOSITORY,
} from '../execution/layout.ts'
import type { Generation } from '../execution/alternates.ts'
import { type Uids, replaceUids } from './objects.ts'

/** What of the data volume is in a backup, in this order; of mirrors those that kept clones borrow from. */
const BACKUP_FOLDERS: readonly string[] = [
  ARCHIVE_PATH,
  DROPS_PATH,
  EXECUTIONS_PATH,
  PLANS_PATH,
  REPOSITORIES_PATH,
  SANDBOXES_PATH,
]

/** Sandboxes of queries, which are thrown away with them. */
const OF_QUERY = /^aside\./

/** What the checks of an execution work in, which is made anew whenever they run. */
const OF_CHECKS: readonly string[] = [CHECKOUTS_FOLDER, STAGED_REPOSITORY]

/**
 * Whether a path of the volume is in a backup. Names that begin with a dot are files that are being written, or folders
 * that are being removed, unless they are in a folder where agents write.
 */
export function isBackedUp(path: string, namespace: string, hasWorkspaces: boolean): boolean {
  const [top = '', second = '', third = ''] = path.split('/')
  if (!BACKUP_FOLDERS.includes(top) || second.startsWith('.')) return false
  if (top === ARCHIVE_PATH) return (second === '' || second === namespace) && !/\/\./.test(path)
  if (top === SANDBOXES_PATH || top === REPOSITORIES_PATH) return hasWorkspaces && !OF_QUERY.test(second)
  return top !== EXECUTIONS_PATH || !(third.startsWith('.') || OF_CHECKS.includes(third))
}

/**
 * Whether a path is a mirror that a clone borrows from, or on the way to one. The objects come before the references to
 * them, as their names have it.
 */
export function isOfMirror(path: string, { key, number }: Generation): boolean {
  const mirror = `${mirrorsPath(key)}/${number}`
  return path === mirror || path.startsWith(`${mirror}/`) || mirror.startsWith(`${path}/`)
}

const [MAX_PATH_BYTES, MAX_NAME_BYTES] = [4096, 255]

/** Whether Linux would refuse the path, or a name in it. */
export function isTooLong(path: string): boolean {
  return utf8Length(path) > MAX_PATH_BYTES || path.split('/').some((name) => utf8Length(name) > MAX_NAME_BYTES)
}

/** Says why a path that an archive names is unsafe; undefined for one that stays in its place. */
export function findPathProblem(path: string): string | undefined {
  const segments = path.split('/')
  const isOdd = segments.some((segment) => segment === '' || segment === '.' || segment === '..')
  if (isOdd || /[\\\0]/.test(path)) return 'it leaves its folder'
  if (isTooLong(path)) return 'it is longer than a system takes'
  return BACKUP_FOLDERS.includes(segments[0] ?? '') ? undefined : 'no backup has this folder'
}

/** Whether a path is of the archive of another namespace than the one that the backup is of. */
export function isOfOtherArchive(path: string, namespace: string): boolean {
  const [top, second] = path.split('/')
  return top === ARCHIVE_PATH && second !== undefined && second !== namespace
}

/** Whether links may be at a path: agents make them in their clones, and nobody follows them there. */
export function mayBeLink(path: string): boolean {
  return path.startsWith(`${SANDBOXES_PATH}/`) && path.split('/').length > 2
}

/** The task whose clone, home, or mark of both a path belongs to. */
export function taskOfSandbox(path: string): string | undefined {
  const [top, name] = path.split('/')
  return top === SANDBOXES_PATH ? name?.replace(/\.owner$/, '') : undefined
}

/** Where a path of the backup goes: names of executions may be derived from uids, and the archive's folder is the namespace. */
export function targetPath(path: string, uids: Uids, from: string, to: string): string {
  const [top = '', second, ...rest] = path.split('/')
  if (second === undefined) return path
  const name = top === ARCHIVE_PATH && second === from ? to : replaceUids(second, uids)
  return [top, name, ...rest].join('/')
}

/** Whether the file is a mark that says whose a folder is (execution/owner.ts). */
export function isOwnerMark(path: string): boolean {
  return /^executions\/[^/]+\/owner$|^sandboxes\/[^/]+\.owner$/.test(path)
}

/** The mark of a folder of an execution or a task; undefined for any other path. */
export function ownerMarkOf(folder: string): string | undefined {
  const [top, name, ...rest] = folder.split('/')
  if (name === undefined || rest.length > 0) return undefined
  if (top === EXECUTIONS_PATH) return `${folder}/owner`
  return top === SANDBOXES_PATH && !name.endsWith('.owner') ? `${folder}.owner` : undefined
}

/** The folder that a mark is of. */
export function folderOfMark(mark: string): string {
  return mark.replace(/[/.]owner$/, '')
}
