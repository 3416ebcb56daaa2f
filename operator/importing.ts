import { lstat } from 'node:fs/promises'
import { IMPORTING_PATH } from '../core/execution/layout.ts'
import { delay } from '../lib/clock.ts'
import { ifThere, safeJoin } from '../lib/files.ts'
import type { OperatorContext } from './context.ts'

/** Caches need less to hear of what was written last. */
const LOOK_MS = 2000

const IMPORT_UNDER_WAY = `an import into the data volume has not ended: finish it by the same command, slipway import (${IMPORTING_PATH} on the volume says which)`

/**
 * Waits while the mark of an import is on the volume (docs/adr/0011-backup.md): until its last write, tasks may stand
 * there without the status that says that they have run.
 *
 * @param note is told the reason for waiting, and undefined once there is none
 */
export async function untilImported(
  { volumeRoot, clock, logger }: Pick<OperatorContext, 'clock' | 'logger'> & { readonly volumeRoot: string },
  ended: AbortSignal,
  note: (reason: string | undefined) => void,
): Promise<void> {
  let hasWaited = false
  while (!ended.aborted && (await isImporting(volumeRoot))) {
    if (!hasWaited) logger.warn({ volume: volumeRoot }, IMPORT_UNDER_WAY)
    hasWaited = true
    note(IMPORT_UNDER_WAY)
    await delay(clock, LOOK_MS, ended)
  }
  // What was written last may still be on its way to the caches.
  if (hasWaited) await delay(clock, LOOK_MS, ended)
  note(undefined)
}

async function isImporting(volumeRoot: string): Promise<boolean> {
  return (await ifThere(lstat(safeJoin(volumeRoot, IMPORTING_PATH)))) !== undefined
}
