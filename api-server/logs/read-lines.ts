import type { FileHandle } from 'node:fs/promises'
import { type LogLineRecord, MAX_LOG_LINE_BYTES } from '../../core/rest/records/log.ts'
import { type LineIndex, countLines, findLineStart, LINE_FEED, readBlock } from './line-index.ts'

/** The texts of one answer; the caller asks again for the rest. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024
const CARRIAGE_RETURN = 0x0d

/**
 * Reads `count` lines from number `from` on, the first being 1; fewer at the end of the file, and when they are long.
 * A line is without its end (LF or CRLF). Of a long one the beginning is given, and how much is left out.
 */
export async function readLines(
  index: LineIndex,
  file: FileHandle,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<LogLineRecord[]> {
  const last = Math.min(from + count - 1, countLines(index))
  const lines: LogLineRecord[] = []
  let block: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }
  let position = from <= last ? await findLineStart(index, file, from - 1) : 0
  for (let [number, left] = [from, MAX_ANSWER_BYTES]; number <= last && left > 0; number += 1) {
    let feed = block.bytes.indexOf(LINE_FEED, position - block.start)
    if (feed === -1) {
      block = { start: position, bytes: await readBlock(file, position, index.sizeBytes) }
      feed = block.bytes.indexOf(LINE_FEED)
    }
    const end = feed === -1 ? await findLineEnd(index, file, number) : block.start + feed
    const line = toLine(number, block.bytes.subarray(position - block.start, end - block.start), end - position)
    lines.push(line)
    left -= line.text.length
    position = end + 1
  }
  return lines
}

/** For a line that is longer than a block, and for the last one, which may have no line feed. */
async function findLineEnd(index: LineIndex, file: FileHandle, number: number): Promise<number> {
  return number > index.feeds ? index.sizeBytes : (await findLineStart(index, file, number)) - 1
}

/** @param start as much of the line as was read: a block, or all of it */
function toLine(number: number, start: Buffer, sizeBytes: number): LogLineRecord {
  if (sizeBytes > MAX_LOG_LINE_BYTES) {
    const shown = start.subarray(0, endOfCharacter(start, MAX_LOG_LINE_BYTES))
    return { number, text: shown.toString('utf8'), cut_bytes: sizeBytes - shown.length }
  }
  const text = start.at(-1) === CARRIAGE_RETURN ? start.subarray(0, -1) : start
  return { number, text: text.toString('utf8') }
}

/** The last place at or before `end` that is not inside a character of UTF-8. */
function endOfCharacter(bytes: Buffer, end: number): number {
  for (let place = end; place > end - 4; place -= 1) if (((bytes[place] ?? 0) & 0xc0) !== 0x80) return place
  return end
}
