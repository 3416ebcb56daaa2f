/** How long to wait before the next attempt to connect: longer each time, and never at once with all other pages. */

const FIRST_MS = 500
const LONGEST_MS = 20_000

/**
 * Milliseconds before the attempt after `failures` failed ones (1 for the first).
 *
 * @param random from 0 to below 1; half of the delay is left to it, so that a restarted server is not met by all at once
 */
export function reconnectDelay(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(16, Math.max(0, failures - 1)))
  return Math.round(longest * (0.5 + random / 2))
}
