/**
 * Reads a whole store and compares it with its checksums, in a process of its own (store-check.ts): reading a damaged file
 * may end the process that does it, by a signal or in an endless loop.
 */
import { statSync } from 'node:fs'
import { open } from 'lmdb'
import { StoreUnwritable } from './backend.ts'
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
import { requireFree } from './disk-space.ts'

/** The format of the records: 1 without checksums, as versions before 2026-12 wrote them; 2 with; 0: there are none. */
export type StoreFormat = 0 | 1 | 2

export interface StoreReport {
  readonly format: StoreFormat
  readonly records: number
  readonly revision: number
  /** What is wrong, as parts of a sentence; empty when all is whole. The first ones, if there are many. */
  readonly problems: readonly string[]
}

export const NOTHING_READ: StoreReport = { format: 0, records: 0, revision: 0, problems: [] }

/** What a scan ends with: a report, or why there is none though nothing may be wrong with the store. */
export type ScanResult = StoreReport | { readonly failure: string }

/** `read` changes nothing; `upgrade` gives a store of format 1 its checksums, all or nothing. */
export type ScanMode = 'read' | 'upgrade'

type Db = Pick<ReturnType<typeof open<string, string>>, 'get' | 'getRange'>

/** Where format 1 kept what the summary tells now. */
const REVISION_KEY = '!revision'
const MAX_PROBLEMS = 20

/** Scans a file, which must be there. */
export async function scanFile(file: string, mode: ScanMode): Promise<ScanResult> {
  try {
    return mode === 'read' ? await readFile(file) : await upgradeFile(file)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return isOfSystem(error) ? { failure: error.message } : { ...NOTHING_READ, problems: [error.message] }
  }
}

/** lmdb gives the system's errors by their numbers, and its own, which tell of the file, by negative ones. */
function isOfSystem(error: Error): boolean {
  return error instanceof StoreUnwritable || ('code' in error && typeof error.code === 'number' && error.code > 0)
}

/** With overlapping syncs, as stores of format 1 were written: after a power cut only so the newest whole state is found. */
function openAsWritten(file: string) {
  return open<string, string>({ path: file, noSubdir: true, encoding: 'string', compression: true })
}

async function readFile(file: string): Promise<StoreReport> {
  const db = open<string, string>({ path: file, noSubdir: true, encoding: 'string', compression: true, readOnly: true })
  // Without a pause, so it is one snapshot, also of a store in use.
  const report = scan(db)
  await db.close()
  return report
}

async function upgradeFile(file: string): Promise<StoreReport> {
  requireFree(file, 2 * statSync(file).size)
  const db = openAsWritten(file)
  const found = scan(db)
  if (found.format === 1 && found.problems.length === 0) db.transactionSync(() => sealRecords(db, found.revision))
  await db.close()
  return found
}

function sealRecords(db: ReturnType<typeof openAsWritten>, revision: number): void {
  // Another process may have been faster, such as the one that a server killed meanwhile had started.
  if (db.get(SUMMARY_KEY) !== undefined) return
  let summary: Summary = { ...EMPTY_SUMMARY, revision }
  for (const key of [...db.getKeys()].filter((name) => name !== REVISION_KEY)) {
    const stored = seal(key, db.get(key) ?? '')
    summary = replaceRecord(summary, undefined, stored)
    db.putSync(key, stored)
  }
  db.removeSync(REVISION_KEY)
  db.putSync(SUMMARY_KEY, seal(SUMMARY_KEY, formatSummary(summary)))
}

/** One problem per record at most, and one for the whole. */
function scan(db: Db): StoreReport {
  const problems: string[] = []
  const sealed = db.get(SUMMARY_KEY)
  const text = sealed === undefined ? undefined : unseal(SUMMARY_KEY, sealed)
  const summary = text === undefined ? undefined : parseSummary(text)
  if (sealed !== undefined && summary === undefined) problems.push('its summary is not what was written')
  const revision = db.get(REVISION_KEY)
  const format = sealed !== undefined ? 2 : revision !== undefined ? 1 : 0
  const found = scanRecords(db, format === 2 ? isSealed : isPlain, problems)
  if (format === 0 && found.records > 0) problems.push('it does not say what it holds')
  if (summary !== undefined && problems.length === 0 && !isSame(summary, found)) {
    problems.push(`it holds ${found.records} records where ${summary.records} were written, or other ones`)
  }
  return { format, records: found.records, revision: summary?.revision ?? Number(revision ?? 0), problems }
}

function scanRecords(db: Db, isWhole: (key: string, stored: string) => boolean, problems: string[]): Summary {
  let summary = EMPTY_SUMMARY
  let before = Buffer.alloc(0)
  for (const { key, value } of db.getRange({})) {
    const bytes = Buffer.from(key)
    if (Buffer.compare(before, bytes) >= 0) {
      // Where pages lead in a circle there is no end.
      problems.push(`its records are out of order at ${JSON.stringify(key)}`)
      break
    }
    before = bytes
    if (key === SUMMARY_KEY || key === REVISION_KEY) continue
    // What cannot be unpacked is read as nothing.
    const stored: string | undefined = value
    summary = replaceRecord(summary, undefined, stored ?? '')
    if (stored !== undefined && isWhole(key, stored)) continue
    if (problems.push(`${JSON.stringify(key)} is not what was written`) >= MAX_PROBLEMS) break
  }
  return summary
}

function isSame(written: Summary, found: Summary): boolean {
  return written.records === found.records && written.digest === found.digest
}

function isSealed(key: string, stored: string): boolean {
  return unseal(key, stored) !== undefined
}

/** As much as can be told without a checksum: a revision and a JSON text. */
function isPlain(_key: string, stored: string): boolean {
  const [, json] = /^\d+ (\{.*)$/s.exec(stored) ?? []
  if (json === undefined) return false
  try {
    JSON.parse(json)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
