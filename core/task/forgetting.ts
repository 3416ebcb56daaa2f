/**
 * Which records leave the archive for good (specification §14.3). Pure: the time is passed in.
 *
 * A record is as old as its file says, which is the end of its last execution, within the month in which it was archived:
 * a task that was restored and archived again does not go at once, and a copy that lost the times of its files keeps the
 * order. So no record of a month is newer than one of the next, and most months are decided by how many they have: times
 * are needed of two at most, whatever the archive holds.
 */
import { instantAt, parseTimestamp, toTimestamp } from '../time.ts'
import type { RetentionLimit } from './retention.ts'

/** The records of one namespace and month, each by its task's name. */
export interface ArchivedMonth {
  /** `2026-11` */
  readonly month: string
  readonly names: readonly string[]
}

/** A month from which something goes. */
export interface DueMonth extends ArchivedMonth {
  /** So many are beyond the limit: the oldest. */
  readonly surplus: number
  /** Those from before then go too; milliseconds since 1970. */
  readonly cutoffMs: number
  /** Whether every record goes: then nobody has to look at their times. */
  readonly isWhole: boolean
}

/** A record with the time of its file; undefined when it is gone. */
export interface DatedRecord {
  readonly name: string
  readonly endedAt: Date | undefined
}

/** The months from which something may go, the oldest first. @param months in any order */
export function findDueMonths(
  months: readonly ArchivedMonth[],
  { ageMs, count }: RetentionLimit,
  now: Date,
): readonly DueMonth[] {
  const cutoffMs = now.getTime() - ageMs
  let newer = 0
  return months
    .toSorted((a, b) => (a.month < b.month ? 1 : -1))
    .map(({ month, names }) => {
      const surplus = Math.min(names.length, Math.max(0, newer + names.length - count))
      newer += names.length
      return { month, names, surplus, cutoffMs, isWhole: surplus === names.length || spanOf(month).endMs <= cutoffMs }
    })
    .filter(({ month, surplus }) => surplus > 0 || spanOf(month).startMs < cutoffMs)
    .toReversed()
}

/**
 * The oldest `max` of some records of a month, the oldest first. Those of a whole month are found by and by, so that few
 * are held and put in order at a time.
 */
export function findOldest(month: string, records: readonly DatedRecord[], max: number): readonly DatedRecord[] {
  return dateWithin(month, records).slice(0, max)
}

/** The names to forget among the oldest records of a month, oldest first. */
export function findForgettable({ month, surplus, cutoffMs }: DueMonth, oldest: readonly DatedRecord[]): string[] {
  return dateWithin(month, oldest)
    .filter(({ at }, i) => i < surplus || at < cutoffMs)
    .map(({ name }) => name)
}

/** The oldest first, each with the time by which it is judged. */
function dateWithin(month: string, records: readonly DatedRecord[]): (DatedRecord & { readonly at: number })[] {
  const { startMs, endMs } = spanOf(month)
  return records
    .flatMap(({ name, endedAt }) =>
      endedAt === undefined ? [] : [{ name, endedAt, at: Math.min(endMs, Math.max(startMs, endedAt.getTime())) }],
    )
    .toSorted((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
}

function spanOf(month: string): { readonly startMs: number; readonly endMs: number } {
  const start = parseTimestamp(`${month}-01T00:00:00Z`)
  // 31 days after its first day it is the next month, whichever month it is, but not yet the one after that.
  const next = toTimestamp(instantAt(start.getTime() + 31 * 86_400_000)).slice(0, 7)
  return { startMs: start.getTime(), endMs: parseTimestamp(`${next}-01T00:00:00Z`).getTime() - 1 }
}
