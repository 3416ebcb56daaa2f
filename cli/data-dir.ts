import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../lib/config.ts'
import { hasErrorCode } from '../lib/files.ts'

/** Where the embedded control plane keeps its objects. */
export function storeFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'store')
}

/** Errors of the file system that choosing another folder mends. */
const UNUSABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR']

/** The folder keeps secrets and clones: for its owner only, and never part of somebody's commit. */
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

/** One by one: Node 20's own recursive mkdir never ends where a folder takes no new ones, such as /proc. */
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
