/** Times as people say them. All take instants of the server and the server's now, both in milliseconds. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long something has taken or takes: `42 s`, `4:12`, `1 h 5 min`, `3 d`. */
export function formatSpan(ms: number): string {
  const whole = Math.max(0, ms)
  if (whole < MINUTE) return `${Math.floor(whole / 1_000)} s`
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}:${pad(Math.floor((whole % MINUTE) / 1_000))}`
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`
  return `${Math.floor(whole / DAY)} d`
}

/** How long ago: `just now`, `18 min`, `2 h`, `yesterday`, `5 d`. */
export function formatAge(ms: number): string {
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`
  return ms < 2 * DAY ? 'yesterday' : `${Math.floor(ms / DAY)} d`
}

/** The clock time of an instant, with its day where that is not today. */
export function formatClock(atMs: number, nowMs: number): string {
  const at = new Date(atMs)
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}`
  const isToday = at.toDateString() === new Date(nowMs).toDateString()
  return isToday ? time : `${at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })} ${time}`
}

/** Made once: to make one takes longer than to render the row that shows it. */
const INSTANT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** In full, for a title. */
export function formatInstant(at: string): string {
  return INSTANT.format(new Date(at))
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
