/**
 * Where the lines of a file begin, without a number for each of them: for each block of 64 KiB the line feeds before it.
 * A file of 1 GiB takes 16,384 numbers, and to find a line one block is read.
 *
 * The index covers the first `sizeBytes` of the file and grows with it. Whoever writes the file is not trusted: one that
 * was rewritten in place gives other lines than it has, and never a byte from elsewhere.
 */
import type { FileHandle } from 'node:fs/promises'

export const BLOCK_BYTES = 64 * 1024
export const LINE_FEED = 0x0a
/** Read at a time; a multiple of a block. */
const READ_BYTES = 16 * BLOCK_BYTES

export interface LineIndex {
  /** Line feeds before each block. */
  readonly feedsBefore: readonly number[]
  /** In the bytes that are covered. */
  readonly feeds: number
  readonly sizeBytes: number
  /** What stands behind the last line feed is a line too. */
  readonly hasOpenEnd: boolean
}

export const EMPTY_INDEX: LineIndex = { feedsBefore: [], feeds: 0, sizeBytes: 0, hasOpenEnd: false }

/** Lines of the part of the file that the index covers. */
export function countLines({ feeds, hasOpenEnd }: LineIndex): number {
  return feeds + (hasOpenEnd ? 1 : 0)
}

/**
 * The index over the file's first `sizeBytes`, made by reading what it does not cover yet.
 *
 * @param signal ends the work early; what was read is in the index
 */
export async function extendIndex(
  index: LineIndex,
  file: FileHandle,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<LineIndex> {
  const feedsBefore = [...index.feedsBefore]
  let { feeds, sizeBytes: position, hasOpenEnd } = index
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  while (position < sizeBytes && !signal.aborted) {
    // Up to the end of a block, so that each chunk begins in one.
    const wanted = Math.min(READ_BYTES - (position % BLOCK_BYTES), sizeBytes - position)
    const { bytesRead } = await file.read(buffer, 0, wanted, position)
    if (bytesRead === 0) break
    for (let start = 0; start < bytesRead;) {
      const offset = (position + start) % BLOCK_BYTES
      if (offset === 0) feedsBefore.push(feeds)
      const end = Math.min(start + BLOCK_BYTES - offset, bytesRead)
      feeds += countFeeds(buffer, start, end)
      start = end
    }
    hasOpenEnd = buffer[bytesRead - 1] !== LINE_FEED
    position += bytesRead
  }
  return { feedsBefore, feeds, sizeBytes: position, hasOpenEnd }
}

/** Byte by byte: a call of `indexOf` for each of a million lines takes longer. */
function countFeeds(bytes: Uint8Array, start: number, end: number): number {
  let feeds = 0
  for (let i = start; i < end; i += 1) if (bytes[i] === LINE_FEED) feeds += 1
  return feeds
}

/**
 * Offset of the first byte of a line.
 *
 * @param line from 0; at most the number of line feeds
 */
export async function findLineStart(index: LineIndex, file: FileHandle, line: number): Promise<number> {
  if (line === 0) return 0
  const block = findBlock(index.feedsBefore, line)
  const bytes = await readBlock(file, block * BLOCK_BYTES, index.sizeBytes)
  let left = line - (index.feedsBefore[block] ?? 0)
  for (let feed = bytes.indexOf(LINE_FEED); feed !== -1; feed = bytes.indexOf(LINE_FEED, feed + 1)) {
    left -= 1
    if (left === 0) return block * BLOCK_BYTES + feed + 1
  }
  // The file was cut or rewritten since it was indexed.
  return index.sizeBytes
}

/** The last block with fewer than `feeds` line feeds before it. */
export function findBlock(feedsBefore: readonly number[], feeds: number): number {
  let [low, high] = [0, feedsBefore.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((feedsBefore[middle] ?? 0) < feeds) low = middle
    else high = middle - 1
  }
  return low
}

/** At most a block from `position` on, and nothing behind `end`. */
export async function readBlock(file: FileHandle, position: number, end: number): Promise<Buffer> {
  const wanted = Math.max(0, Math.min(BLOCK_BYTES, end - position))
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position)
  return buffer.subarray(0, bytesRead)
}
