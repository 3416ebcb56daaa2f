/**
 * Locks that a killed git left behind.
 *
 * Git changes a reference, the index or a configuration by making `<file>.lock`, writing it, and renaming it. A git that
 * is killed in between leaves the lock, and every later one refuses to touch that file, for ever ("Unable to create
 * '…/HEAD.lock': File exists"), because git cannot know whether the other one still lives.
 */
import type { Dirent } from 'node:fs'
import { lstat, readdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hasErrorCode, inFolderNoFollow, UnsafePath } from './files.ts'

/** Git puts no lock deeper than a reference's name goes; an agent could make a folder of any depth. */
const MAX_DEPTH = 32
/** Objects are written without locks, and there are many of them. */
const WITHOUT_LOCKS: readonly string[] = ['objects', 'hooks', 'logs']

/**
 * Removes the locks in a repository that `isStale` says nobody holds any more. Follows no link, so that the repository may
 * be one that an agent wrote; what cannot be looked at is left alone.
 *
 * @param gitDir the bare repository, or the `.git` of a clone; none there: nothing is removed
 * @param isStale judges by when the lock was made
 * @returns how many were removed
 */
export async function removeStaleLocks(gitDir: string, isStale: (madeAt: Date) => boolean): Promise<number> {
  const inFolder = async (folder: string, name: string, depth: number): Promise<number> =>
    inFolderNoFollow(folder, [name], async (inner) => {
      let removed = 0
      for (const entry of await readdir(inner, { withFileTypes: true })) {
        if (isLock(entry) && isStale((await lstat(join(inner, entry.name))).mtime)) {
          await unlink(join(inner, entry.name))
          removed += 1
        } else if (entry.isDirectory() && depth < MAX_DEPTH && !WITHOUT_LOCKS.includes(entry.name)) {
          removed += await orNone(inFolder(inner, entry.name, depth + 1))
        }
      }
      return removed
    })
  // From its parent on: an agent may have put a link in the place of its clone.
  return orNone(
    inFolderNoFollow(dirname(dirname(gitDir)), [basename(dirname(gitDir))], (parent) =>
      inFolder(parent, basename(gitDir), 0),
    ),
  )
}

function isLock(entry: Dirent): boolean {
  return entry.isFile() && entry.name.endsWith('.lock')
}

/** None in a folder that is not there, is a link, may not be read, or changes meanwhile. */
async function orNone(removed: Promise<number>): Promise<number> {
  try {
    return await removed
  } catch (error) {
    if (error instanceof UnsafePath || hasErrorCode(error, 'ENOENT', 'EACCES')) return 0
    throw error
  }
}
