import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from './fs-errors.ts'
import { StoreError } from './backend.ts'
import type { Store } from './backend.ts'
import { openDiskEngine } from './disk.ts'
import { lockFolder } from './lock.ts'
import { openStore } from './store.ts'

/** Raised when a folder written by this version can no longer be read by the one before. */
const FORMAT = 1

export interface OpenFolder {
  readonly store: Store
  close(): Promise<void>
}

/**
 * Opens the store in a folder and holds the folder for this process.
 *
 * @throws StoreError when another process holds it, or when a newer version wrote it
 */
export function openFolder(folder: string): OpenFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(folder)
  try {
    checkFormat(folder)
    const file = join(folder, 'objects.mdb')
    const store = openStore(openDiskEngine(file))
    for (const name of [file, `${file}-lock`]) chmodSync(name, 0o600)
    const close = async (): Promise<void> => {
      await store.close()
      unlock()
    }
    return { store, close }
  } catch (error) {
    unlock()
    throw error
  }
}

function checkFormat(folder: string): void {
  const file = join(folder, 'format')
  const text = readIfPresent(file)
  if (text === undefined) {
    writeFileSync(file, `${FORMAT}\n`, { mode: 0o600 })
    return
  }
  const format = Number(text.trim())
  if (format === FORMAT) return
  throw new StoreError(
    Number.isInteger(format) && format > FORMAT
      ? `the store in ${folder} was written by a newer version (format ${format}, this version reads ${FORMAT}): use that version, or another folder`
      : `${file} does not hold a format number: ${JSON.stringify(text.slice(0, 20))}`,
  )
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
