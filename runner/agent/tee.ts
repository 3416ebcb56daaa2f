/**
 * Copies what an agent prints to a file and to the pod log, byte for byte.
 *
 * It reads the next chunk only when file and pod log have taken the last one. So memory stays bounded, and a slow disk
 * slows the agent down instead of losing lines. The file ends at `maxBytes` with a marker; later output is read and
 * dropped, so that the agent can go on. If the pod log is closed, copying to the file goes on too. The pod log is written
 * with fs.write: process.stdout writes pipes synchronously, and a stalled reader would keep the time-out from firing.
 */
import type { FileHandle } from 'node:fs/promises'
import { write } from 'node:fs'
import { promisify } from 'node:util'
import { type Clock, delay } from '../../lib/clock.ts'
import { hasErrorCode } from '../../lib/files.ts'
import type { ChunkFilter } from './partial-lines.ts'

const writeFd = promisify(write)
const RETRY_MS = 10

export interface TeeTarget {
  /** Opened for appending. */
  readonly file: FileHandle
  /** What the file holds already. */
  readonly sizeBytes: number
  /** Size that the file may reach; the marker comes on top. */
  readonly maxBytes: number
  /** Descriptor of the pod log: 1 or 2. */
  readonly podLog: number
  readonly clock: Clock
  /** What file and pod log get of the chunks; absent: all. */
  readonly filter?: ChunkFilter | undefined
  /** Gets every whole chunk after it was written, also those past the limit; the next one is read when it resolves. */
  readonly watch?: ((chunk: Buffer) => Promise<void>) | undefined
}

/**
 * Copies a stream to its end. Rejects when the file cannot be written.
 *
 * Reading begins within this very call: when a child exits, Node 20 discards output that has no reader yet.
 */
export async function tee(source: AsyncIterable<Buffer>, target: TeeTarget): Promise<void> {
  let left = Math.max(0, target.maxBytes - target.sizeBytes)
  let isCut = false
  let hasPodLog = true
  const keep = async (chunk: Buffer): Promise<void> => {
    if (isCut || chunk.length === 0) return
    const kept = chunk.subarray(0, left)
    await target.file.appendFile(kept)
    left -= kept.length
    isCut = kept.length < chunk.length
    if (isCut) await target.file.appendFile(`\n${cutMarker(target.maxBytes)}\n`)
    // Past the limit the pod log gets nothing either: its own limits are smaller.
    else if (hasPodLog) hasPodLog = await writeAll(target.podLog, chunk, target.clock)
  }
  for await (const chunk of source) {
    await keep(target.filter === undefined ? chunk : target.filter.push(chunk))
    await target.watch?.(chunk)
  }
  if (target.filter !== undefined) await keep(target.filter.end())
}

/** Last line of a log that was cut. */
function cutMarker(maxBytes: number): string {
  return `[slipway: cut here, the limit is ${maxBytes} bytes; the agent went on]`
}

/** Resolves to false when nobody reads the other end any more. */
async function writeAll(fd: number, chunk: Buffer, clock: Clock): Promise<boolean> {
  let rest = chunk
  while (rest.length > 0) {
    try {
      const { bytesWritten } = await writeFd(fd, rest)
      rest = rest.subarray(bytesWritten)
    } catch (error) {
      if (!hasErrorCode(error, 'EAGAIN')) return goneOrThrow(error)
      await delay(clock, RETRY_MS)
    }
  }
  return true
}

function goneOrThrow(error: unknown): false {
  if (hasErrorCode(error, 'EPIPE', 'EBADF', 'EIO', 'ECONNRESET')) return false
  throw error
}
