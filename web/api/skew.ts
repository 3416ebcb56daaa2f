/** The server's header is in whole seconds, and an answer takes a while: less than this is no difference of clocks. */
const NOTICEABLE_MS = 2_000

/**
 * By how many milliseconds the server's clock is ahead of this machine's, as one answer tells; 0 where they agree.
 *
 * @param date the header `Date` of the answer (RFC 9110 §6.6.1)
 */
export function skewFrom(date: string | null, nowMs: number): number {
  const serverMs = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(serverMs)) return 0
  const aheadMs = serverMs - nowMs
  return Math.abs(aheadMs) < NOTICEABLE_MS ? 0 : aheadMs
}
