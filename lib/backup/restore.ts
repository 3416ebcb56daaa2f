/** Writes files of a backup to the data volume. Nothing follows a link there, and a file is there whole or not at all. */
import { constants } from 'node:fs'
import { type FileHandle, chmod, lstat, open, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ifThere, inFolderNoFollow, UnsafePath } from '../files.ts'
import { type FileEntry, type FolderEntry, type LinkEntry, isZero } from './format.ts'

/** What the target has under the path of an entry. */
export type Found = 'nothing' | 'equal' | 'different'

type Content = AsyncIterable<Buffer> | Iterable<Buffer>

const OWNER_MAY_ALL = 0o700

/** Makes the folder, and those above it, unless it is there. */
export async function restoreFolder(root: string, { path, mode }: FolderEntry): Promise<void> {
  await inFolderNoFollow(root, path.split('/'), (folder) => chmod(folder, mode | OWNER_MAY_ALL), { create: true })
}

/** Its folder is there. */
export async function restoreLink(root: string, { path, target }: LinkEntry): Promise<void> {
  await inParent(root, path, async (at) => {
    await rm(at, { force: true })
    await symlink(target, at)
  })
}

/**
 * Replaces the file once the new one is whole and on the disk; its folder is there.
 *
 * @param key of this import, the same when it goes on; nobody who made a file or folder there can have known it
 */
export async function restoreFile(root: string, entry: FileEntry, content: Content, key: string): Promise<void> {
  await inParent(root, entry.path, async (at, folder) => {
    const temporary = join(folder, `.importing.${key}.tmp`)
    // A killed import may have left it.
    await rm(temporary, { force: true })
    try {
      const file = await open(temporary, 'wx', entry.mode)
      try {
        await writeSparse(file, content)
        await file.chmod(entry.mode)
        // Seconds in floating point, of which the system cuts the rest off: without the half, often a millisecond is lost.
        const seconds = (entry.modifiedMs + 0.5) / 1000
        await file.utimes(seconds, seconds)
        await file.datasync()
      } finally {
        await file.close()
      }
      await rename(temporary, at)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  })
}

/** Leaves holes for pieces that are all zeros, so that a sparse file takes no more room than it did. */
async function writeSparse(file: FileHandle, content: Content): Promise<void> {
  let size = 0
  for await (const bytes of content) {
    for (let done = isZero(bytes) ? bytes.length : 0; done < bytes.length;)
      done += (await file.write(bytes, done, bytes.length - done, size + done)).bytesWritten
    size += bytes.length
  }
  await file.truncate(size)
}

/** @throws UnsafePath where something else than a folder is in the way */
export async function inspectFolder(root: string, path: string): Promise<void> {
  await ifThere(inFolderNoFollow(root, path.split('/'), () => Promise.resolve()))
}

export async function inspectLink(root: string, { path, target }: LinkEntry): Promise<Found> {
  return inspect(root, path, async (at) =>
    (await lstat(at)).isSymbolicLink() && (await readlink(at)) === target ? 'equal' : 'different',
  )
}

/** Reads all of the content, whatever is found. */
export async function inspectFile(root: string, path: string, content: Content): Promise<Found> {
  const file = await openIfFile(root, path)
  try {
    let isEqual = file !== undefined && file !== 'other'
    let length = 0
    for await (const bytes of content) {
      if (isEqual && file !== undefined && file !== 'other') isEqual = await hasBytes(file, length, bytes)
      length += bytes.length
    }
    if (file === undefined) return 'nothing'
    return isEqual && file !== 'other' && (await file.stat()).size === length ? 'equal' : 'different'
  } finally {
    if (file !== undefined && file !== 'other') await file.close()
  }
}

async function openIfFile(root: string, path: string): Promise<FileHandle | 'other' | undefined> {
  const openAt = async (at: string): Promise<FileHandle | 'other'> => {
    if (!(await lstat(at)).isFile()) return 'other'
    return open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  }
  return ifThere(inParent(root, path, openAt))
}

async function hasBytes(file: FileHandle, at: number, bytes: Buffer): Promise<boolean> {
  const found = Buffer.alloc(bytes.length)
  const { bytesRead } = await file.read(found, 0, found.length, at)
  return bytesRead === bytes.length && found.equals(bytes)
}

async function inspect(root: string, path: string, look: (at: string) => Promise<Found>): Promise<Found> {
  return (await ifThere(inParent(root, path, look))) ?? 'nothing'
}

function inParent<T>(root: string, path: string, use: (at: string, folder: string) => Promise<T>): Promise<T> {
  const segments = path.split('/')
  const name = segments.pop()
  if (name === undefined || name === '') throw new UnsafePath(`not a path below its folder: ${path}`)
  return inFolderNoFollow(root, segments, (folder) => use(join(folder, name), folder))
}
