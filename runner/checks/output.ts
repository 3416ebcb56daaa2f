/**
 * Keeps the beginning and the end of what a check prints: its log takes no more room on the disk than two parts, and one of
 * them in memory. All is read, so that a check that prints without end is slowed by nothing but its own time limit.
 */
import type { FileHandle } from 'node:fs/promises'
import { cutOutputLine } from '../../core/execution/check-output.ts'
import { isOutOfSpace } from '../../lib/files.ts'

/** Half of the 16 MiB that a log may have (docs/adr/0015-checks.md), less the line between the parts. */
const PART_BYTES = 8 * 1024 * 1024 - 256

/** @returns false where the disk had no room for all that was to be kept @throws the system's error of the file */
export async function keepOutput(
  source: AsyncIterable<Buffer>,
  file: Pick<FileHandle, 'appendFile'>,
  partBytes = PART_BYTES,
): Promise<boolean> {
  let left = partBytes
  let hasRoom = true
  const end = makeTail(partBytes)
  const append = async (bytes: Uint8Array | string): Promise<void> => {
    try {
      if (hasRoom) await file.appendFile(bytes)
    } catch (error) {
      if (!isOutOfSpace(error)) throw error
      hasRoom = false
    }
  }
  for await (const chunk of source) {
    const begins = chunk.subarray(0, left)
    left -= begins.length
    if (begins.length > 0) await append(begins)
    end.push(chunk.subarray(begins.length))
  }
  const { missing, bytes } = end.take()
  if (missing > 0) await append(`\n${cutOutputLine(missing)}\n`)
  await append(bytes)
  return hasRoom
}

/** The last bytes of a stream, in a buffer that goes around. */
function makeTail(maxBytes: number) {
  let ring: Buffer | undefined
  let total = 0
  const push = (chunk: Buffer): void => {
    if (chunk.length === 0) return
    ring ??= Buffer.alloc(maxBytes)
    const kept = chunk.subarray(Math.max(0, chunk.length - maxBytes))
    const at = (total + chunk.length - kept.length) % maxBytes
    const room = Math.min(kept.length, maxBytes - at)
    kept.copy(ring, at, 0, room)
    kept.copy(ring, 0, room)
    total += chunk.length
  }
  const take = (): { readonly missing: number; readonly bytes: Buffer } => {
    if (ring === undefined) return { missing: 0, bytes: Buffer.alloc(0) }
    if (total <= maxBytes) return { missing: 0, bytes: ring.subarray(0, total) }
    const at = total % maxBytes
    return { missing: total - maxBytes, bytes: Buffer.concat([ring.subarray(at), ring.subarray(0, at)]) }
  }
  return { push, take }
}
