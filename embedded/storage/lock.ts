import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasErrorCode } from '../../lib/files.ts'
import { isProcessAlive, readStat } from '../../lib/process-state.ts'
import { StoreError, StoreHeld } from './backend.ts'

/** Who holds a folder: the process, and when it started, because process ids are used again. */
interface Holder {
  readonly pid: number
  readonly startTime: string | undefined
}

const ATTEMPTS = 5

/**
 * Takes the lock file of a folder for this process; the returned function gives it back.
 *
 * The file appears complete and at once (link of a finished one), so nobody reads half of it. A lock whose process
 * is gone, as after kill -9, or ended and not yet waited for, is moved away and taken over.
 *
 * @throws StoreHeld naming the process that holds it
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock')
  const own = `${file}.${process.pid}`
  const text = `${process.pid} ${readStat(process.pid)?.startTime ?? ''}\n`
  try {
    writeFileSync(own, text, { mode: 0o600 })
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (link(own, file)) return () => release(file, text)
      const found = readIfPresent(file)
      if (found === undefined) continue
      const holder = parseHolder(found)
      if (holder !== undefined && isProcessAlive(holder.pid, holder.startTime)) throw new StoreHeld(folder, holder.pid)
      moveStale(file, found)
    }
    throw new StoreError(`the lock ${file} keeps changing hands; is more than one server starting on this folder?`)
  } catch (error) {
    if (hasErrorCode(error, 'EISDIR'))
      throw new StoreError(`the lock ${file} is a folder: remove it, or use another folder`, { cause: error })
    if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT')) throw error
    throw new StoreError(`the store in ${folder} cannot be used: no space is left on its disk; free some space`, {
      cause: error,
    })
  } finally {
    rmSync(own, { force: true })
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Undefined where there is no such file. */
export function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function parseHolder(text: string): Holder | undefined {
  const [, pid, startTime = ''] = /^(\d+) (\d*)\n$/.exec(text) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), startTime: startTime === '' ? undefined : startTime }
}

/** Moves the stale lock away; if another process has replaced it meanwhile, gives that one its lock back. */
function moveStale(file: string, stale: string): void {
  const moved = `${file}.stale.${process.pid}`
  try {
    renameSync(file, moved)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return
    throw error
  }
  if (readIfPresent(moved) !== stale) link(moved, file)
  unlinkSync(moved)
}

function release(file: string, text: string): void {
  if (readIfPresent(file) === text) rmSync(file, { force: true })
}
