import { watch } from 'node:fs'
import type { Clock } from '../../lib/clock.ts'

/** A reader's bell: rung by whatever may have made something new, heard once however often it rang. */
export interface Wakeup {
  ring(): void
  /** Resolves at the next ring, or after `ms`; at once when it rang since the last wait or has been closed. */
  wait(ms: number): Promise<void>
  close(): void
}

export function createWakeup(clock: Clock): Wakeup {
  let hasRung = false
  let isClosed = false
  let wake: (() => void) | undefined
  const ring = (): void => {
    hasRung = true
    wake?.()
  }
  return {
    ring,
    async wait(ms) {
      if (!hasRung && !isClosed) {
        await new Promise<void>((resolve) => {
          const cancel = clock.schedule(ms, resolve)
          wake = () => {
            cancel()
            resolve()
          }
        })
      }
      wake = undefined
      hasRung = false
    },
    close() {
      isClosed = true
      wake?.()
    },
  }
}

/**
 * Rings when something changes in a folder, as far as the system tells: a hint that shortens the wait, never the
 * only way to notice (network file systems tell nothing, and the number of watches is limited).
 *
 * @returns what ends the watch; undefined where none could be made (yet)
 */
export function watchFolder(path: string, ring: () => void): (() => void) | undefined {
  try {
    const watcher = watch(path, { persistent: false }, ring)
    const close = (): void => watcher.close()
    watcher.on('error', close)
    return close
  } catch (error) {
    // ENOENT before the first output, ENOSPC and EMFILE when watches run out: polling goes on.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
