import type { FileHandle } from 'node:fs/promises'
import { MAX_LOG_MATCHES } from '../../core/rest/limits.ts'
import { type LineIndex, BLOCK_BYTES, findBlock, LINE_FEED, readBlock } from './line-index.ts'

/** Kept of a line that goes on, for a match that begins in it: more than any text that is searched for. */
const MAX_TAIL_BYTES = BLOCK_BYTES
/** Always searched, so that each call gets past a line that is no longer than a block. */
const MIN_BYTES = 2 * BLOCK_BYTES
/** Colours of terminals (ECMA-48, SGR): a word is found although its letters have colours. */
const COLOUR = new RegExp(String.raw`\u001b\[[\d;]*m`, 'g')

export interface Matches {
  /** Lines that contain the text. */
  count: number
  /** Numbers of the first of them, from 1. */
  readonly lines: number[]
  /** False when `mayGoOn` said no before the end. */
  isComplete: boolean
  /** In that case, the first line that was not searched whole; undefined if not even the first one was. */
  nextLine?: number
}

/**
 * Finds the lines that contain a text, in capitals or not. Of a line of more than 128 KiB it may miss a match that is
 * itself longer than 64 KiB, by its colours.
 *
 * Other requests are answered between two blocks; one takes some milliseconds at most, where each letter is a match.
 *
 * @param from number of the first line that counts
 * @param mayGoOn asked before each block but the first ones
 */
export async function searchLines(
  index: LineIndex,
  file: FileHandle,
  wanted: string,
  { from, mayGoOn }: { readonly from: number; readonly mayGoOn: () => boolean },
): Promise<Matches> {
  const pattern = toPattern(wanted)
  const encoding = isAscii(wanted) ? 'latin1' : 'utf8'
  const matches: Matches = { count: 0, lines: [], isComplete: true }
  let tail = Buffer.alloc(0)
  let lastLine = from - 1
  const start = findBlock(index.feedsBefore, from - 1) * BLOCK_BYTES
  for (let position = start; position < index.sizeBytes; position += BLOCK_BYTES) {
    const feeds = index.feedsBefore[position / BLOCK_BYTES] ?? 0
    if (position >= start + MIN_BYTES && !mayGoOn()) {
      const nextLine = Math.max(lastLine, feeds) + 1
      return { ...matches, isComplete: false, ...(nextLine > from && { nextLine }) }
    }
    const bytes = Buffer.concat([tail, await readBlock(file, position, index.sizeBytes)])
    const isLast = position + BLOCK_BYTES >= index.sizeBytes
    const end = isLast ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1
    const text = bytes.toString(encoding, 0, end === 0 ? bytes.length : end)
    lastLine = collect(matches, pattern, withoutColours(text), { firstLine: feeds + 1, lastLine })
    tail = Buffer.from(bytes.subarray(Math.max(end, bytes.length - MAX_TAIL_BYTES)))
  }
  return matches
}

/** Counts lines behind `lastLine`. @returns number of the last one that matched: if it goes on in the next block it counts once */
function collect(
  matches: Matches,
  pattern: RegExp,
  text: string,
  { firstLine, lastLine }: { readonly firstLine: number; readonly lastLine: number },
): number {
  let [line, counted, last] = [firstLine, 0, lastLine]
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    line += countFeeds(text, counted, match.index)
    counted = match.index
    if (line > last) {
      matches.count += 1
      if (matches.lines.length < MAX_LOG_MATCHES) matches.lines.push(line)
    }
    last = Math.max(last, line)
    const lineEnd = text.indexOf('\n', match.index)
    if (lineEnd === -1) break
    pattern.lastIndex = lineEnd
  }
  return last
}

function countFeeds(text: string, from: number, to: number): number {
  let count = 0
  for (let feed = text.indexOf('\n', from); feed !== -1 && feed < to; feed = text.indexOf('\n', feed + 1)) count += 1
  return count
}

function withoutColours(text: string): string {
  return text.includes('\u001b[') ? text.replace(COLOUR, '') : text
}

/** A text and no pattern: every character stands for itself. */
function toPattern(wanted: string): RegExp {
  return new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), isAscii(wanted) ? 'gi' : 'giu')
}

function isAscii(text: string): boolean {
  return !/[^ -~\t]/.test(text)
}
