/**
 * Folders that are ours and that somebody who shares them with us, under the same user, has taken the permissions of.
 *
 * Each is opened without following links and worked on through its descriptor, as files.ts explains.
 */
import { type Stats, constants } from 'node:fs'
import { type FileHandle, chmod, open } from 'node:fs/promises'
import { hasErrorCode } from './files.ts'

/** O_PATH of Linux, which node does not name: a handle on a folder that may not be read, for chmod. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const OWNER_MAY_ALL = 0o700

/**
 * Calls `use` with a path of the folder that stays that folder, whatever takes its name. Its owner may read, write and
 * search it afterwards, whatever was allowed before.
 *
 * @param path as bytes: a name need not be UTF-8
 * @throws the system's error: ENOTDIR or ELOOP for a link, EPERM for a folder of another user
 */
export async function inUsableFolder<T>(path: Buffer, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await openFolder(path)
  try {
    const stat = await folder.stat()
    if (!isUsable(stat)) await folder.chmod(withOwner(stat))
    return await use(process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : path.toString())
  } finally {
    await folder.close()
  }
}

/** Lets the owner of a folder read, write and search it; chmod(2) on its path would follow a link. */
export async function permitOwner(path: Buffer): Promise<void> {
  const folder = await open(path, FOLDER | O_PATH)
  try {
    await chmod(`/proc/self/fd/${folder.fd}`, withOwner(await folder.stat()))
  } finally {
    await folder.close()
  }
}

async function openFolder(path: Buffer): Promise<FileHandle> {
  try {
    return await open(path, FOLDER)
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES')) throw error
    await permitOwner(path)
    return open(path, FOLDER)
  }
}

function isUsable({ mode }: Stats): boolean {
  return (mode & OWNER_MAY_ALL) === OWNER_MAY_ALL
}

function withOwner({ mode }: Stats): number {
  return (mode & 0o7777) | OWNER_MAY_ALL
}
