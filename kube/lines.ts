const NEWLINE = 0x0a

/** A stream that ended in the middle of a line: what was cut off is unknown, so nothing of it is used. */
export class StreamCut extends Error {
  override readonly name = 'StreamCut'
  readonly code = 'ECONNRESET'
}

/**
 * Splits a byte stream into lines, however the bytes are cut into chunks.
 *
 * Bytes are decoded line by line, so a character that two chunks share is whole; lines have no length limit and
 * cost time proportional to their length. Empty lines are left out.
 *
 * @throws StreamCut when the stream ends after an unfinished line
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let unfinished: Uint8Array[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = decode([...unfinished, chunk.subarray(start, end)])
      unfinished = []
      start = end + 1
      if (line !== '') yield line
    }
    if (start < chunk.length) unfinished.push(chunk.subarray(start))
  }
  if (decode(unfinished).trim() !== '') throw new StreamCut('the stream ended in the middle of a line')
}

function decode(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8')
}
