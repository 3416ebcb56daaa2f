/**
 * Takes lines out of what a CLI prints that only say in pieces what a later line says whole: the conversation has a use
 * for them, the logs would be many times as long. In pieces secrets would not be recognised either.
 */

const LF = 0x0a

/** No piece is longer; the beginning of a longer line need not wait for its end. */
const LONGEST_PIECE = 256 * 1024

/**
 * What is kept, byte for byte. Pieces go to `take`, in their place among what is kept: all before one has been taken by
 * the reader when it is handed over. The first chunk is asked for within the call that asks for ours.
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
    // The reader may use its buffer again.
    held = Buffer.from(bytes.subarray(start))
  }
  if (held.length === 0) return
  if (isDropped(held)) await take(held)
  else yield held
}
