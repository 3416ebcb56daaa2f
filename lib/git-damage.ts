/**
 * Whether a power loss damaged a clone. By default git does not wait until loose objects are on the disk, so a power loss
 * can leave them empty; from then on every git command that needs one fails.
 */
import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ifPlain, inFolderNoFollow, readNames } from './files.ts'

/** How many files are checked at most; an agent may have made millions. */
const MAX_OBJECTS = 50_000

/**
 * The path of an empty loose object in a repository; undefined if there is none. Follows no link.
 *
 * @param gitDir the bare repository, or the `.git` of a clone
 */
export async function findEmptyObject(gitDir: string): Promise<string | undefined> {
  let left = MAX_OBJECTS
  const inObjects = async (objects: string): Promise<string | undefined> => {
    for (const first of await readNames(objects)) {
      if (!/^[0-9a-f]{2}$/.test(first)) continue
      const found = await ifPlain(inFolderNoFollow(objects, [first], (folder) => inFolder(folder, first)))
      if (found !== undefined || left <= 0) return found
    }
    return undefined
  }
  const inFolder = async (folder: string, first: string): Promise<string | undefined> => {
    for (const name of await readNames(folder, left)) {
      left -= 1
      const entry = /^[0-9a-f]{38,62}$/.test(name) ? await ifPlain(lstat(join(folder, name))) : undefined
      if (entry?.isFile() === true && entry.size === 0) return `objects/${first}/${name}`
    }
    return undefined
  }
  // Starts at the parent: an agent may have put a link in place of its clone.
  const [parent, name] = [dirname(gitDir), basename(gitDir)]
  return ifPlain(inFolderNoFollow(dirname(parent), [basename(parent), name, 'objects'], inObjects))
}
