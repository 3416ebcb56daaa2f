/** Times as people say them. All take instants of the server and the server's now, both in milliseconds. */

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
