import type { Agent } from '../../core/crd/types.ts'
import { parseTimestamp } from '../../core/time.ts'
import type { Clock } from '../../lib/clock.ts'

/** Beyond 2³¹ ms a timer fires at once; an hour is enough to look again. */
const LONGEST_TIMER_MS = 3_600_000

/** Calls back when the agent's rate limit is over, or in an hour: that ends by time alone, without any change. */
export function atLimitEnd({ status }: Agent, clock: Clock, then: () => void): void {
  if (status?.rateLimitedUntil === undefined) return
  const ms = parseTimestamp(status.rateLimitedUntil).getTime() - clock.now().getTime()
  if (ms > 0) clock.schedule(Math.min(ms, LONGEST_TIMER_MS), then)
}
