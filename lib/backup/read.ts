import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { firstOf } from '../async.ts'
import { hasErrorCode } from '../files.ts'
import { type Entry, DamagedBackup, nameOf, openLine, SCHEMA_VERSION } from './format.ts'

/** More than the API takes of an object, and than a piece of a file has. */
const MAX_LINE_BYTES = 16 * 1024 * 1024
/** Expanded at once, at most about a thousand times as much. */
const COMPRESSED_BYTES = 16 * 1024
/** How much is decompressed in one step; a step that fails gives nothing. */
const EXPANDED_BYTES = 64 * 1024
/** The least that zlib takes. */
const FINE_BYTES = 64
const WAY_OUT = 'use another copy of the backup'

/** An entry, where it is, and the checksum of everything up to it. */
export interface ReadEntry {
  readonly entry: Entry
  /** Line, from 1. */
  readonly number: number
  readonly sha256: string
}

/** A backup that is open: each pass reads the same file, whatever its path leads to meanwhile. */
export interface BackupFile {
  readonly path: string
  readonly handle: FileHandle
}

/** @throws an Error that says what to do when it is no regular file, which alone can be read twice; the caller closes it */
export async function openBackup(path: string): Promise<BackupFile> {
  // O_NONBLOCK: opening a FIFO would otherwise wait for a writer for ever.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if ((await handle.stat()).isFile()) return { path, handle }
    throw new Error(`${path} is no regular file, and a backup is read twice: save it to a file first`)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * The entries of a backup, each only once it is known to be as it was written. What is held in memory is a line.
 *
 * @throws DamagedBackup that names the entry which is not, and the system's error where the file cannot be read
 */
export function readBackup(file: BackupFile): AsyncGenerator<ReadEntry, void, undefined> {
  return readEntries(file, EXPANDED_BYTES)
}

async function* readEntries(file: BackupFile, expandedBytes: number): AsyncGenerator<ReadEntry, void, undefined> {
  const { path, handle } = file
  let sha256 = ''
  let number = 0
  let last: Entry | undefined
  let name = ''
  const after = (): string => (number === 0 ? 'at its beginning' : `behind entry ${number}, ${name}`)
  try {
    for await (const line of linesOf(handle, expandedBytes)) {
      const opened = openLine(sha256, line)
      if (opened === undefined && number === 0) throw new DamagedBackup('it does not begin as a backup does')
      if (opened === undefined || last?.kind === 'End')
        throw new DamagedBackup(`entry ${number + 1}, ${after()}, is not as it was written: ${WAY_OUT}`)
      if ((opened.entry.kind === 'SlipwayBackup') !== (number === 0))
        throw new DamagedBackup(`entry ${number + 1} is not what stands there: ${WAY_OUT}`)
      refuseNewer(opened.entry)
      ;({ sha256 } = opened)
      number += 1
      last = opened.entry
      name = last.kind === 'Data' ? `a piece of ${name.replace(/^a piece of /, '')}` : nameOf(last)
      yield { entry: opened.entry, number, sha256 }
    }
  } catch (error) {
    if (!isOfZlib(error)) throw named(path, error)
    // Read again in steps that lose no whole entry, so that the last good one can be named.
    if (expandedBytes > FINE_BYTES) for await (const _ of readEntries(file, FINE_BYTES)) continue
    const message = `it cannot be decompressed ${after()} (${error.message}): ${WAY_OUT}`
    throw named(path, new DamagedBackup(message, { cause: error }))
  }
  if (last?.kind !== 'End') throw named(path, new DamagedBackup(`it is cut off ${after()}: ${WAY_OUT}`))
}

function refuseNewer(entry: Entry): void {
  if (entry.kind !== 'SlipwayBackup' || entry.schemaVersion <= SCHEMA_VERSION) return
  const { schemaVersion, version } = entry
  throw new DamagedBackup(
    `it has the schema version ${schemaVersion}, and this version reads up to ${SCHEMA_VERSION}: use Slipway ${version} or later`,
  )
}

function named(path: string, error: unknown): unknown {
  if (!(error instanceof DamagedBackup)) return error
  return new DamagedBackup(`the backup ${path} cannot be used: ${error.message}`, { cause: error })
}

function isOfZlib(error: unknown): error is Error {
  return hasErrorCode(error, 'Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_NEED_DICT', 'Z_STREAM_ERROR')
}

async function* linesOf(handle: FileHandle, expandedBytes: number): AsyncGenerator<string, void, undefined> {
  let rest: Buffer[] = []
  let length = 0
  for await (const chunk of expand(handle, expandedBytes)) {
    let bytes = chunk
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a)) {
      yield Buffer.concat([...rest, bytes.subarray(0, end)]).toString('utf8')
      rest = []
      length = 0
      bytes = bytes.subarray(end + 1)
    }
    rest.push(bytes)
    length += bytes.length
    if (length > MAX_LINE_BYTES) throw new DamagedBackup('it has a line that is longer than any of a backup')
  }
  // Without its end a line is cut off, and so is the backup.
  if (length > 0) yield Buffer.concat(rest).toString('utf8')
}

/** From the beginning, whatever was read before. A stream would close the handle when nobody reads on. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; ;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(COMPRESSED_BYTES), 0, COMPRESSED_BYTES, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** The uncompressed bytes. A stream that fails drops what nobody has read yet: here it is given before the failure. */
async function* expand(handle: FileHandle, chunkSize: number): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ chunkSize })
  let expanded: Buffer[] = []
  let failure: unknown
  gunzip.on('data', (bytes: Buffer) => expanded.push(bytes))
  gunzip.on('error', (error) => (failure = error))
  const closed = firstOf(gunzip, 'close')
  function* take(): Generator<Buffer, void, undefined> {
    const taken = expanded
    expanded = []
    yield* taken
    if (failure !== undefined) throw failure
  }
  try {
    for await (const bytes of piecesOf(handle)) {
      // A stream that fails does not drain.
      if (!gunzip.write(bytes) && !gunzip.closed) await firstOf(gunzip, 'drain', 'close')
      yield* take()
    }
    gunzip.end()
    await closed
    yield* take()
  } finally {
    gunzip.destroy()
  }
}
