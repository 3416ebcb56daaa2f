/**
 * Removes partial lines from what a CLI prints: a later line repeats their text as a whole. The conversation shows them,
 * but they would make the logs many times as long, and a secret that is spread over several of them would not be found.
 */

const LF = 0x0a

/** No partial line is longer, so a longer line need not wait for its end. */
const LONGEST_PIECE = 256 * 1024

/** Bytes in the chunks in which they come, without some of them. */
export interface ChunkFilter {
  /** The part kept of this chunk, and of what waited for it. */
  push(chunk: Buffer): Buffer
  /** The part kept of what still waits. */
  end(): Buffer
}

/** Keeps the lines that are no pieces, byte for byte. */
export function withoutPartialLines(isPiece: (line: string) => boolean): ChunkFilter {
  let held: Buffer = Buffer.alloc(0)
  let isLong = false
  const isDropped = (line: Buffer): boolean => !isLong && line.length <= LONGEST_PIECE && isPiece(line.toString('utf8'))
  return {
    push(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const kept: Buffer[] = []
      let [from, start] = [0, 0]
      for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
        if (isDropped(bytes.subarray(start, end + 1))) {
          kept.push(bytes.subarray(from, start))
          from = end + 1
        }
        isLong = false
        start = end + 1
      }
      if (isLong || bytes.length - start > LONGEST_PIECE) {
        isLong = true
        start = bytes.length
      }
      kept.push(bytes.subarray(from, start))
      // The source may reuse its buffer.
      held = Buffer.from(bytes.subarray(start))
      return kept.length === 1 ? (kept[0] ?? held) : Buffer.concat(kept)
    },
    end: () => (isDropped(held) ? Buffer.alloc(0) : held),
  }
}
