/** Reads the data volume for a backup. Agents write in some of its folders, so nothing follows a link. */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isTooLong } from '../../core/backup/paths.ts'
import { formatSize } from '../../core/sentences/amounts.ts'
import { hasErrorCode, ifThere, inFolderNoFollow, UnsafePath } from '../files.ts'
import {
  type DataEntry,
  type FileEntry,
  type FolderEntry,
  type LinkEntry,
  MAX_MODIFIED_MS,
  PIECE_BYTES,
  toData,
} from './format.ts'

export interface WalkOptions {
  /** The size of the largest file that is read; a hole counts as what it stands for. */
  readonly maxFileBytes: number
  /** Whether a path, relative to the volume, is wanted; of a folder: whether anything in it may be. */
  readonly includes: (path: string) => boolean | Promise<boolean>
  /** Is told what cannot be in a backup, and why in words. */
  readonly leaveOut: (path: string, reason: string) => void
}

export type VolumeEntry = FolderEntry | LinkEntry | FileEntry | DataEntry

/** Folders before what is in them, names in order; what is removed meanwhile is missing. @param path relative; "" for all */
export async function* walkVolume(root: string, options: WalkOptions, path = ''): AsyncGenerator<VolumeEntry> {
  const segments = path === '' ? [] : path.split('/')
  const names = await ifThere(inFolderNoFollow(root, segments, (folder) => readNamesOf(folder, path, options)))
  for (const name of names ?? []) {
    const below = path === '' ? name : `${path}/${name}`
    if (await options.includes(below)) yield* walkEntry(root, options, below)
  }
}

async function readNamesOf(folder: string, path: string, { leaveOut }: WalkOptions): Promise<string[]> {
  const names: string[] = []
  for (const raw of await readdir(folder, { encoding: 'buffer' })) {
    const name = raw.toString('utf8')
    if (!Buffer.from(name).equals(raw) || name.includes('\\')) leaveOut(`${path}/${name}`, 'its name cannot be kept')
    else if (isTooLong(`${path}/${name}`)) leaveOut(`${path}/${name}`, 'its path is too long')
    else names.push(name)
  }
  return names.toSorted()
}

async function* walkEntry(root: string, options: WalkOptions, path: string): AsyncGenerator<VolumeEntry> {
  const segments = path.split('/')
  const name = segments.pop() ?? ''
  const within = <T>(use: (at: string) => Promise<T>): Promise<T | undefined> =>
    ifThere(inFolderNoFollow(root, segments, (folder) => use(join(folder, name))))
  try {
    const stat = await within((at) => lstat(at))
    if (stat === undefined) return
    if (stat.isDirectory()) {
      yield { kind: 'Folder', path, mode: stat.mode & 0o777 }
      yield* walkVolume(root, options, path)
    } else if (stat.isSymbolicLink()) {
      const target = await within((at) => readlink(at))
      if (target !== undefined) yield { kind: 'Link', path, target }
    } else if (stat.isFile()) {
      // O_NONBLOCK: something else may have taken its place.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const file = await within((at) => open(at, flags))
      if (file !== undefined) yield* readFile(file, path, options)
    } else options.leaveOut(path, 'it is no file, folder or link')
  } catch (error) {
    if (!(error instanceof UnsafePath) && !isUnreadable(error)) throw error
    options.leaveOut(path, error.message)
  }
}

/** As long as it is at the beginning: what is appended meanwhile does not count. */
async function* readFile(
  file: FileHandle,
  path: string,
  { maxFileBytes, leaveOut }: WalkOptions,
): AsyncGenerator<FileEntry | DataEntry> {
  try {
    const { size, mode, mtimeMs } = await file.stat()
    if (size > maxFileBytes) {
      leaveOut(path, `it has ${formatSize(size)}, more than --max-file-size lets through`)
      return
    }
    yield { kind: 'File', path, mode: mode & 0o777, modifiedMs: toModified(mtimeMs) }
    for (let at = 0; at < size;) {
      const buffer = Buffer.alloc(Math.min(PIECE_BYTES, size - at))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield toData(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}

/** Agents may give any time to a file. */
function toModified(ms: number): number {
  return Math.trunc(Math.min(Math.max(ms, -MAX_MODIFIED_MS), MAX_MODIFIED_MS))
}

function isUnreadable(error: unknown): error is Error {
  return hasErrorCode(error, 'EACCES', 'ELOOP', 'ENXIO')
}
