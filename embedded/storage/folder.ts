import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasErrorCode, writeFileAtomic } from '../../lib/files.ts'
import { type Engine, type Store, StoreDamaged, StoreError } from './backend.ts'
import { openDiskEngine } from './disk.ts'
import { requireWhole, inspectFile } from './inspect.ts'
import { lockFolder, readIfPresent } from './lock.ts'
import { type StoreReport, NOTHING_READ } from './scan.ts'
import type { OnWritable } from './disk-space.ts'
import { openStore } from './store.ts'

/** Raised when a folder written by this version can no longer be read by the one before. */
const FORMAT = 2

export interface FolderOptions {
  /** Told when the store takes no more writes, and when it does again. */
  readonly onWritable?: OnWritable
}

export interface OpenFolder {
  readonly store: Store
  close(): Promise<void>
}

/**
 * Opens the store in a folder and holds the folder for this process. A store that was not closed as it should be, or was
 * touched since, is read as a whole before, by another process.
 *
 * @throws StoreError when another process holds it, or when a newer version wrote it
 * @throws StoreDamaged when it is not what was written
 */
export async function openFolder(folder: string, options: FolderOptions = {}): Promise<OpenFolder> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(folder)
  try {
    const engine = await openEngine(folder, options)
    const store = openStore(engine)
    const close = async (): Promise<void> => {
      await store.close()
      markClean(folder, engine.revision)
      unlock()
    }
    return { store, close }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Reads the store in a folder as a whole, also while a server uses it; changes nothing.
 *
 * @throws StoreError when there is none
 */
export async function checkFolder(folder: string): Promise<StoreReport> {
  const file = fileOf(folder)
  const format = readFormat(folder)
  if (sizeOf(file) > 0) return inspectFile(file, 'read')
  if (format === undefined) throw new StoreError(`there is no store in ${folder}: name another folder with --data-dir`)
  return { ...NOTHING_READ, problems: [GONE] }
}

const GONE = 'it is empty or missing, and was not before'

async function openEngine(folder: string, { onWritable }: FolderOptions): Promise<Engine> {
  const file = fileOf(folder)
  const isNew = await prepare(folder)
  const closedAt = readCleanRevision(folder)
  const engine = openDiskEngine(file, { create: isNew, ...(onWritable === undefined ? {} : { onWritable }) })
  for (const name of [file, `${file}-lock`]) chmodSync(name, 0o600)
  if (isNew) await engine.commit(0, [])
  // Last of all: where this file is, a store without content is a store that lost it.
  if (readFormat(folder) !== FORMAT) await writeFileAtomic(join(folder, 'format'), `${FORMAT}\n`, 0o600)
  if (closedAt !== undefined && closedAt !== engine.revision) {
    await engine.close()
    throw new StoreDamaged(file, `it is at revision ${engine.revision} and was at ${closedAt}`)
  }
  rmSync(join(folder, 'clean'), { force: true })
  return engine
}

/** Sees to it that the store can be opened; says whether there is none yet. */
async function prepare(folder: string): Promise<boolean> {
  const file = fileOf(folder)
  const format = readFormat(folder)
  if (sizeOf(file) === 0) {
    if (format === undefined) return true
    throw new StoreDamaged(file, GONE)
  }
  if (format === FORMAT && readCleanRevision(folder) !== undefined) return false
  const report = await inspectFile(file, format === FORMAT ? 'read' : 'upgrade')
  requireWhole(file, report)
  if (report.format > 0) return false
  if (format === undefined) return true
  throw new StoreDamaged(file, GONE)
}

/** The one file with all objects. */
export function fileOf(folder: string): string {
  return join(folder, 'objects.mdb')
}

/** 0 when there is no file. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function readFormat(folder: string): number | undefined {
  const file = join(folder, 'format')
  const text = readIfPresent(file)
  if (text === undefined) return undefined
  const format = Number(text.trim())
  if (Number.isInteger(format) && format >= 1 && format <= FORMAT) return format
  throw new StoreError(
    Number.isInteger(format) && format > FORMAT
      ? `the store in ${folder} was written by a newer version (format ${format}, this version reads ${FORMAT}): use that version, or another folder`
      : `${file} does not hold a format number: ${JSON.stringify(text.slice(0, 20))}`,
  )
}

/** Size and time of the file, as it was closed: whatever touches it later leaves others. */
function stateOf(file: string): string | undefined {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? undefined : `${stat.size} ${stat.mtimeNs}`
}

/** Notes that the store was closed. Without the note the next start reads it as a whole, so it may fail. */
function markClean(folder: string, revision: number): void {
  const state = stateOf(fileOf(folder))
  if (state === undefined) return
  try {
    writeFileSync(join(folder, 'clean'), `${state} ${revision}\n`, { mode: 0o600 })
  } catch (error) {
    if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO')) throw error
  }
}

/** The revision at which the store was closed; undefined when it was not, or has been touched since. */
function readCleanRevision(folder: string): number | undefined {
  const text = readIfPresent(join(folder, 'clean')) ?? ''
  const [, state, revision] = /^(\d+ \d+) (\d+)\n$/.exec(text) ?? []
  return state !== undefined && state === stateOf(fileOf(folder)) ? Number(revision) : undefined
}
