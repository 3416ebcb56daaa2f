/** The URL of the server that uses a data folder, for who starts a second one there. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { StoreHeld } from '../embedded/storage/backend.ts'
import { ifThere, writeFileAtomic } from '../lib/files.ts'

const fileOf = (dataDir: string): string => join(dataDir, 'serving')

/** Notes where this process serves; the returned function takes the note away. */
export async function noteServing(dataDir: string, url: string): Promise<() => Promise<void>> {
  const file = fileOf(dataDir)
  await writeFileAtomic(file, `${process.pid} ${url}\n`, 0o600)
  return () => rm(file, { force: true })
}

/** The error of a start, with the URL of the server that holds the data folder. A note of a process that is gone is not believed. */
export async function explainHeld(error: unknown, dataDir: string): Promise<unknown> {
  if (!(error instanceof StoreHeld)) return error
  const [, pid, url] = /^(\d+) (\S+)\n$/.exec((await ifThere(readFile(fileOf(dataDir), 'utf8'))) ?? '') ?? []
  if (url === undefined || Number(pid) !== error.pid) return error
  return new Error(`Slipway already serves ${url}: ${error.message}`, { cause: error })
}
