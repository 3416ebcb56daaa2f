import { basename, dirname, join, normalize } from 'node:path'
import { ifPlain, inFolderNoFollow, safeJoin, writeFileAtomic } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import type { StepContext } from '../context.ts'

/**
 * The runner's own files in the agent's home. An earlier run of any agent had the same home: links that it left in the
 * path are not followed, and what it left in the place of the file is removed.
 */

/** Writes a file below the home, readable by its owner alone. @throws UnsafePath */
export function writeHomeFile(context: StepContext, path: string, content: string | Uint8Array): Promise<void> {
  return inFolderOf(context, path, async (folder, name) => {
    await removeTree(join(folder, name))
    await writeFileAtomic(join(folder, name), content, 0o600)
  })
}

/** Removes a file below the home if it exists. A path with a link in it is left alone. */
export async function removeHomeFile(context: StepContext, path: string): Promise<void> {
  await ifPlain(inFolderOf(context, path, (folder, name) => removeTree(join(folder, name)), false))
}

/** Whether a file below the home came with the Agent's credentials, so that a person wrote it. */
export function comesWithCredentials({ run }: StepContext, path: string): boolean {
  return run.credentialFiles?.some((file) => normalize(file.path) === path) === true
}

async function inFolderOf(
  { paths }: StepContext,
  path: string,
  use: (folder: string, name: string) => Promise<void>,
  create = true,
): Promise<void> {
  const segments = safeJoin(basename(paths.home), path).split('/')
  const name = segments.pop() ?? ''
  return inFolderNoFollow(dirname(paths.home), segments, (folder) => use(folder, name), { create })
}
