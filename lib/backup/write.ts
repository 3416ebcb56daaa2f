import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { firstOf } from '../async.ts'
import { type Entry, sealEntry } from './format.ts'

export interface BackupWriter {
  /** Waits while the sink takes no more: what is not written yet is bounded. */
  add(entry: Entry): Promise<void>
  /** Resolves when the sink has taken everything. */
  end(): Promise<void>
  /** Gives up; the sink is closed. */
  abort(): Promise<void>
}

/** Writes a backup to `sink`, entry by entry. Rejects with what the sink fails with, such as ENOSPC. */
export function writeBackup(sink: Writable): BackupWriter {
  const gzip = createGzip()
  let failure: unknown
  const piping = pipeline(gzip, sink).catch((error: unknown) => (failure = error))
  let sha256 = ''
  const check = (): void => {
    if (failure !== undefined) throw failure
  }
  return {
    async add(entry) {
      check()
      const sealed = sealEntry(sha256, entry)
      sha256 = sealed.sha256
      // A sink that fails destroys the stream, which then drains no more.
      if (!gzip.write(`${sealed.line}\n`) && !gzip.closed) await firstOf(gzip, 'drain', 'close')
      if (gzip.destroyed) await piping
      check()
    },
    async end() {
      gzip.end()
      await piping
      check()
    },
    async abort() {
      gzip.destroy()
      await piping
    },
  }
}
