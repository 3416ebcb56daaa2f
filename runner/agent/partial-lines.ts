/**
 * Removes partial lines from what a CLI prints: a later line repeats their text as a whole. The conversation shows them,
 * but they would make the logs many times as long, and a secret that is spread over several of them would not be found.
 */

const LF = 0x0a

/** No partial line is longer, so a longer line need not wait for its end. */
const LONGEST_PIECE = 256 * 1024

/**
 * Yields what is kept, byte for byte. Partial lines go to `take`, in order: the reader has taken everything before one
 * when `take` gets it. The first chunk is requested within the call that requests ours.
 */
export async function* withoutPartialLines(
  source: AsyncIterable<Buffer>,
  isPiece: (line: string) => boolean,
  take: (line: Buffer) => Promise<void>,
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0)
  let isLong = false
  const isDropped = (line: Buffer): boolean => !isLong && line.length <= LONGEST_PIECE && isPiece(line.toString('utf8'))
  for await (const chunk of source) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let [kept, start] = [0, 0]
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      const line = bytes.subarray(start, end + 1)
      if (isDropped(line)) {
        if (start > kept) yield bytes.subarray(kept, start)
        await take(line)
        kept = end + 1
      }
      isLong = false
      start = end + 1
    }
    if (isLong || bytes.length - start > LONGEST_PIECE) {
      isLong = true
      start = bytes.length
    }
    if (start > kept) yield bytes.subarray(kept, start)
    // The source may reuse its buffer.
    held = Buffer.from(bytes.subarray(start))
  }
  if (held.length === 0) return
  if (isDropped(held)) await take(held)
  else yield held
}
