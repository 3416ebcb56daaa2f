/**
 * What the log says while the API server is out of reach: a line when it goes, one a minute while it stays away, and
 * one when it is back, however many informers try, and however often.
 */
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'

/** Shared by the informers of one process. */
export interface OutageLog {
  failed(kind: string, error: unknown): void
  recovered(kind: string): void
}

const REPEAT_MS = 60_000

/** All is well so far. */
export function createOutageLog(clock: Clock, logger: Logger): OutageLog {
  const failing = new Set<string>()
  let attempts = 0
  let saidAt: number | undefined
  return {
    failed(kind, error) {
      failing.add(kind)
      attempts += 1
      const now = clock.now().getTime()
      if (saidAt !== undefined && now - saidAt < REPEAT_MS) return
      saidAt = now
      logger.warn({ error, kinds: [...failing], attempts }, 'the API server cannot be watched, trying again')
    },
    recovered(kind) {
      if (!failing.delete(kind) || failing.size > 0) return
      logger.info({ attempts }, 'the API server is watched again')
      attempts = 0
      // Not saidAt: one that comes and goes every second is worth a line a minute too.
    },
  }
}
