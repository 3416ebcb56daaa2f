import type { FileHandle } from 'node:fs/promises'
import { ifPlain, openRegularNoFollow } from '../../lib/files.ts'

const CHUNK_BYTES = 64 * 1024
const LINE_FEED = 0x0a

/** A line, and the offset in the file behind it. */
export interface FollowedLine {
  readonly line: string
  readonly offset: number
}

export interface FollowedChunk {
  readonly lines: readonly FollowedLine[]
  /** Nothing more is there for now. A chunk in the middle of a long line has no lines, and is not the end. */
  readonly isAtEnd: boolean
}

/** Reads a growing file line by line, holding not more than a chunk and an unfinished line. */
export interface FollowedFile {
  /**
   * Reads one chunk and gives the lines that are complete by now.
   *
   * @param isFinal true: the file does not grow any more, so what stands behind the last line feed is a line too
   */
  next(isFinal: boolean): Promise<FollowedChunk>
  close(): Promise<void>
}

/**
 * Follows a file below `root` from `offset`. It may not exist yet. Its writer is not trusted: no link is followed, and
 * what is no ordinary file is never read.
 *
 * @param maxLineBytes a longer line is given in pieces, so that one without end cannot fill the memory
 */
export function followFile(root: string, path: string, offset: number, maxLineBytes: number): FollowedFile {
  let handle: FileHandle | undefined
  let position = offset
  let held = Buffer.alloc(0)
  const buffer = Buffer.alloc(CHUNK_BYTES)

  const take = (bytes: Buffer, end: number): FollowedLine => {
    const text = bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes
    return { line: text.toString('utf8'), offset: end }
  }
  const split = (chunk: Buffer): FollowedLine[] => {
    const lines: FollowedLine[] = []
    let rest = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      position += end + 1
      lines.push(take(rest.subarray(0, end), position))
      rest = rest.subarray(end + 1)
    }
    // A copy: the chunk's memory is read into again.
    held = Buffer.from(rest)
    if (held.length >= maxLineBytes) lines.push(flush())
    return lines
  }
  const flush = (): FollowedLine => {
    position += held.length
    const line = take(held, position)
    held = Buffer.alloc(0)
    return line
  }
  return {
    async next(isFinal) {
      handle ??= await ifPlain(openRegularNoFollow(root, path))
      const read = await handle?.read(buffer, 0, CHUNK_BYTES, position + held.length)
      if (read !== undefined && read.bytesRead > 0) {
        return { lines: split(buffer.subarray(0, read.bytesRead)), isAtEnd: false }
      }
      return { lines: isFinal && held.length > 0 ? [flush()] : [], isAtEnd: true }
    },
    async close() {
      await handle?.close()
    },
  }
}
