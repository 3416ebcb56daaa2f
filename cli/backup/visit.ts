import { type DataEntry, type Entry, bytesOf, DamagedBackup } from '../../lib/backup/format.ts'
import { type BackupFile, readBackup } from '../../lib/backup/read.ts'

export type Content = AsyncIterable<Buffer> | Iterable<Buffer>

/**
 * Calls `visit` with each entry of a backup and the content behind it, which only a file has. What `visit` does not read
 * of that is passed over.
 *
 * @returns the checksum of the whole
 * @throws DamagedBackup as {@link readBackup}
 */
export async function visitBackup(
  backup: BackupFile,
  signal: AbortSignal,
  visit: (entry: Exclude<Entry, DataEntry>, content: Content) => Promise<void>,
): Promise<string> {
  const entries = readBackup(backup)
  let sha256 = ''
  const read = async (): Promise<Entry | undefined> => {
    signal.throwIfAborted()
    const next = await entries.next()
    if (next.done === true) return undefined
    ;({ sha256 } = next.value)
    return next.value.entry
  }
  let next = await read()
  async function* content(): AsyncGenerator<Buffer> {
    while (next?.kind === 'Data') {
      const bytes = bytesOf(next)
      next = await read()
      yield bytes
    }
  }
  try {
    while (next !== undefined) {
      const entry: Entry = next
      next = await read()
      if (entry.kind === 'Data' || (next?.kind === 'Data' && entry.kind !== 'File'))
        throw new DamagedBackup(`the backup ${backup.path} cannot be used: a piece of a file is behind no file`)
      await visit(entry, content())
      while (next?.kind === 'Data') next = await read()
    }
    return sha256
  } finally {
    await entries.return()
  }
}
