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
import { open, rename, rm, stat, appendFile, copyFile } from 'node:fs/promises'
import { hasErrorCode } from '../lib/files.ts'
import type { Clock } from '../lib/clock.ts'
import { delay } from '../lib/clock.ts'
import type { ContainerPaths } from './layout.ts'
import { formatMark } from './log-times.ts'

export const LOG_BYTES = 10 * 1024 * 1024
export const LOG_FILES = 5

/** Oldest first. */
export function logFiles(path: string): string[] {
  const older = Array.from({ length: LOG_FILES - 1 }, (_, i) => `${path}.${LOG_FILES - 1 - i}`)
  return [...older, path]
}

export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 0
    throw error
  }
}

/** Tends a log once a second until `signal` aborts, and once more then. */
export async function keepTending(paths: ContainerPaths, clock: Clock, signal: AbortSignal): Promise<void> {
  let size = 0
  for (;;) {
    const isLast = signal.aborted
    size = await tendLog(paths, size, clock.now())
    if (isLast) return
    await delay(clock, TEND_MS, signal)
  }
}

const TEND_MS = 1_000

/** Notes when how much of the log existed, and rotates it when it has grown too large. */
export async function tendLog(paths: ContainerPaths, known: number, now: Date, limit = LOG_BYTES): Promise<number> {
  const size = await sizeOf(paths.log)
  if (size !== known && size > 0) {
    await appendFile(paths.logTimes, formatMark({ size, at: now.toISOString() }), { mode: 0o600 })
  }
  if (size < limit) return size
  await rotate(paths)
  return 0
}

async function rotate({ log, logTimes }: ContainerPaths): Promise<void> {
  for (let n = LOG_FILES - 1; n > 1; n -= 1) {
    await move(`${log}.${n - 1}`, `${log}.${n}`)
    await move(`${logTimes}.${n - 1}`, `${logTimes}.${n}`)
  }
  await move(logTimes, `${logTimes}.1`)
  await copyFile(log, `${log}.1`)
  await copyTail(log, `${log}.1`)
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error
    await rm(to, { force: true })
  }
}

/** Copies what was written during the copy, until nothing new is there, and truncates at once. */
async function copyTail(log: string, copy: string): Promise<void> {
  const [from, to] = [await open(log, 'r+'), await open(copy, 'a')]
  try {
    const buffer = Buffer.alloc(256 * 1024)
    let position = await sizeOf(copy)
    for (;;) {
      const { bytesRead } = await from.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) break
      await to.write(buffer.subarray(0, bytesRead))
      position += bytesRead
    }
    await from.truncate(0)
  } finally {
    await Promise.all([from.close(), to.close()])
  }
}
