/** The one file of core that constructs a Date: RFC 3339 instants and Go durations, both ways. */

/** RFC 3339 in UTC with seconds, as Kubernetes writes metav1.Time. */
export function toTimestamp(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`
}

/**
 * RFC 3339 in UTC with microseconds, as Kubernetes writes metav1.MicroTime: for instants that put things in order, of
 * which several may lie within one second.
 */
export function toMicroTimestamp(at: Date): string {
  return `${at.toISOString().slice(0, 23)}000Z`
}

/** @throws RangeError when `text` is not an RFC 3339 instant. */
export function parseTimestamp(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || !hasItsDay(text)) throw new RangeError(`not an RFC 3339 time: ${text}`)
  return at
}

/** The same instant as {@link toTimestamp} writes it, which is how REST shows all times. @throws RangeError */
export function inWholeSeconds(text: string): string {
  return toTimestamp(parseTimestamp(text))
}

/** The end at `now` of what began at `since`: a clock that was set back meanwhile lets nothing end before it began. */
export function endTimestamp(now: Date, since: string | undefined): string {
  const at = toTimestamp(now)
  return since !== undefined && since > at ? since : at
}

/**
 * Whether `at` may be as late as `since`, both RFC 3339. Written in whole seconds it stands for any instant of its
 * second, and is not taken for the earlier one within it.
 *
 * @throws RangeError
 */
export function mayBeSince(at: string, since: string): boolean {
  const latestMs = parseTimestamp(at).getTime() + (at.includes('.') ? 0 : 999)
  return latestMs >= parseTimestamp(since).getTime()
}

/** Whether `text` is an RFC 3339 instant with a time zone, as `format: date-time` takes it. */
export function isTimestamp(text: string): boolean {
  const isShaped = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
  return isShaped && !Number.isNaN(new Date(text).getTime()) && hasItsDay(text)
}

/** Whether the month of a date has that day: `Date` takes the 30th of February for the 2nd of March. */
function hasItsDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? []
  return day === undefined || Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}

/** The first of these instants; undefined where there is none. */
export function earliest(...instants: readonly (Date | undefined)[]): Date | undefined {
  return instants.filter((at) => at !== undefined).sort((a, b) => a.getTime() - b.getTime())[0]
}

/** The instant that many milliseconds after 1970-01-01T00:00:00Z. */
export function instantAt(ms: number): Date {
  return new Date(ms)
}

export function addMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

const UNIT_MS = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000001 } as const

/** What {@link parseDuration} accepts; the CRDs use the same pattern. */
export const DURATION_PATTERN = '^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$'

/**
 * Milliseconds of a Go-style duration such as `30s` or `1h15m`.
 *
 * @throws RangeError for anything else.
 */
export function parseDuration(text: string): number {
  if (!new RegExp(DURATION_PATTERN).test(text)) throw new RangeError(`not a duration such as 30s or 1h15m: ${text}`)
  let total = 0
  for (const [, amount, unit] of text.matchAll(/([0-9.]+)(ns|us|µs|ms|s|m|h)/gy)) {
    total += Number(amount) * (isUnit(unit) ? UNIT_MS[unit] : 0)
  }
  return total
}

const SPAN = /^(?:(\d{1,6})d)?(.*)$/s

/**
 * Milliseconds of a span in a query: a duration that may begin with days, such as `7d`, `24h` or `1d12h`.
 *
 * @throws RangeError for anything else.
 */
export function parseSpan(text: string): number {
  const [, days, rest = ''] = SPAN.exec(text) ?? []
  const daysMs = Number(days ?? 0) * 24 * UNIT_MS.h
  return days !== undefined && rest === '' ? daysMs : daysMs + parseDuration(rest)
}

/** The shortest Go-style duration with whole seconds, minutes and hours; milliseconds when it is not whole seconds. */
export function formatDuration(ms: number): string {
  if (ms % 1000 !== 0) return `${ms}ms`
  const seconds = ms / 1000
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const
  return parts.flatMap(([amount, unit]) => (amount > 0 ? [`${amount}${unit}`] : [])).join('') || '0s'
}

function isUnit(text: string | undefined): text is keyof typeof UNIT_MS {
  return text !== undefined && Object.hasOwn(UNIT_MS, text)
}

/** RFC 3339 in UTC with seconds, of milliseconds since the epoch; undefined when no such instant exists, or its year has not four digits. */
export function millisecondsToTimestamp(ms: number): string | undefined {
  const at = new Date(ms)
  const year = at.getUTCFullYear()
  return year >= 0 && year <= 9999 ? toTimestamp(at) : undefined
}

/** A day of the calendar in UTC; months are counted from 1. */
export interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The day in UTC of an instant in ms since the epoch. */
export function utcDate(ms: number): CalendarDay {
  const at = new Date(ms)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() }
}

/** Ms since the epoch of a minute of the clock in UTC; undefined for a day that the calendar does not have. */
export function utcMilliseconds({
  hour,
  minute,
  ...wanted
}: CalendarDay & { readonly hour: number; readonly minute: number }): number | undefined {
  const ms = Date.UTC(wanted.year, wanted.month - 1, wanted.day, hour, minute)
  const { year, month, day } = utcDate(ms)
  return year === wanted.year && month === wanted.month && day === wanted.day ? ms : undefined
}
