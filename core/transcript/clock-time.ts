/** What the words share in which agents' programs tell a time of day. */

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS

/** @param half `a` or `p`, for AM and PM; a clock of twelve hours has no hour 0 */
export function readTime(hour: number, minute: number, half = ''): { hour: number; minute: number } | undefined {
  if (hour < 1 || hour > 12 || minute > 59) return undefined
  return { hour: (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0), minute }
}
