/** What has to be known of a backup, and of where it goes, before anything of it is written. */
import { countOf, formatCount } from '../../core/sentences/amounts.ts'
import { type BackupObject, findSecretProblem, toBackupObject } from '../../core/backup/objects.ts'
import { mendOlderValues } from '../../core/backup/older-values.ts'
import {
  findPathProblem,
  folderOfMark,
  isOfOtherArchive,
  isOwnerMark,
  mayBeLink,
  ownerMarkOf,
  targetPath,
} from '../../core/backup/paths.ts'
import { executionPath, sandboxOwnerPath, sandboxPath } from '../../core/execution/layout.ts'
import {
  type FileEntry,
  type FolderEntry,
  type Header,
  type LinkEntry,
  DamagedBackup,
  isTargetOfLink,
} from '../../lib/backup/format.ts'
import { SECRETS } from '../../kube/resources.ts'
import { isForbidden, isInvalid } from '../../kube/types.ts'
import type { BackupFile } from '../../lib/backup/read.ts'
import { type Found, inspectFile, inspectFolder, inspectLink } from '../../lib/backup/restore.ts'
import { type Translation, inspectMark, translateMark } from './owner-mark.ts'
import { type Looked, type Presence, type Target, BACKUP_RESOURCES, isAnother } from './target.ts'
import { type Content, visitBackup } from './visit.ts'

/** Existing objects or files conflict, or the control plane would refuse what the backup has. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

export interface CheckedBackup {
  readonly header: Header
  /** Digest of the whole file. */
  readonly sha256: string
  /** Tasks whose clones are not to be restored. */
  readonly changedWorkspaces: ReadonlySet<string>
  /** Existing objects and files that differ from the backup's, by kind and name or path. */
  readonly conflicts: readonly string[]
  /** Fields whose values this version takes no more, by kind and name of their object. */
  readonly mended: readonly string[]
  /** Files and links that are there already, equal or not, by their paths there. */
  readonly present: ReadonlySet<string>
  /** Folders of the volume, and marks beside them, that belong to objects which are not brought along. */
  readonly skippedPaths: ReadonlySet<string>
}

export interface CheckOptions {
  readonly backup: BackupFile
  readonly namespace: string
  /** The data volume, absolute. */
  readonly volumeRoot: string
  readonly target: Target
  readonly signal: AbortSignal
}

/**
 * Reads the whole backup, and looks at what is in its way.
 *
 * @throws DamagedBackup that names the entry
 * @throws UnsafePath where a link, or a file, is in the place of a folder
 */
export async function checkBackup(options: CheckOptions): Promise<CheckedBackup> {
  const { backup, namespace, volumeRoot, target, signal } = options
  const { path } = backup
  const conflicts: string[] = []
  const mended: string[] = []
  const present = new Set<string>()
  const skippedPaths = new Set<string>()
  const changedWorkspaces = new Set<string>()
  const skip = (folder: string): unknown => skippedPaths.add(folder).add(ownerMarkOf(folder) ?? folder)
  /** Folders that are somebody's there already, as long as no mark of the backup says that it is the same one. */
  const unproven = new Map<string, string>()
  const checkPath = createPathCheck(path, () => header?.namespace ?? '')
  let header: Header | undefined
  let objects = 0
  const sha256 = await visitBackup(backup, signal, async (entry, content) => {
    if (entry.kind === 'SlipwayBackup') header = entry
    else if (entry.kind === 'End') {
      if (entry.objects > objects) throw new DamagedBackup(describeLack(path, entry.objects, objects))
      for (const task of entry.changedWorkspaces) changedWorkspaces.add(task)
    } else if (entry.kind === 'Object') {
      objects += 1
      for (const field of mendOlderValues(entry.object).fields) mended.push(`${nameOf(entry.object)} ${field}`)
      const { presence } = await tryObject(path, header, target, entry.object)
      if (isAnother(presence)) conflicts.push(nameOf(entry.object))
      if (isSkipped(presence)) for (const folder of foldersOf(entry.object)) skippedPaths.add(folder)
    } else {
      checkPath(entry)
      const translation = { uids: target.uids, from: header?.namespace ?? '', to: namespace }
      const at = targetPath(entry.path, translation.uids, translation.from, translation.to)
      if (isBelow(skippedPaths, entry.path)) return
      const marked = { ...entry, path: at }
      const found = isMark(marked)
        ? await inspectMark(volumeRoot, at, await toMark(path, content, translation, at))
        : await inspect(volumeRoot, marked, content)
      if (isMark(marked)) unproven.delete(folderOfMark(entry.path))
      else if (entry.kind === 'Folder' && (await hasMark(volumeRoot, at))) unproven.set(entry.path, at)
      if (found !== 'nothing') present.add(at)
      if (found === 'different') conflicts.push(at)
      if (found === 'different' && isMark(marked)) skip(folderOfMark(entry.path))
    }
  })
  if (header === undefined) throw new DamagedBackup(`the backup ${path} cannot be used: it has no header`)
  for (const [folder, at] of unproven) {
    if (isBelow(skippedPaths, folder)) continue
    conflicts.push(at)
    skip(folder)
  }
  return { header, sha256, changedWorkspaces, conflicts, mended, present, skippedPaths }
}

function describeLack(path: string, said: number, found: number): string {
  return `the backup ${path} cannot be used: it says that it holds ${countOf(said, 'object')}, and holds ${formatCount(found)}`
}

function isMark({ kind, path }: FolderEntry | FileEntry | LinkEntry): boolean {
  return kind === 'File' && isOwnerMark(path)
}

async function hasMark(root: string, folder: string): Promise<boolean> {
  const mark = ownerMarkOf(folder)
  return mark !== undefined && (await inspectMark(root, mark, undefined)) !== 'nothing'
}

/** @throws DamagedBackup for what is longer than any mark */
export async function toMark(
  backup: string,
  content: Content,
  translation: Translation,
  path: string,
): Promise<Buffer> {
  const mark = await translateMark(content, translation)
  if (mark !== undefined) return mark
  throw new DamagedBackup(`the backup ${backup} cannot be used: the file ${path} is longer than any mark of an owner`)
}

/** @throws DamagedBackup for a kind that this version does not know, and for a Secret that no export writes */
export async function lookAt(
  path: string,
  header: Header | undefined,
  target: Target,
  object: BackupObject,
): Promise<Looked> {
  const resource = BACKUP_RESOURCES.get(object.kind)
  const secretProblem = header?.hasSecrets === true ? findSecretProblem(object) : 'its header says that it has none'
  const problem = object.kind === SECRETS.kind ? secretProblem : undefined
  if (resource === undefined || problem !== undefined)
    throw new DamagedBackup(
      `the backup ${path} cannot be used: ${nameOf(object)} is ${problem === undefined ? 'of a kind that no backup has' : `in no backup, for ${problem}`}`,
    )
  // Whoever wrote the file may have kept more than an export does.
  return target.look(resource, mendOlderValues(toBackupObject(object)).object)
}

/** @throws ImportRefused for what the control plane would not take */
async function tryObject(
  path: string,
  header: Header | undefined,
  target: Target,
  object: BackupObject,
): Promise<Looked> {
  const looked = await lookAt(path, header, target, object)
  try {
    const resource = BACKUP_RESOURCES.get(object.kind)
    if (resource !== undefined) await target.tryWrite(resource, looked)
    return looked
  } catch (error) {
    if (!isInvalid(error) && !isForbidden(error)) throw error
    throw new ImportRefused(`${nameOf(object)} would be refused, so nothing was written: ${error.message}`)
  }
}

/** Another object has its name, or that of its owner. */
function isSkipped(presence: Presence): boolean {
  return isAnother(presence) || presence === 'ownerless'
}

/** Whether a path, or the folder that it is in, is one of these. */
export function isBelow(paths: ReadonlySet<string>, path: string): boolean {
  return paths.has(path.split('/').slice(0, 2).join('/'))
}

function nameOf({ kind, metadata }: BackupObject): string {
  return `${kind} ${metadata.name}`
}

function foldersOf({ kind, metadata: { name } }: BackupObject): string[] {
  if (kind === 'Execution') return [executionPath(name)]
  return kind === 'Task' ? [sandboxPath(name), sandboxOwnerPath(name)] : []
}

/**
 * Refuses entries whose path leaves its place. Folders come before what is in them, so whatever is in something else has
 * no folder.
 */
export function createPathCheck(
  backup: string,
  namespace: () => string,
): (entry: FolderEntry | FileEntry | LinkEntry) => void {
  const seen = new Set<string>()
  const folders = new Set<string>([''])
  return (entry) => {
    const { kind, path } = entry
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const problem =
      findPathProblem(path) ??
      (isOfOtherArchive(path, namespace()) ? 'it is of another namespace' : undefined) ??
      (seen.has(path) ? 'it is there twice' : undefined) ??
      (folders.has(parent) ? undefined : 'it is in no folder') ??
      (entry.kind === 'Link' ? findLinkProblem(entry) : undefined)
    if (problem !== undefined)
      throw new DamagedBackup(
        `the backup ${backup} cannot be used: it names the ${kind.toLowerCase()} ${JSON.stringify(path)}, and ${problem}`,
      )
    seen.add(path)
    if (kind === 'Folder') folders.add(path)
  }
}

function findLinkProblem({ path, target }: LinkEntry): string | undefined {
  if (!mayBeLink(path)) return 'a link may not be there'
  return isTargetOfLink(target) ? undefined : 'it leads to a path that is longer than a system takes'
}

async function inspect(root: string, entry: FolderEntry | FileEntry | LinkEntry, content: Content): Promise<Found> {
  if (entry.kind === 'Link') return inspectLink(root, entry)
  if (entry.kind === 'File') return inspectFile(root, entry.path, content)
  await inspectFolder(root, entry.path)
  return 'nothing'
}
