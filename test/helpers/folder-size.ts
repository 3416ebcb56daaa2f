import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../../lib/files.ts'

export interface FolderSize {
  readonly files: number
  readonly bytes: number
}

/** Regular files below a folder, however deep; what is not there, or disappears meanwhile, does not count. */
export async function measureFolder(folder: string): Promise<FolderSize> {
  const entries = (await unlessGone(() => readdir(folder, { withFileTypes: true }))) ?? []
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return measureFolder(path)
    const found = await unlessGone(() => lstat(path))
    return found?.isFile() === true ? { files: 1, bytes: found.size } : NOTHING
  })
  const add = (a: FolderSize, b: FolderSize): FolderSize => ({ files: a.files + b.files, bytes: a.bytes + b.bytes })
  return (await Promise.all(sizes)).reduce(add, NOTHING)
}

/** What is left of what was removed whole. */
export const NOTHING: FolderSize = { files: 0, bytes: 0 }

async function unlessGone<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}
