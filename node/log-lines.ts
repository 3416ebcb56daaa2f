/** Lines of a log on their way out. */
import type { LogMark } from './log-times.ts'
import { timeOf } from './log-times.ts'

/** Bytes of one file, and where they end in it. */
export interface LogPart {
  readonly bytes: Buffer
  readonly end: number
  readonly marks: readonly LogMark[]
}

const NEWLINE = 0x0a

/** Puts before each line the time at which it was there, and a blank; `now` for what was just written. */
export async function* stampLines(parts: AsyncIterable<LogPart>, now: () => string): AsyncGenerator<Uint8Array> {
  let begun: Buffer[] = []
  let time = ''
  for await (const { bytes, end, marks } of parts) {
    const base = end - bytes.length
    let start = 0
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
      time = timeOf(marks, base + at + 1) ?? now()
      yield Buffer.concat([Buffer.from(`${time} `), ...begun, bytes.subarray(start, at + 1)])
      begun = []
      start = at + 1
    }
    if (start < bytes.length) begun.push(Buffer.from(bytes.subarray(start)))
    time = timeOf(marks, end) ?? now()
  }
  if (begun.length > 0) yield Buffer.concat([Buffer.from(`${time} `), ...begun])
}

/** The first `limit` bytes. */
export async function* limitBytes(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let left = limit
  for await (const chunk of chunks) {
    if (left <= 0) return
    yield chunk.subarray(0, left)
    left -= chunk.length
  }
}
