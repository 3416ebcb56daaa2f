import type { StatsRecord } from '../../core/stats/record.ts'
import type { StatsWindow } from '../../core/enum-values.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Statistics } from '../cache/statistics.ts'
import type { ApiContext } from '../context.ts'
import { type Representation, represent } from '../records/representation.ts'
import type { Handlers } from './handler.ts'

/** Reports of the statistics, made once an hour and whenever something was entered. */
export function statsHandlers({ statistics, clock }: ApiContext & { readonly statistics: Statistics }) {
  const kept = new Map<StatsWindow, { readonly moment: string; readonly text: Representation<StatsRecord> }>()
  return {
    async getStats({ query: { window = '7d' } }) {
      const now = clock.now()
      const ledger = statistics.ledger()
      // A report differs only by what was entered and by the hour.
      const moment = `${ledger.revision()} ${toTimestamp(now).slice(0, 13)}`
      const known = kept.get(window)
      if (known?.moment === moment) return { status: 200, body: known.text }
      const text = represent(ledger.report(window, now))
      kept.set(window, { moment, text })
      return { status: 200, body: text }
    },
  } satisfies Partial<Handlers>
}
