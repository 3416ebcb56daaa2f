/**
 * An engine on one lmdb file: memory-mapped synchronous reads, and commits that are on disk when they resolve. Every record
 * is sealed and counted (record.ts).
 *
 * Commits come one at a time and without lmdb-js's overlapping syncs. With those (measured with lmdb 3.5) the promise for a
 * sync belongs to whatever was asked for last, and nobody settles it when that fails: on a full disk a write that had
 * reached it waited for ever. And after a failed sync the state on disk is not known, which it is here: the old one.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { open } from 'lmdb'
import { type StoreUnwritable, type Engine, type EngineWrite, StoreDamaged } from './backend.ts'
import {
  type Summary,
  EMPTY_SUMMARY,
  formatSummary,
  parseSummary,
  replaceRecord,
  seal,
  SUMMARY_KEY,
  unseal,
} from './record.ts'
import { type OnWritable, watchDiskSpace } from './disk-space.ts'

export interface DiskOptions {
  /** A file without a summary is an empty store to begin with; otherwise it is a damaged one. Default: false. */
  readonly create?: boolean
  readonly onWritable?: OnWritable
}

/** Two pages at the start, which say where all else is. */
const META_BYTES = 8192

type Db = ReturnType<typeof openDb>

function openDb(file: string) {
  return open<string, string>({
    path: file,
    noSubdir: true,
    encoding: 'string',
    compression: true,
    overlappingSync: false,
    // Each commit is a batch of its own. The batch that lmdb 3.5 would put around an event turn has a promise that
    // nobody can reach: on a full disk its rejection would end the process.
    eventTurnBatching: false,
  })
}

/** @throws StoreDamaged when the file does not say what it holds */
export function openDiskEngine(file: string, { create = false, onWritable = () => undefined }: DiskOptions): Engine {
  /** Absent after a failure that even opening it anew did not survive: lmdb ends the process that uses a closed file. */
  let db: Db | undefined = openDb(file)
  let closing: StoreUnwritable | undefined
  const current = (): Db => {
    if (db !== undefined) return db
    if (closing !== undefined) throw closing
    try {
      requireReadable(file)
      const opened = openDb(file)
      summary = readSummary(opened, file) ?? missingSummary(file)
      return (db = opened)
    } catch (cause) {
      throw space.failed(cause)
    }
  }
  const space = watchDiskSpace({ file, usedBytes: () => sizeOf(current()).usedBytes, onWritable })
  const { pageBytes } = sizeOf(current())
  // What a killed process left there may be gaps by now, in a copy.
  space.trim()
  let summary = readSummary(current(), file) ?? (create ? EMPTY_SUMMARY : missingSummary(file))

  const commit = async (next: Summary, sealed: readonly EngineWrite[]): Promise<void> => {
    const used = current()
    try {
      await put(used, [...sealed, { key: SUMMARY_KEY, value: seal(SUMMARY_KEY, formatSummary(next)) }])
      summary = next
    } catch (error) {
      closing = space.failed(error)
      const problem = closing
      // lmdb refuses everything after some failures, until the file is opened anew.
      db = undefined
      await used.close()
      closing = undefined
      current()
      throw problem
    }
  }

  return {
    get revision() {
      return summary.revision
    },
    get: (key) => findText(current(), file, key),
    range: (start, end) => readRange(current(), file, start, end),
    count: (start, end) => current().getKeysCount({ start, end }),
    async commit(revision, writes) {
      // The last of several writes to a key counts.
      const latest = new Map(writes.map(({ key, value }) => [key, value === undefined ? undefined : seal(key, value)]))
      const sealed = [...latest].map(([key, value]) => ({ key, value }))
      await space.demand(mostBytes(sealed, pageBytes))
      await commit({ ...summarize(current(), summary, sealed), revision }, sealed)
    },
    problem: space.problem,
    async close() {
      if (db === undefined) return
      space.trim()
      await db.close()
    },
  }
}

/** On a disk that fails, lmdb 3.5 ends the process where it opens a file. @throws the system's error */
function requireReadable(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, Buffer.alloc(META_BYTES), 0, META_BYTES, 0)
  } finally {
    closeSync(descriptor)
  }
}

function missingSummary(file: string): never {
  throw new StoreDamaged(file, 'it does not say what it holds')
}

function readSummary(db: Db, file: string): Summary | undefined {
  const text = findText(db, file, SUMMARY_KEY)
  if (text === undefined) return undefined
  return parseSummary(text) ?? missingSummary(file)
}

function findText(db: Db, file: string, key: string): string | undefined {
  const stored = db.get(key)
  // What cannot be unpacked is read as nothing.
  if (stored === undefined && !db.doesExist(key)) return undefined
  return readText(file, key, stored)
}

function* readRange(db: Db, file: string, start: string, end: string): Generator<{ key: string; value: string }> {
  for (const { key, value } of db.getRange({ start, end })) yield { key, value: readText(file, key, value) }
}

function readText(file: string, key: string, stored: string | undefined): string {
  const text = stored === undefined ? undefined : unseal(key, stored)
  if (text === undefined) throw new StoreDamaged(file, `${key} is not what was written`)
  return text
}

function summarize(db: Db, summary: Summary, sealed: readonly EngineWrite[]): Summary {
  return sealed.reduce((sum, { key, value }) => replaceRecord(sum, db.get(key), value), summary)
}

/** Pages that one record may take beside its own: the way down to it, copied, each page of it split, and the list of free ones. */
const PAGES_PER_RECORD = 16

/** The most that a commit can take of the file, from above; the summary is a record more. */
function mostBytes(writes: readonly EngineWrite[], pageBytes: number): number {
  const texts = writes.reduce((sum, { value = '' }) => sum + Buffer.byteLength(value), 0)
  return texts + (writes.length + 1) * PAGES_PER_RECORD * pageBytes
}

/** A page, and how much of the file is in use, from its start. */
function sizeOf(db: Db): { pageBytes: number; usedBytes: number } {
  const stats = db.getStats()
  const pageBytes = Number(Reflect.get(stats, 'pageSize'))
  const usedBytes = (Number(Reflect.get(stats, 'lastPageNumber')) + 1) * pageBytes
  if (!Number.isSafeInteger(usedBytes)) throw new TypeError('lmdb does not tell the size of its file')
  return { pageBytes, usedBytes }
}

async function put(db: Db, writes: readonly EngineWrite[]): Promise<void> {
  const parts: Promise<unknown>[] = []
  const batch = db.batch(() => {
    for (const { key, value } of writes) parts.push(value === undefined ? db.remove(key) : db.put(key, value))
  })
  // A failed commit rejects each part too, and one that nobody awaits would end the process.
  await Promise.all([batch, ...parts]).catch(throwCause)
}

/** lmdb's error only says that there was one; what went wrong is a promise in it, which rejects. */
async function throwCause(error: unknown): Promise<never> {
  if (error instanceof Error && 'commitError' in error) await error.commitError
  throw error
}
