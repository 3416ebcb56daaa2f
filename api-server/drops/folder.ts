/**
 * The drop directory: files that people and agents give one another.
 *
 * Agents write into it, so nothing in it is trusted: only ordinary files with one name are listed and served, opened
 * without following links. An upload is written under a hidden name, synced, and renamed once the whole request
 * has arrived: a reader sees the old or the new file whole, and of two uploads of one name one wins whole. What a crash
 * leaves of one is removed an hour later, at the next start or upload.
 */
import { lstat, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findNameProblem } from '../../core/bidi-controls.ts'
import { findDropNameProblem } from '../../core/drop-name.ts'
import { apiError } from '../../core/errors.ts'
import { DROPS_PATH } from '../../core/execution/layout.ts'
import type { DropRecord } from '../../core/rest/records/drop.ts'
import { MAX_DROP_BYTES } from '../../core/rest/limits.ts'
import { MAX_DROPS } from '../../core/rest/requests/drop.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Clock } from '../../lib/clock.ts'
import { hasErrorCode, inFolderNoFollow, makeFolder, readNames, syncFolder } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import { inUsableFolder } from '../../lib/usable-folder.ts'
import { writeNewFile } from '../../lib/write-stream.ts'
import { type StoredFile, openStoredFile } from '../records/stored-files.ts'
import { LATEST_CHANGE_FIRST, sortBy } from '../records/order.ts'
import { type FilePart, type MultipartBody, BUFFER_BYTES, takeFiles } from './multipart.ts'

export interface DropFolderOptions {
  readonly volumeRoot: string
  readonly clock: Clock
  readonly randomBytes: (size: number) => Uint8Array
  /** Largest file; 512 MiB unless given. */
  readonly maxDropBytes?: number
}

export interface DropFolder {
  /** Newest first; of more than 10,000 files those that come first by name. */
  list(): Promise<DropRecord[]>
  /** @throws ApiError `invalid_request` for a name that no drop can have; `not_found` */
  open(name: string): Promise<StoredFile>
  /**
   * Stores the files of a multipart body, all of them or none.
   *
   * @throws ApiError `invalid_request`, `payload_too_large`, `insufficient_storage`; `already_exists` when an agent made a folder of that name
   */
  receive(body: MultipartBody): Promise<DropRecord[]>
  /** Removes what uploads left that ended with the process they ran in. */
  removeAbandoned(): Promise<void>
}

const MAX_LISTED = 10_000
/** The folder belongs to another user, or something else is in its place. */
const UNUSABLE = ['EACCES', 'EPERM', 'ENOTDIR', 'ELOOP']
/** Somebody still writes there, or protects the folder: no reason to refuse an upload. */
const KEPT = ['ENOTEMPTY', 'EACCES', 'EPERM', 'EBUSY']
const UPLOAD_NAME = /^\.upload-[0-9a-f]{24}$/
/** No upload pauses that long between two writes: its connection would have timed out. */
const ABANDONED_MS = 60 * 60 * 1000

export function createDropFolder(options: DropFolderOptions): DropFolder {
  const { volumeRoot, clock, randomBytes, maxDropBytes = MAX_DROP_BYTES } = options
  const rule = { field: 'file', maxFiles: MAX_DROPS, maxFileBytes: maxDropBytes }
  const makeUploadName = (): string => `.upload-${Buffer.from(randomBytes(12)).toString('hex')}`
  const inFolder = <T>(use: (folder: string) => Promise<T>): Promise<T> =>
    inFolderNoFollow(volumeRoot, [], async (root) => {
      const folder = join(root, DROPS_PATH)
      await makeFolder(folder, 0o770)
      // An agent may have taken its permissions; without them neither the list nor an upload would work.
      return inUsableFolder(Buffer.from(folder), use)
    })
  const removeAbandoned = (folder: string): Promise<void> => removeOlder(folder, clock.now().getTime() - ABANDONED_MS)
  return {
    list: () => inFolder(listFiles),
    async open(name) {
      checkName('filename', name, findDropNameProblem(name))
      const file = await inFolder(() => openStoredFile(volumeRoot, `${DROPS_PATH}/${name}`, 'drop'))
      return { ...file, downloadName: name }
    },
    receive: (body) =>
      inFolder(async (folder) => {
        await removeAbandoned(folder)
        return receive(folder, (take) => takeFiles(body, rule, take), makeUploadName)
      }),
    async removeAbandoned() {
      try {
        await inFolder(removeAbandoned)
      } catch (error) {
        // No volume yet, not ours to change, or no folder: requests say so, and what else the server does goes on.
        if (!hasErrorCode(error, 'ENOENT', ...UNUSABLE)) throw error
      }
    },
  }
}

type Take = (part: FilePart) => Promise<void>

async function receive(
  folder: string,
  takeAll: (take: Take) => Promise<void>,
  makeUploadName: () => string,
): Promise<DropRecord[]> {
  const uploads = new Map<string, string>()
  const records: DropRecord[] = []
  try {
    await takeAll(async ({ filename, content }) => {
      // What an agent has put there is served by the name that it has.
      checkName('file', filename, findDropNameProblem(filename) ?? findNameProblem(filename))
      if (uploads.has(filename)) throw apiError('invalid_request', `file: ${JSON.stringify(filename)} is given twice`)
      const [position, upload] = [uploads.size, makeUploadName()]
      uploads.set(filename, upload)
      records[position] = { name: filename, ...(await write(join(folder, upload), content)) }
    })
    if (records.length === 0) throw apiError('invalid_request', 'file: is required')
    for (const [name, upload] of uploads) await publish(folder, upload, name)
    await syncFolder(folder)
    return records
  } catch (error) {
    throw toStorageRefusal(error)
  } finally {
    for (const upload of uploads.values()) await rm(join(folder, upload), { force: true })
  }
}

async function write(path: string, content: Readable): Promise<Omit<DropRecord, 'name'>> {
  // Exclusive, so that a link which an agent planted under this name is not written through.
  await pipeline(content, writeNewFile(path, { mode: 0o644, highWaterMark: BUFFER_BYTES }))
  const { size, mtime } = await lstat(path)
  return { size, modified_at: toTimestamp(mtime) }
}

async function publish(folder: string, upload: string, name: string): Promise<void> {
  try {
    await rename(join(folder, upload), join(folder, name))
  } catch (error) {
    if (hasErrorCode(error, 'EISDIR', 'ENOTEMPTY', 'EEXIST')) throw apiError('already_exists', 'folder', name)
    throw error
  }
}

async function listFiles(folder: string): Promise<DropRecord[]> {
  const names = (await readNames(folder)).filter((name) => findDropNameProblem(name) === undefined).sort()
  const found = await Promise.all(names.slice(0, MAX_LISTED).map((name) => findDrop(folder, name)))
  return sortBy(LATEST_CHANGE_FIRST, found.flat())
}

/** Nothing for a folder, a link, a file with a second name, or what is gone or out of reach since it was listed. */
async function findDrop(folder: string, name: string): Promise<DropRecord[]> {
  try {
    const stat = await lstat(join(folder, name))
    return stat.isFile() && stat.nlink === 1 ? [{ name, size: stat.size, modified_at: toTimestamp(stat.mtime) }] : []
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EACCES')) return []
    throw error
  }
}

async function removeOlder(folder: string, thanMs: number): Promise<void> {
  for (const name of (await readNames(folder)).filter((entry) => UPLOAD_NAME.test(entry))) {
    try {
      const { mtimeMs } = await lstat(join(folder, name))
      // An agent may have given a folder such a name.
      if (mtimeMs < thanMs) await removeTree(join(folder, name))
    } catch (error) {
      // Missing: another server on the same volume may be clearing up too.
      if (!hasErrorCode(error, 'ENOENT', ...KEPT)) throw error
    }
  }
}

/** A full disk is no failure of ours: the answer says what to do. Anything else stays what it is. */
export function toStorageRefusal(error: unknown): unknown {
  if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')) return error
  return apiError(
    'insufficient_storage',
    'no space is left for the upload: remove files from the data volume',
  ).causedBy(error)
}

function checkName(field: string, name: string, problem: string | undefined): void {
  if (problem !== undefined) throw apiError('invalid_request', `${field}: ${JSON.stringify(name)} ${problem}`)
}
