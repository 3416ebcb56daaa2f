/**
 * Feeds the statistics: executions as the cache hears of them, and those of the archive, so that a task counts the same
 * before and after it was archived (specification §14.4). No request looks at them all, but the first one behind a clock
 * that was a day or more ahead: what was dropped by it is entered again.
 */
import type { Execution } from '../../core/crd/types.ts'
import { taskOfExecution } from '../../core/execution/state.ts'
import { toStatsEntry } from '../../core/stats/entry.ts'
import { type StatsLedger, createStatsLedger } from '../../core/stats/ledger.ts'
import { reachOf } from '../../core/stats/report.ts'
import { addMs, instantAt, toTimestamp } from '../../core/time.ts'
import { subjectOf } from '../../kube/cache.ts'
import type { Archive } from '../../lib/archive/archive.ts'
import { createAutoResetEvent } from '../../lib/async.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import type { Caches } from './caches.ts'

/** A clock that is set right by less, which may be over midnight, is no clock that was wrong. */
const MAX_SETBACK_MS = 3_600_000
const RETRY_MS = 60_000

export interface StatisticsOptions {
  readonly caches: Pick<Caches, 'executions'>
  readonly archive: Archive
  readonly namespace: string
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn'>
}

export interface Statistics {
  /** To report from now on. */
  ledger(): StatsLedger
  /** Enters what the archive has, once the caches are filled, and again as often as that is needed, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>
}

/** Statistics that follow the cache from now on. */
export function createStatistics({ caches, archive, namespace, clock, logger }: StatisticsOptions): Statistics {
  const ledger = createStatsLedger()
  /** When executions ended that were entered from the archive, by their names; the ledger has what they add. */
  const archived = new Map<string, number>()
  let reach = -Infinity
  const isArchiveDue = createAutoResetEvent(clock)

  /** Once a day there is something to drop. */
  const forgetOld = (): void => {
    const now = clock.now()
    if (reachOf(now) <= reach) return
    reach = reachOf(now)
    ledger.forget(now)
    for (const [name, endedAtMs] of archived) if (endedAtMs < reach) archived.delete(name)
  }

  /** Not within a change, which the cache has before the ledger. */
  const enterAgain = (): void => {
    reach = -Infinity
    archived.clear()
    ledger.clear()
    forgetOld()
    for (const object of caches.executions.informer.list(namespace)) ledger.enter({ object })
    isArchiveDue.set()
  }

  const enterArchived = (execution: Execution): void => {
    const { name } = execution.metadata
    const live = caches.executions.find(name)
    if (archived.has(name) || (live !== undefined && toStatsEntry(live) !== undefined)) return
    const entry = toStatsEntry(execution)
    if (entry === undefined || entry.endedAtMs < reach) return
    archived.set(name, entry.endedAtMs)
    ledger.enter({ object: execution })
  }
  const enterTask = async (task: string, execution?: string): Promise<void> => {
    try {
      const { executions = [] } = (await archive.find(namespace, task)) ?? {}
      for (const one of executions) if (execution === undefined || one.metadata.name === execution) enterArchived(one)
    } catch (error) {
      logger.warn({ namespace, task, error }, 'an archived task could not be read: it is missing in the statistics')
    }
  }
  caches.executions.informer.onChange((change) => {
    forgetOld()
    const previous = change.type === 'add' ? undefined : change.previous
    const object = change.type === 'delete' ? undefined : change.object
    const { name } = subjectOf(change).metadata
    // A restored one is made without a status, and has it a moment later.
    if (object !== undefined && archived.has(name) && toStatsEntry(object) !== undefined) {
      archived.delete(name)
      ledger.enter({ previous: object })
    }
    ledger.enter({ previous, object })
    if (change.type === 'delete') void enterTask(taskOfExecution(name), name)
  })
  const readArchive = async (signal: AbortSignal): Promise<void> => {
    forgetOld()
    const since = instantAt(reach)
    for (const month of await archive.months(namespace)) {
      // What ended since then was archived since then.
      if (month < toTimestamp(since).slice(0, 7)) return
      for (const name of await archive.names(namespace, month)) {
        if (signal.aborted) return
        const endedAt = await archive.endedAt(namespace, month, name)
        if (endedAt !== undefined && endedAt >= since) await enterTask(name)
      }
    }
  }
  return {
    ledger() {
      if (reachOf(addMs(clock.now(), MAX_SETBACK_MS)) < reach) enterAgain()
      return ledger
    },
    async run(signal) {
      signal.addEventListener('abort', () => isArchiveDue.close(), { once: true })
      while (!signal.aborted) {
        try {
          await readArchive(signal)
          await isArchiveDue.wait()
        } catch (error) {
          logger.warn({ namespace, error }, 'the archive cannot be read for the statistics: it is tried again')
          await isArchiveDue.wait(RETRY_MS)
        }
      }
    },
  }
}
