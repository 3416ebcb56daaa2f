import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { hasErrorCode } from '../files.ts'
import type { Entry } from './format.ts'
import { DamagedBackup, nameOf, openLine, SCHEMA_VERSION } from './format.ts'

/** More than the API takes of an object, and than a piece of a file has. */
const MAX_LINE_BYTES = 16 * 1024 * 1024
const WAY_OUT = 'use another copy of the backup'

/** An entry, where it is, and the checksum of everything up to it. */
export interface ReadEntry {
  readonly entry: Entry
  /** Line, from 1. */
  readonly number: number
  readonly sha256: string
}

/**
 * The entries of a backup, each only once it is known to be as it was written. What is held in memory is a line.
 *
 * @throws DamagedBackup that names the entry which is not, and the system's error where the file cannot be read
 */
export async function* readBackup(path: string): AsyncGenerator<ReadEntry, void, undefined> {
  let sha256 = ''
  let number = 0
  let last: Entry | undefined
  const after = (): string => (last === undefined ? 'at its beginning' : `behind entry ${number}, ${nameOf(last)}`)
  try {
    for await (const line of linesOf(path)) {
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
      yield { entry: opened.entry, number, sha256 }
    }
  } catch (error) {
    if (!isOfZlib(error)) throw named(path, error)
    const message = `it cannot be decompressed ${after()} (${error.message}): ${WAY_OUT}`
    throw named(path, new DamagedBackup(message, { cause: error }))
  }
  if (last?.kind !== 'End') throw named(path, new DamagedBackup(`it is cut off ${after()}: ${WAY_OUT}`))
}

function refuseNewer(entry: Entry): void {
  if (entry.kind !== 'SlipwayBackup' || entry.schemaVersion === SCHEMA_VERSION) return
  const { schemaVersion, version } = entry
  throw new DamagedBackup(
    `it has the schema version ${schemaVersion}, and this version reads ${SCHEMA_VERSION}: use Slipway ${version} or later`,
  )
}

function named(path: string, error: unknown): unknown {
  if (!(error instanceof DamagedBackup)) return error
  return new DamagedBackup(`the backup ${path} cannot be used: ${error.message}`, { cause: error })
}

function isOfZlib(error: unknown): error is Error {
  return hasErrorCode(error, 'Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_NEED_DICT', 'Z_STREAM_ERROR')
}

async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const file = createReadStream(path)
  const gunzip = createGunzip()
  file.on('error', (error) => gunzip.destroy(error))
  let rest: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of file.pipe(gunzip)) {
      let bytes: Buffer = chunk
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
  } finally {
    file.destroy()
  }
}
