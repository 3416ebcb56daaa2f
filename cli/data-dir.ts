import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../lib/config-schema.ts'
import { hasErrorCode } from '../lib/files.ts'

/** Where the embedded control plane keeps its objects. */
export function storeFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'store')
}

/** Errors of the file system that another folder would solve. */
const UNUSABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR']

/** Makes the data folder. It holds secrets and clones, so only its owner can read it, and git ignores it. */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolders(dataDir)
    await writeFile(join(dataDir, '.gitignore'), '*\n')
  } catch (cause) {
    if (!(cause instanceof Error && hasErrorCode(cause, ...UNUSABLE))) throw cause
    throw new Error(`cannot write to the data folder ${dataDir} (${cause.message}): choose another with --data-dir`, {
      cause,
    })
  }
}

/** Makes the folders one by one: Node 20's recursive mkdir never ends in a folder that takes no new ones, such as /proc. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return
    if (!hasErrorCode(error, 'ENOENT') || dirname(path) === path) throw error
    await makeFolders(dirname(path))
    await mkdir(path, { mode: 0o700 })
  }
}
