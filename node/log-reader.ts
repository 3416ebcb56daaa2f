/** Reads a container's log as `kubectl logs` asks for it: from a line or an instant, with times, to the end or on. */
import { open } from 'node:fs/promises'
import { type Clock, delay } from '../lib/clock.ts'
import { ifThere } from '../lib/files.ts'
import { readExit } from './exit.ts'
import { type ContainerPaths, readIfExists } from './layout.ts'
import { logFiles, sizeOf } from './log-file.ts'
import { type LogMark, offsetAt, parseMarks, timeOf } from './log-times.ts'

export interface LogQuery {
  readonly follow: boolean
  readonly timestamps: boolean
  readonly tailLines?: number
  readonly since?: Date
  readonly limitBytes?: number
}

const CHUNK_BYTES = 64 * 1024
const FOLLOW_MS = 100

/** Ends at the end of the log, with `follow` at the container's end, or when `signal` aborts. */
export async function* readLog(
  paths: ContainerPaths,
  query: LogQuery,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const parts = readParts(paths, query, clock, signal)
  const lines = query.timestamps ? stampLines(parts, () => clock.now().toISOString()) : bytesOf(parts)
  yield* query.limitBytes === undefined ? lines : limitBytes(lines, query.limitBytes)
}

async function* bytesOf(parts: AsyncIterable<LogPart>): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of parts) yield bytes
}

interface Section {
  readonly path: string
  readonly from: number
  readonly marks: readonly LogMark[]
}

async function* readParts(
  paths: ContainerPaths,
  query: LogQuery,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<LogPart> {
  let end = 0
  for (const section of await sectionsOf(paths, query)) {
    end = section.from
    for await (const part of readFrom(section)) {
      if (signal.aborted) return
      end = part.end
      yield part
    }
  }
  if (query.follow) yield* follow(paths, end, clock, signal)
}

async function* follow(
  paths: ContainerPaths,
  from: number,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<LogPart> {
  for (let position = from; !signal.aborted;) {
    // Asked before the last read: what the container printed before its end is then in the file.
    const isOver = (await readExit(paths)) !== undefined
    // Smaller than before: the log was rotated meanwhile.
    if ((await sizeOf(paths.log)) < position) position = 0
    for await (const part of readFrom({ path: paths.log, from: position, marks: [] })) {
      position = part.end
      yield part
    }
    if (isOver) return
    await delay(clock, FOLLOW_MS, signal)
  }
}

async function* readFrom({ path, from, marks }: Section): AsyncGenerator<LogPart> {
  const file = await ifThere(open(path))
  if (file === undefined) return
  try {
    for (let position = from; ;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield { bytes: buffer.subarray(0, bytesRead), end: position, marks }
    }
  } finally {
    await file.close()
  }
}

/** The files to read, oldest first, each from where the query wants it; those wholly before are left out. */
async function sectionsOf(paths: ContainerPaths, query: LogQuery): Promise<Section[]> {
  const sections: Section[] = []
  let linesLeft = query.tailLines
  const [logs, times] = [logFiles(paths.log), logFiles(paths.logTimes)]
  for (const [i, path] of [...logs.entries()].toReversed()) {
    const marks = parseMarks((await readIfExists(times[i] ?? ''))?.toString('latin1') ?? '')
    const since = query.since === undefined ? 0 : offsetAt(marks, query.since)
    const tail = linesLeft === undefined ? { from: 0, lines: 0 } : await tailOffset(path, linesLeft)
    sections.unshift({ path, from: Math.max(since, tail.from), marks })
    if (linesLeft !== undefined) linesLeft -= tail.lines
    if (since > 0 || (linesLeft !== undefined && linesLeft <= 0)) break
  }
  return sections
}

const NEWLINE = 0x0a

/** Where the last `wanted` lines of a file begin, and how many of them it holds. */
async function tailOffset(path: string, wanted: number): Promise<{ readonly from: number; readonly lines: number }> {
  const file = await ifThere(open(path))
  if (file === undefined) return { from: 0, lines: 0 }
  try {
    const { size } = await file.stat()
    if (wanted <= 0) return { from: size, lines: 0 }
    let lines = 0
    for (let end = size; end > 0;) {
      const start = Math.max(0, end - CHUNK_BYTES)
      const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
      for (let i = buffer.length - 1; i >= 0; i -= 1) {
        // The newline that ends the file ends its last line, and begins none.
        if (buffer[i] !== NEWLINE || start + i === size - 1) continue
        lines += 1
        if (lines === wanted) return { from: start + i + 1, lines }
      }
      end = start
    }
    return { from: 0, lines: size > 0 ? lines + 1 : 0 }
  } finally {
    await file.close()
  }
}

/** Bytes of one file, and where they end in it. */
interface LogPart {
  readonly bytes: Buffer
  readonly end: number
  readonly marks: readonly LogMark[]
}

/** Puts before each line the time at which it was there, and a blank; `now` for what was just written. */
async function* stampLines(parts: AsyncIterable<LogPart>, now: () => string): AsyncGenerator<Uint8Array> {
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
async function* limitBytes(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let left = limit
  for await (const chunk of chunks) {
    if (left <= 0) return
    yield chunk.subarray(0, left)
    left -= chunk.length
  }
}
