import { constants, copyFile, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { inFolderNoFollow, safeJoin } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import type { StepContext } from '../context.ts'

/**
 * Copies the Agent's credential files into the agent's home. Each Job copies them anew, so a login that failed is tried
 * again with what the Secret holds now. A CLI renews its token by writing the file, so a link to the mount would not do.
 *
 * An earlier run of any agent had the same home. Links that it left in the path are not followed: the login would lie
 * where others can read it, such as among the drops. What it left in the place of the file is removed.
 *
 * @throws UnsafePath
 */
export async function copyCredentials({ run, paths }: StepContext): Promise<void> {
  for (const { from, path } of run.credentialFiles ?? []) {
    const sandbox = dirname(paths.home)
    const segments = safeJoin(basename(paths.home), path).split('/')
    const name = segments.pop() ?? ''
    await inFolderNoFollow(sandbox, segments, (folder) => replace(from, folder, name), { create: true })
  }
}

async function replace(from: string, folder: string, name: string): Promise<void> {
  const temporary = join(folder, '.slipway-credentials')
  await removeTree(temporary)
  await copyFile(from, temporary, constants.COPYFILE_EXCL)
  await removeTree(join(folder, name))
  await rename(temporary, join(folder, name))
}
