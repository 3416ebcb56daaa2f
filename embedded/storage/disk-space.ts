/**
 * Sees to it that a commit does not fail for want of room.
 *
 * A failed commit is survived, but not always: lmdb 3.5 writes the message about ENOSPC into a buffer that is too small,
 * and may end the process. So it must not happen. Little room on the disk is noticed before anything is tried; and the file
 * always has more bytes than lmdb uses of it, zeros that were written and not just left out, so that what fills the disk in
 * between finds the commit's room taken. It is a file of ours to extend: lmdb uses what is there.
 *
 * Nothing has to be done for the store to go on: each commit looks anew. After one that failed all the same (a broken disk)
 * the next must first see a write of its own arrive.
 */
import { statfsSync, statSync, truncateSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { createKeyedMutex } from '../../lib/async.ts'
import { StoreUnwritable } from './backend.ts'

/** Called when writing becomes impossible, with the reason, and when it is possible again. */
export type OnWritable = (problem: StoreUnwritable | undefined) => void

export interface DiskSpaceOptions {
  readonly file: string
  /** How much of the file, from its start, is in use. */
  readonly usedBytes: () => number
  readonly onWritable: OnWritable
}

export interface DiskSpace {
  /** Resolves once the next commit may take `bytes`; to be called for one commit at a time. @throws StoreUnwritable */
  demand(bytes: number): Promise<void>
  /** Why nothing could be written now; undefined when it could. */
  problem(): Promise<StoreUnwritable | undefined>
  /** To be told of a commit that failed; gives what to throw. */
  failed(cause: unknown): StoreUnwritable
  /** Gives back what the file has beyond what is used, unless the disk is in trouble. */
  trim(): void
}

/** What the disk must have left, for whoever else lives on it. */
const LEAST_FREE_BYTES = 4 * 1024 * 1024
/** By how much the file is extended beyond what is wanted at once. */
const EXTENSION_BYTES = 1024 * 1024
const CHUNK_BYTES = 256 * 1024

export function watchDiskSpace({ file, usedBytes, onWritable }: DiskSpaceOptions): DiskSpace {
  let problem: StoreUnwritable | undefined
  /** What the file has beyond what is used, at least. */
  let left = 0
  const runExclusive = createKeyedMutex()

  const block = (cause: unknown): StoreUnwritable => {
    const isNews = problem === undefined
    problem = toUnwritable(file, cause)
    if (isNews) onWritable(problem)
    return problem
  }
  const clear = (): void => {
    if (problem === undefined) return
    problem = undefined
    onWritable(undefined)
  }
  const extend = async (bytes: number): Promise<void> => {
    // What a commit under way takes is not known here, so the next one looks anew.
    left = 0
    await extendFile(file, usedBytes() + bytes, problem !== undefined)
    clear()
  }
  const demand = async (bytes: number): Promise<void> => {
    requireFree(file, bytes)
    if (problem === undefined && left >= bytes) return
    // One after another: two would write at the same end.
    await runExclusive('extend', () => extend(bytes))
  }

  return {
    async demand(bytes) {
      const look = (): void => {
        // Each commit was thought to take the most that it could; what they took is known now that none is under way.
        if (left < bytes) left = statSync(file).size - usedBytes()
      }
      try {
        if (problem === undefined) look()
        await demand(bytes)
        look()
        left -= bytes
      } catch (error) {
        throw block(error)
      }
    },
    async problem() {
      try {
        await demand(0)
        return undefined
      } catch (error) {
        return block(error)
      }
    },
    failed: block,
    trim() {
      if (problem !== undefined) return
      truncateSync(file, usedBytes())
      left = 0
    },
  }
}

/** @throws StoreUnwritable when the disk below `file` has less than `bytes` and something for others left */
export function requireFree(file: string, bytes: number): void {
  const { blocks, bavail, bsize } = statfsSync(dirname(file))
  const free = bavail * bsize
  const wanted = bytes + LEAST_FREE_BYTES
  // Some file systems do not tell.
  if (blocks === 0 || free >= wanted) return
  throw unwritable(file, true, `its disk has ${mebibytes(free)} left and ${mebibytes(wanted)} are wanted`)
}

/**
 * Makes the file at least `end` long. When that fails, it is as long as before.
 *
 * @param isProof that the disk takes bytes is to be seen, also where the file is long enough
 */
async function extendFile(path: string, end: number, isProof: boolean): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    if (size >= end && !isProof) return
    const length = Math.max(size, end + EXTENSION_BYTES)
    try {
      // Behind the end alone: in front of it a commit may be under way.
      await writeZeros(file, size, Math.max(length, size + CHUNK_BYTES))
      if (isProof) await file.datasync()
    } catch (error) {
      await file.truncate(size)
      throw error
    }
    await file.truncate(length)
  } finally {
    await file.close()
  }
}

async function writeZeros(file: FileHandle, start: number, end: number): Promise<void> {
  const zeros = Buffer.alloc(Math.min(CHUNK_BYTES, end - start))
  for (let at = start; at < end;) {
    const { bytesWritten } = await file.write(zeros, 0, Math.min(zeros.length, end - at), at)
    at += bytesWritten
  }
}

const FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT']

function toUnwritable(file: string, cause: unknown): StoreUnwritable {
  if (cause instanceof StoreUnwritable) return cause
  if (!(cause instanceof Error)) return unwritable(file, false, String(cause))
  const given: unknown = 'code' in cause ? cause.code : undefined
  // lmdb gives the system's number, Node its name.
  const [code, text] = (typeof given === 'number' ? getSystemErrorMap().get(-given) : undefined) ?? [
    given,
    cause.message,
  ]
  const isFull = FULL.includes(code)
  const reason = isFull ? `no space is left on its disk (${String(code)})` : text
  return unwritable(
    file,
    isFull,
    code === 'EIO' ? 'its disk fails (EIO), as the log of the kernel says' : reason,
    cause,
  )
}

function unwritable(file: string, isFull: boolean, reason: string, cause?: unknown): StoreUnwritable {
  const wayOut = isFull ? 'free some space, and it goes on by itself' : 'it goes on by itself once it can be written'
  return new StoreUnwritable(`the store ${file} takes no writes: ${reason}; ${wayOut}`, isFull, { cause })
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
