const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/** How long ago an RFC 3339 instant was, as kubectl prints ages: `15m`, `3h20m`, `2d5h`, `90d`, `1y30d`. */
export function ageOf(instant: string | undefined, now: Date): string {
  if (instant === undefined) return '<unknown>'
  const at = Date.parse(instant)
  return Number.isNaN(at) ? '<invalid>' : formatDuration(Math.floor((now.getTime() - at) / 1000))
}

/** Whole seconds in one or two units, coarser as they grow. Source: what kubectl 1.34 prints. */
export function formatDuration(seconds: number): string {
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 2 * MINUTE) return `${seconds}s`
  if (seconds < 10 * MINUTE) return two(seconds, MINUTE, 'm', 1, 's')
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`
  if (seconds < 8 * HOUR) return two(seconds, HOUR, 'h', MINUTE, 'm')
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`
  if (seconds < 8 * DAY) return two(seconds, DAY, 'd', HOUR, 'h')
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)}d`
  if (seconds < 8 * YEAR) return two(seconds, YEAR, 'y', DAY, 'd')
  return `${Math.floor(seconds / YEAR)}y`
}

function two(seconds: number, unit: number, name: string, smallUnit: number, smallName: string): string {
  const rest = Math.floor((seconds % unit) / smallUnit)
  return rest === 0 ? `${Math.floor(seconds / unit)}${name}` : `${Math.floor(seconds / unit)}${name}${rest}${smallName}`
}
