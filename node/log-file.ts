/**
 * The log of a container: what it printed, byte for byte, in `log`, older parts in `log.1` to `log.4`.
 *
 * The writer is not ours and goes on without us, so the file is rotated by copying and truncating: the writer
 * appends, and goes on at the new end. What it writes in the microseconds between the last look and the truncation
 * is lost; a kubelet loses more, as it keeps five files too.
 *
 * A line has no time of its own in the file. `log.times` notes every second what was there when (log-times.ts); a
 * line counts as written at the first instant at which all of it was there.
 */
import { type FileHandle, open, rename, rm, stat, appendFile, copyFile, truncate } from 'node:fs/promises'
import { hasErrorCode, ifThere } from '../lib/files.ts'
import { type Clock, delay } from '../lib/clock.ts'
import type { ContainerPaths } from './layout.ts'
import { type LogMark, formatMark } from './log-times.ts'

export const LOG_BYTES = 10 * 1024 * 1024
const LOG_FILES = 5

/** Oldest first. */
export function logFiles(path: string): string[] {
  const older = Array.from({ length: LOG_FILES - 1 }, (_, i) => `${path}.${LOG_FILES - 1 - i}`)
  return [...older, path]
}

/** 0 when there is no file. */
export async function sizeOf(path: string): Promise<number> {
  return (await findSize(path)) ?? 0
}

async function findSize(path: string): Promise<number | undefined> {
  return (await ifThere(stat(path), 'ENOENT', 'ENOTDIR'))?.size
}

export interface LogMaintenance {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Told of each failure: what could not be noted or kept is lost. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Tends a log once a second until `signal` aborts, and once more then; never rejects.
 *
 * @returns `gone` as soon as there is no log any more
 */
export async function keepMaintained(paths: ContainerPaths, maintenance: LogMaintenance): Promise<'over' | 'gone'> {
  const { clock, signal, onFailure } = maintenance
  let known: number | undefined = 0
  for (;;) {
    const isLast = signal.aborted
    try {
      known = await maintainLog(paths, known, clock.now())
      if (known === undefined) return 'gone'
    } catch (error) {
      onFailure(error)
      known = UNKNOWN
    }
    if (isLast) return 'over'
    await delay(clock, TEND_MS, signal)
  }
}

const TEND_MS = 1_000
/** A size that no file has. */
const UNKNOWN = -1

/**
 * Notes when how much of the log existed, and rotates it when it has grown too large. A log that cannot be rotated is
 * cut: on a full disk it must not go on growing.
 *
 * @param known the size as of the last call
 * @returns the size now; undefined when there is no log
 * @throws the system's error
 */
export async function maintainLog(
  paths: ContainerPaths,
  known: number,
  now: Date,
  limit = LOG_BYTES,
): Promise<number | undefined> {
  const size = await findSize(paths.log)
  if (size === undefined) return undefined
  try {
    if (size !== known && size > 0) await addMark(paths, known, { size, at: now.toISOString() })
  } finally {
    if (size >= limit) await rotate(paths, size, BURST * limit)
  }
  return size < limit ? size : 0
}

/** The mark before this one may be torn when it could not be written. */
async function addMark({ logTimes }: ContainerPaths, known: number, mark: LogMark): Promise<void> {
  await appendFile(logTimes, `${known === UNKNOWN ? '\n' : ''}${formatMark(mark)}`, { mode: 0o600 })
}

/** How much more than its limit a log may come to hold: who writes faster than it is copied would never be caught up with. */
const BURST = 10

/** The copy comes first, so that a disk without room for it costs none of the older parts but the oldest. */
async function rotate({ log, logTimes }: ContainerPaths, size: number, maxBytes: number): Promise<void> {
  const copy = `${log}.new`
  try {
    if (size > maxBytes) throw new Error(TOO_FAST)
    await rm(`${log}.${LOG_FILES - 1}`, { force: true })
    await copyFile(log, copy)
    if ((await sizeOf(copy)) > maxBytes) throw new Error(TOO_FAST)
    for (let n = LOG_FILES - 1; n > 1; n -= 1) {
      await move(`${log}.${n - 1}`, `${log}.${n}`)
      await move(`${logTimes}.${n - 1}`, `${logTimes}.${n}`)
    }
    await move(logTimes, `${logTimes}.1`)
    await rename(copy, `${log}.1`)
    await copyTail(log, `${log}.1`, maxBytes)
  } catch (error) {
    await Promise.all([rm(copy, { force: true }), rm(logTimes, { force: true }), truncate(log)])
    throw error
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    await rm(to, { force: true })
  }
}

const TOO_FAST = 'it grows faster than it can be kept'

/** Copies what was written during the copy, until nothing new is there, and truncates at once. */
async function copyTail(log: string, copy: string, maxBytes: number): Promise<void> {
  const from = await open(log, 'r+')
  try {
    const to = await open(copy, 'a')
    try {
      await copyUntilNothingIsNew(from, to, { position: await sizeOf(copy), maxBytes })
      await from.truncate(0)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

async function copyUntilNothingIsNew(
  from: FileHandle,
  to: FileHandle,
  { position: begin, maxBytes }: { readonly position: number; readonly maxBytes: number },
): Promise<void> {
  const buffer = Buffer.alloc(256 * 1024)
  for (let position = begin; ;) {
    const { bytesRead } = await from.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) return
    if (position > maxBytes) throw new Error(TOO_FAST)
    await to.write(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}
