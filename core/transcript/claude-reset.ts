/**
 * When a usage limit of claude ends, as its own text says it, for versions and gateways that send no rate_limit_event:
 * `resets 10:19am (UTC)`, `resets 1am (UTC)`, `resets Nov 23, 4:52pm (UTC)`, and `…usage limit reached|1795303124` in
 * seconds since the epoch. The zone is that of its process; only UTC, which pods have, is read.
 */
import { utcDate, utcMilliseconds } from '../time.ts'
import { DAY_MS, MINUTE_MS, MONTHS, readTime } from './clock-time.ts'

const EPOCH = /limit reached\|(\d{10})\b/i
const RESET = /\bresets (?:([A-Z][a-z]{2}) (\d{1,2}), )?(\d{1,2})(?::(\d\d))?([ap])m \(UTC\)/i

/**
 * The end of the minute that the text names: the first moment at which the limit is surely over.
 *
 * @param said ms since the epoch at which the CLI ended; it said so shortly before
 * @returns ms since the epoch; undefined when the text names no time
 */
export function findClaudeReset(text: string, said: number): number | undefined {
  const [, epoch] = EPOCH.exec(text) ?? []
  if (epoch !== undefined) return Number(epoch) * 1000
  const [whole, month, day, hour, minute = '0', half] = RESET.exec(text) ?? []
  const time = whole === undefined ? undefined : readTime(Number(hour), Number(minute), half)
  if (time === undefined) return undefined
  const today = utcDate(said)
  const days =
    month === undefined
      ? [today, utcDate(said + DAY_MS)]
      : [0, 1].map((years) => ({ year: today.year + years, month: MONTHS.indexOf(month) + 1, day: Number(day) }))
  const ends = days.flatMap((date) => utcMilliseconds({ ...date, ...time }) ?? []).map((start) => start + MINUTE_MS)
  // It names no year, and no day that is less than a day away.
  return ends.find((end) => end >= said)
}
