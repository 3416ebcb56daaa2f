/**
 * When a usage limit of codex ends. The CLI (observed: 0.169.0) knows the second and tells the minute, in words and in
 * the zone of its process, for which the runner chooses UTC: `try again at 3:05 PM` of the same day, or `try again at
 * Nov 22nd, 2026 3:05 PM`. Without a time it says `try again later`.
 */
import { utcDate, utcMilliseconds } from '../time.ts'
import { DAY_MS, MINUTE_MS, MONTHS, readTime } from './clock-time.ts'

const RESET = /\btry again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d\d) ([AP])M\b/i

/** Longer than from the CLI's words to its end: a time of yesterday can only be of so late yesterday. */
const SLACK_MS = 2 * MINUTE_MS

/**
 * The end of the minute that the text names: the first moment at which the limit is surely over.
 *
 * @param said ms since the epoch at which the CLI ended; it said so shortly before
 * @returns ms since the epoch; undefined when the text names no time
 */
export function findCodexReset(text: string, said: number): number | undefined {
  const [whole, month, day, year, hour, minute, half] = RESET.exec(text) ?? []
  if (whole === undefined) return undefined
  const time = readTime(Number(hour), Number(minute), half)
  if (time === undefined) return undefined
  const date =
    month === undefined ? utcDate(said) : { year: Number(year), month: MONTHS.indexOf(month) + 1, day: Number(day) }
  const start = utcMilliseconds({ ...date, ...time })
  if (start === undefined) return undefined
  const end = start + MINUTE_MS
  const isOfYesterday = month === undefined && end - DAY_MS >= said - SLACK_MS
  return isOfYesterday ? end - DAY_MS : end
}
