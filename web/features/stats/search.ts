/** What the statistics show, as it stands in the URL. */
import { type StatsWindow, STATS_WINDOWS } from '../../../core/enum-values.ts'
import { type ErrorGroup, ERROR_GROUPS } from '../../../core/stats/groups.ts'

export const SPLITS = ['project', 'agent'] as const
/** By what the cost is divided. */
export type Split = (typeof SPLITS)[number]

export interface StatsSearch {
  /** Seven days where it is left out, as in REST. */
  readonly window?: StatsWindow
  /** By project where it is left out. */
  readonly by?: Split
  /** Only failures of this class. */
  readonly class?: ErrorGroup
  /** What ended on this day of UTC, `2026-11-20`. */
  readonly day?: string
}

/** The search part of an address; what is unknown, or goes without saying, is left out. */
export function parseStatsSearch(search: Readonly<Record<string, unknown>>): StatsSearch {
  const window = STATS_WINDOWS.find((each) => each === search['window'])
  const by = SPLITS.find((each) => each === search['by'])
  const group = ERROR_GROUPS.find((each) => each === search['class'])
  const day = search['day']
  return {
    ...(window === undefined || window === '7d' ? {} : { window }),
    ...(by === undefined || by === 'project' ? {} : { by }),
    ...(group === undefined ? {} : { class: group }),
    ...(typeof day === 'string' && isDay(day) ? { day } : {}),
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
