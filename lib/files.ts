/**
 * Files that others may have a hand in. Writing is all or nothing; reading below a folder that an agent can write
 * never leaves that folder and never reads anything but an ordinary file.
 *
 * Node has no openat(2). On Linux `/proc/self/fd/<n>/<name>` is the same thing: the kernel starts from the open
 * folder, so swapping a parent for a link while we walk changes nothing. Elsewhere the walk goes by path, each
 * component still opened with O_NOFOLLOW, and a swap of a parent between two steps is not noticed.
 */
import { type PathLike, constants } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

/** Whether a path is a folder or lies in it, going by the names alone. */
export function isIn(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path))
  return way !== '..' && !way.startsWith(`..${sep}`)
}

/** A path that leaves its folder, or leads to something else than an ordinary file in it. */
export class UnsafePath extends Error {
  readonly code = 'UNSAFE_PATH'
  override readonly name = 'UnsafePath'
}

let writes = 0

/**
 * Replaces a file: readers see the old or the new content whole, also after a power cut (file and folder are
 * synced). A link at `path` is replaced, not followed.
 */
export async function writeFileAtomic(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  await replaceFile(path, content, mode, (file) => file.sync())
  await syncFolder(dirname(path))
}

/** The same without the sync: after a power cut the file may be the old one, empty, torn or missing. */
export function writeFileUnsynced(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  return replaceFile(path, content, mode)
}

async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode: number,
  sync?: (file: FileHandle) => Promise<void>,
): Promise<void> {
  writes += 1
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.${writes}.tmp`)
  try {
    const file = await openNew(temporary, mode)
    try {
      await file.writeFile(content)
      await sync?.(file)
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** A process of the same number may have been killed while it wrote. */
async function openNew(temporary: string, mode: number): Promise<FileHandle> {
  try {
    return await open(temporary, 'wx', mode)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
    await rm(temporary, { force: true })
    return open(temporary, 'wx', mode)
  }
}

/** Makes renames and removals in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * `relative` below `root`, by its text alone: links on disk are {@link openRegularNoFollow}'s business.
 *
 * @throws UnsafePath for an absolute path, an empty one, `.` or `..` segments, backslashes and NUL.
 */
export function safeJoin(root: string, relative: string): string {
  return join(root, ...segmentsOf(relative))
}

function segmentsOf(relative: string): string[] {
  const segments = relative.split('/')
  const isOdd = (segment: string): boolean => segment === '' || segment === '.' || segment === '..'
  if (segments.some(isOdd) || /[\\\0]/.test(relative)) throw new UnsafePath(`not a path below its folder: ${relative}`)
  return segments
}

/** How the names below a folder are written: `latin1` where they are bytes. */
interface NameOptions {
  readonly encoding?: BufferEncoding | undefined
}

/**
 * Opens an ordinary file below `root` for reading. No component below `root` may be a link, and the file must have
 * one name only: a second name could belong to somebody who did not mean to share it. `root` itself is trusted.
 *
 * @throws UnsafePath, or the system's error (ENOENT, …). The caller closes the handle.
 */
export async function openRegularNoFollow(
  root: string,
  relative: string,
  { encoding }: NameOptions = {},
): Promise<FileHandle> {
  const segments = segmentsOf(relative)
  const name = segments.pop() ?? ''
  return inFolderNoFollow(root, segments, (folder) => openOrdinary(at(folder, name, encoding), relative), { encoding })
}

async function openOrdinary(path: PathLike, shown: string): Promise<FileHandle> {
  // O_NONBLOCK: opening a FIFO would otherwise wait for a writer for ever.
  const file = await openNoFollow(path, constants.O_RDONLY | constants.O_NONBLOCK, shown)
  try {
    const stat = await file.stat()
    // 0: it was replaced or removed since it was opened, so nobody else has a name for it.
    if (stat.isFile() && stat.nlink <= 1) return file
    throw new UnsafePath(`not an ordinary file with one name: ${shown}`)
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Content of an ordinary file below `root`, opened as {@link openRegularNoFollow} does.
 *
 * @throws UnsafePath when it is larger than `maxBytes`, too.
 */
export async function readRegularNoFollow(
  root: string,
  relative: string,
  maxBytes: number,
  options: NameOptions = {},
): Promise<Buffer> {
  const file = await openRegularNoFollow(root, relative, options)
  try {
    const { size } = await file.stat()
    if (size > maxBytes) throw new UnsafePath(`${relative} has ${size} bytes, more than ${maxBytes}`)
    return await readAt(file, 0, size)
  } finally {
    await file.close()
  }
}

/** The first `maxBytes` of an ordinary file below `root`, opened as {@link openRegularNoFollow} does. */
export async function readStartNoFollow(root: string, relative: string, maxBytes: number): Promise<Buffer> {
  const file = await openRegularNoFollow(root, relative)
  try {
    return await readAt(file, 0, Math.min((await file.stat()).size, maxBytes))
  } finally {
    await file.close()
  }
}

/** The last `maxBytes` of an ordinary file below `root`, opened as {@link openRegularNoFollow} does. */
export async function readTailNoFollow(root: string, relative: string, maxBytes: number): Promise<Buffer> {
  const file = await openRegularNoFollow(root, relative)
  try {
    const { size } = await file.stat()
    return await readAt(file, Math.max(0, size - maxBytes), Math.min(size, maxBytes))
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/**
 * Calls `use` with a path of the folder `segments` below `root` that stays that folder while `use` runs. No
 * component may be a link; `create` makes those that are missing.
 *
 * @throws UnsafePath, or the system's error.
 */
export async function inFolderNoFollow<T>(
  root: string,
  segments: readonly string[],
  use: (folder: string) => Promise<T>,
  { create = false, encoding }: NameOptions & { readonly create?: boolean } = {},
): Promise<T> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY
  let path = root
  let folder = await open(root, flags)
  try {
    for (const segment of segments) {
      const parent = pinned(folder, path)
      path = join(parent, segment)
      if (create) await makeFolder(path)
      const next = await openNoFollow(at(parent, segment, encoding), flags, segments.join('/'))
      await folder.close()
      folder = next
    }
    return await use(pinned(folder, path))
  } finally {
    await folder.close()
  }
}

/** A name in latin1 keeps bytes that are no UTF-8. */
function at(folder: string, name: string, encoding: BufferEncoding = 'utf8'): PathLike {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, encoding)])
}

function pinned(folder: FileHandle, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : path
}

async function openNoFollow(path: PathLike, flags: number, shown: string): Promise<FileHandle> {
  try {
    return await open(path, flags | constants.O_NOFOLLOW)
  } catch (error) {
    // ENOTDIR: a link where a folder is wanted; ENXIO: a socket; EACCES: whoever may write there took our right away.
    const isUnsafe = hasErrorCode(error, 'ELOOP', 'EMLINK', 'ENOTDIR', 'ENXIO', 'EACCES')
    if (isUnsafe) throw new UnsafePath(`a link, no ordinary file, or not readable: ${shown}`, { cause: error })
    throw error
  }
}

/** Names that are read of a folder in which agents write: they may have put millions there. */
const MAX_NAMES = 100_000

/**
 * Names in a folder, in no order, at most `max`; of a folder with more, those that the system names first.
 *
 * @throws the system's error
 */
export async function readNames(folder: string, max = MAX_NAMES): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(folder, { bufferSize: 1024 })) {
    if (names.push(name) >= max) break
  }
  return names
}

/** What comes of looking at a file or folder; undefined where that fails with one of the codes, else where there is none. */
export async function ifThere<T>(look: Promise<T>, ...codes: readonly string[]): Promise<T | undefined> {
  try {
    return await look
  } catch (error) {
    if (hasErrorCode(error, ...(codes.length === 0 ? ['ENOENT'] : codes))) return undefined
    throw error
  }
}

/** The same; undefined also where something else, such as a link, has its place. */
export async function ifPlain<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await ifThere(look)
  } catch (error) {
    if (error instanceof UnsafePath) return undefined
    throw error
  }
}

/** Makes a folder unless something has its name already. @param mode less what the process's umask takes */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  }
}

/** Whether an unknown error is the system's (or our) error with one of these codes, such as ENOENT. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code)
}

/** Whether a write failed because the disk, or its owner's share of it, is full. */
export function isOutOfSpace(error: unknown): boolean {
  return hasErrorCode(error, 'ENOSPC', 'EDQUOT')
}
