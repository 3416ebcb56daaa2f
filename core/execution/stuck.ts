import { addMs, parseTimestamp } from '../time.ts'

/** A pod that is Terminating this long past its grace does not end by itself (specification §7.15). */
const STUCK_AFTER_MS = 5 * 60_000

/**
 * When a pod that was told to stop counts as one that never will.
 *
 * @param deletedAt its deletionTimestamp, which already lies at the end of its grace (RFC 3339)
 */
export function stuckFrom(deletedAt: string): Date {
  return addMs(parseTimestamp(deletedAt), STUCK_AFTER_MS)
}

/** Whether a pod that was told to stop must be deleted by force. */
export function isStuck(deletedAt: string, now: Date): boolean {
  return stuckFrom(deletedAt) <= now
}
