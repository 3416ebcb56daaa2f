/** Bytes of the server in a file of the person: all of them are there under its name, or nothing new is. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, chmod, constants, link, lstat, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hasErrorCode, ifThere } from '../../lib/files.ts'
import { writeNewFile } from '../../lib/write-stream.ts'

const BUFFER_BYTES = 1024 * 1024
const NEW_FILE_MODE = 0o666

export interface FileTarget {
  readonly path: string
  /** Whether a file that is there is replaced; else it fails with EEXIST. */
  readonly isReplaced: boolean
  readonly signal: AbortSignal
}

/** Fails as the file would when it is written, before anything is sent. @throws Error with code EEXIST */
export async function checkIsFree(path: string): Promise<void> {
  const found = await ifThere(lstat(path))
  if (found !== undefined) throw Object.assign(new Error(`${path} is there already`), { code: 'EEXIST' })
}

/** Writes a file beside the one that is meant, and gives it the name when all of it is there. */
export async function receiveFile(
  content: ReadableStream<Uint8Array>,
  { path, isReplaced, signal }: FileTarget,
): Promise<void> {
  // A link is followed, as by every program that writes a file.
  const target = isReplaced ? ((await ifThere(realpath(path))) ?? path) : path
  const found = isReplaced ? await ifThere(stat(target)) : undefined
  if (found !== undefined && (!found.isFile() || !(await canMakeFilesIn(dirname(target))))) {
    // A device or a pipe takes bytes, and must not be replaced; beside some files none can be made.
    await pipeline(content, createWriteStream(target), { signal })
    return
  }
  const temporary = join(dirname(target), `.slipway-${randomUUID()}.part`)
  try {
    const mode = found === undefined ? NEW_FILE_MODE : found.mode & 0o777
    await pipeline(content, writeNewFile(temporary, { mode, highWaterMark: BUFFER_BYTES }), { signal })
    // Less what the umask takes away.
    if (found !== undefined) await chmod(temporary, mode)
    if (isReplaced) await rename(temporary, target)
    else await giveName(temporary, target)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** In one step, and only if nobody has the name meanwhile. */
async function giveName(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path)
  } catch (error) {
    // Not every file system has links; the check and the renaming are two steps there.
    if (!NO_LINKS.some((code) => hasErrorCode(error, code))) throw error
    await checkIsFree(path)
    await rename(temporary, path)
  }
}

async function canMakeFilesIn(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'EROFS')) return false
    throw error
  }
}

const NO_LINKS = ['EPERM', 'ENOTSUP', 'ENOSYS']
