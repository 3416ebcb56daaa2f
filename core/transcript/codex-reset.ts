/**
 * When a usage limit of codex ends. The CLI (observed: 0.169.0) knows the second and tells the minute, in words and in
 * the zone of its process, for which the runner chooses UTC: `try again at 3:05 PM` of the same day, or `try again at
 * Nov 22nd, 2026 3:05 PM`. Without a time it says `try again later`.
 */
import { utcDate, utcMilliseconds } from '../time.ts'

const RESET = /\btry again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d\d) ([AP])M\b/i

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

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

/** A clock of twelve hours has no hour 0. */
function readTime(hour: number, minute: number, half = ''): { hour: number; minute: number } | undefined {
  if (hour < 1 || hour > 12 || minute > 59) return undefined
  return { hour: (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0), minute }
}
