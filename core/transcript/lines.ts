/**
 * Bytes as they come from a pipe → lines of text.
 *
 * The same lines for any chunking of the same bytes: a line is decoded when it is whole, so no character is ever cut
 * between two chunks. What is not UTF-8 becomes U+FFFD. Memory is bounded by `maxLineBytes`: of a longer line the
 * beginning is kept and the rest is skipped up to its end.
 */

/** One line without its line ending. */
export interface Line {
  readonly text: string
  /** The line was longer than the limit, and `text` is its beginning. */
  readonly isCut: boolean
}

export interface LineSplitter {
  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): readonly Line[]
  /** What came after the last line ending, if anything did. */
  end(): readonly Line[]
}

/** Longer than any line that the CLIs print: tool results of some megabytes come as one line. */
const MAX_LINE_BYTES = 32 * 1024 * 1024

const MAX_PIECES = 4096
const LF = 0x0a
const CR = 0x0d

export function createLineSplitter(maxLineBytes = MAX_LINE_BYTES): LineSplitter {
  const decoder = new TextDecoder()
  let pieces: Uint8Array[] = []
  let keptBytes = 0
  let isCut = false

  const keep = (piece: Uint8Array): void => {
    const room = maxLineBytes - keptBytes
    if (piece.length > room) isCut = true
    if (room <= 0 || piece.length === 0) return
    pieces.push(piece.length > room ? piece.subarray(0, room) : piece)
    keptBytes += Math.min(piece.length, room)
    // A line that comes byte by byte: a piece costs far more than its byte.
    if (pieces.length === MAX_PIECES) pieces = [join(pieces, keptBytes)]
  }
  const take = (): Line => {
    const bytes = pieces.length === 1 ? (pieces[0] ?? new Uint8Array()) : join(pieces, keptBytes)
    const line = { text: decoder.decode(withoutCr(bytes)), isCut }
    pieces = []
    keptBytes = 0
    isCut = false
    return line
  }
  return {
    push(chunk) {
      const lines: Line[] = []
      let start = 0
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
        keep(chunk.subarray(start, end))
        lines.push(take())
        start = end + 1
      }
      // The reader may use its buffer again: what waits for the rest of its line is a copy.
      keep(new Uint8Array(chunk.subarray(start)))
      return lines
    },
    end: () => (keptBytes > 0 || isCut ? [take()] : []),
  }
}

function join(pieces: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const whole = new Uint8Array(sizeBytes)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

function withoutCr(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes
}
