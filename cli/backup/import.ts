/**
 * Brings a backup into a control plane and its data volume (docs/adr/0011-backup.md).
 *
 * Nothing is written before the whole backup is known to be as it was written. A mark on the volume keeps every operator
 * from beginning until the last write: between the creation of a task and its status, it would run the task again. What
 * is there already stays as it is, so that an import that was interrupted is finished by the same command.
 */
import { isOwnerMark, targetPath, taskOfSandbox } from '../../core/backup/paths.ts'
import type { BackupObject } from '../../core/backup/objects.ts'
import { listOf } from '../../core/sentences/amounts.ts'
import type { KubeClient } from '../../kube/types.ts'
import { restoreFile, restoreFolder, restoreLink } from '../../lib/backup/restore.ts'
import { type FileEntry, type FolderEntry, type LinkEntry, DamagedBackup } from '../../lib/backup/format.ts'
import type { BackupFile } from '../../lib/backup/read.ts'
import { type CheckedBackup, checkBackup, createPathCheck, ImportRefused, isBelow, lookAt, toMark } from './check.ts'
import { type Target, BACKUP_RESOURCES, openTarget, withoutWorkspace } from './target.ts'
import { findNamespaceUid } from '../../kube/namespace.ts'
import { writeBelonging } from '../../lib/belonging.ts'
import { readImportMark, removeImportMark, writeImportMark } from './mark.ts'
import { type Content, visitBackup } from './visit.ts'

export interface ImportOptions {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'replaceStatus'>
  readonly namespace: string
  /** The data volume, absolute. */
  readonly volumeRoot: string
  readonly backup: BackupFile
  /** Existing objects and files that differ stay, and those of the backup are skipped. */
  readonly skipsExisting: boolean
  readonly withoutOperator: WithoutOperator
  readonly warn: (text: string) => void
  /** Gives up; the same import goes on later. */
  readonly signal: AbortSignal
}

/**
 * Calls `begin` and then `write` while no operator works, nor another import; `lost` aborts where that ends early.
 *
 * @throws ImportRefused when one does
 */
export type WithoutOperator = (
  begin: () => Promise<void>,
  write: (lost?: AbortSignal) => Promise<void>,
) => Promise<void>

export interface Imported {
  readonly objects: number
  readonly files: number
  /** Objects and files that were there, equal or not, or whose owner was. */
  readonly passedOver: number
}

const SHOWN = 5

/**
 * @throws DamagedBackup that names what is wrong with it; nothing was written
 * @throws ImportRefused for what is in the way; nothing was written
 */
export async function importBackup(options: ImportOptions): Promise<Imported> {
  const { client, namespace, volumeRoot, backup, skipsExisting, withoutOperator, warn, signal } = options
  const begun = await readImportMark(volumeRoot)
  const isContinued = begun !== undefined
  const open = (): Target => openTarget(client, namespace, isContinued)
  const checked = await checkBackup({ backup, namespace, volumeRoot, signal, target: open() })
  const { sha256 } = checked
  if (begun !== undefined && begun !== sha256)
    throw new ImportRefused(
      `the import of another backup (sha256 ${begun}) has not ended: finish it with its file, or begin anew with an empty namespace and volume`,
    )
  if (checked.conflicts.length > 0 && !skipsExisting) throw refusal(checked.conflicts)
  if (checked.changedWorkspaces.size > 0)
    warn(`clones that changed while the backup was made are left out: ${[...checked.changedWorkspaces].join(', ')}`)
  if (checked.mended.length > 0)
    warn(
      `this version takes some values no more, which are shortened or left out (docs/operate/upgrade.md): ${checked.mended.join(', ')}`,
    )
  const begin = async (): Promise<void> => {
    // Another may have been checked beside this one: one at a time gets here.
    if ((await readImportMark(volumeRoot)) !== begun)
      throw new ImportRefused('another import has begun or ended meanwhile: import again')
    await writeImportMark(volumeRoot, sha256)
  }
  let imported: Imported = { objects: 0, files: 0, passedOver: 0 }
  await withoutOperator(begin, async (lost) => {
    const unlost = lost === undefined ? signal : AbortSignal.any([signal, lost])
    imported = await write({ ...options, signal: unlost }, checked, open())
    // Whose it was before says nothing any more. Without the right to read it the operator goes by what is on the volume.
    await writeBelonging(volumeRoot, namespace, { uid: await findNamespaceUid(options, namespace) })
    await removeImportMark(volumeRoot)
  })
  return imported
}

function refusal(conflicts: readonly string[]): ImportRefused {
  return new ImportRefused(
    `there already, and not what the backup has: ${listOf(conflicts, { most: SHOWN })}; nothing was written. Import into an empty installation, or keep what is there with --skip-existing`,
  )
}

async function write(
  { backup, namespace, volumeRoot, signal }: ImportOptions,
  checked: CheckedBackup,
  target: Target,
): Promise<Imported> {
  const { header, skippedPaths, changedWorkspaces, present } = checked
  const { path } = backup
  const count = { objects: 0, files: 0, passedOver: 0 }
  const checkPath = createPathCheck(path, () => header.namespace)
  const sha256 = await visitBackup(backup, signal, async (entry, content) => {
    if (entry.kind === 'SlipwayBackup' || entry.kind === 'End') return
    if (entry.kind === 'Object') {
      const isWritten = await writeObject(path, checked, target, entry.object)
      count[isWritten ? 'objects' : 'passedOver'] += 1
      return
    }
    checkPath(entry)
    if (changedWorkspaces.has(taskOfSandbox(entry.path) ?? '')) return
    const at = { ...entry, path: targetPath(entry.path, target.uids, header.namespace, namespace) }
    if (isBelow(skippedPaths, entry.path) || present.has(at.path)) count.passedOver += 1
    else {
      const translation = { uids: target.uids, from: header.namespace, to: namespace }
      const isMark = entry.kind === 'File' && isOwnerMark(at.path)
      await writeEntry(
        volumeRoot,
        at,
        isMark ? [await toMark(path, content, translation, at.path)] : content,
        checked.sha256,
      )
      if (entry.kind !== 'Folder') count.files += 1
    }
  })
  if (sha256 !== checked.sha256)
    throw new DamagedBackup(
      `the backup ${path} was written to while it was imported: import again from a copy of what it was, with the sha256 ${checked.sha256} at its end`,
    )
  return count
}

/** @returns false for one that is passed over */
async function writeObject(
  path: string,
  { header, changedWorkspaces }: CheckedBackup,
  target: Target,
  object: BackupObject,
): Promise<boolean> {
  const isLost = object.kind === 'Task' && (!header.hasWorkspaces || changedWorkspaces.has(object.metadata.name))
  const looked = await lookAt(path, header, target, isLost ? withoutWorkspace(object) : object)
  const { presence } = looked
  const resource = BACKUP_RESOURCES.get(object.kind)
  if (resource === undefined || (presence !== 'absent' && presence !== 'begun')) return false
  await target.write(resource, looked)
  return true
}

async function writeEntry(
  root: string,
  entry: FolderEntry | FileEntry | LinkEntry,
  content: Content,
  key: string,
): Promise<void> {
  if (entry.kind === 'Folder') await restoreFolder(root, entry)
  else if (entry.kind === 'Link') await restoreLink(root, entry)
  else await restoreFile(root, entry, content, key)
}
