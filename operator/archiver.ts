import { countsAlone } from '../core/task/retention.ts'
import { orAborted } from '../lib/async.ts'
import { delay, uptimeOf } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { createSettledTime } from '../lib/settled-time.ts'
import { type ArchivingContext, archiveFinished, MAX_PER_PASS, removeStaleRecords } from './archiving.ts'
import { forgetArchived, MAX_FORGOTTEN } from './forgetting.ts'
import type { MetricsRecorder } from './metrics-recorder.ts'
import type { SweptNamespace } from './sweep.ts'

export interface ArchiverOptions extends Pick<ArchivingContext, 'archive' | 'retention'> {
  readonly served: readonly SweptNamespace[]
  readonly logger: Logger
  readonly recorder?: Pick<MetricsRecorder, 'archived'> | undefined
}

const PASS_MS = 60_000
/** To look through the whole archive takes longer. */
const WHOLE_ARCHIVE_MS = 600_000
/** Between passes while more waits than one pass takes. */
const NEXT_MS = 1000
/** A clock that is wrong for a shorter time makes nothing old. */
const SETTLE_MS = 3_600_000

/**
 * Archives what exceeds the limits (archiving.ts) and forgets what the archive need not keep (forgetting.ts), now and from
 * time to time, until `ended` aborts; for the operator that leads, whose caches are filled.
 */
export async function runArchiver(options: ArchiverOptions, ended: AbortSignal): Promise<void> {
  const { served, archive, retention, logger, recorder } = options
  const { clock } = served[0]?.context ?? {}
  if (clock === undefined) return
  // Records that a crash or a failure may have left beside their tasks go before anything else.
  const clean = new Set<string>()
  const cleanedAt = new Map<string, number>()
  const forgottenAt = new Map<string, number>()
  const settledTime = createSettledTime(clock, SETTLE_MS)
  while (!ended.aborted) {
    let hasMore = false
    const settled = settledTime()
    const limits = settled === undefined ? countsAlone(retention) : retention
    for (const { namespace, context } of served) {
      const how = { ...context, archive, retention: limits, judgedAt: settled ?? clock.now(), logger }
      const now = uptimeOf(clock)
      const isRecent = (times: ReadonlyMap<string, number>): boolean =>
        now - (times.get(namespace) ?? -Infinity) < WHOLE_ARCHIVE_MS
      try {
        if (!clean.has(namespace) && !isRecent(cleanedAt)) {
          await orAborted(removeStaleRecords(how, namespace, ended), ended)
          clean.add(namespace)
          cleanedAt.set(namespace, now)
        }
        const pass = await orAborted(archiveFinished(how, namespace, MAX_PER_PASS, ended), ended)
        recorder?.archived(pass)
        const { moved, failed } = pass
        if (moved.length > 0) logger.info({ namespace, tasks: moved.length }, 'finished tasks were archived')
        if (failed.length > 0) clean.delete(namespace)
        hasMore ||= moved.length === MAX_PER_PASS
        if (moved.length === 0 && isRecent(forgottenAt)) continue
        const forgotten = await orAborted(forgetArchived({ ...how, served }, namespace, MAX_FORGOTTEN, ended), ended)
        if (forgotten.length > 0) logger.info({ namespace, tasks: forgotten.length }, 'archived tasks were forgotten')
        // Without haste: by a clock that stays wrong little is lost.
        forgottenAt.set(namespace, now)
      } catch (error) {
        if (!ended.aborted) logger.warn({ namespace, error }, 'the archive cannot be read: it is tried again')
      }
    }
    await delay(clock, hasMore ? NEXT_MS : PASS_MS, ended)
  }
}
