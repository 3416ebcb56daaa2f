import type { Agent } from '../../core/crd/types.ts'
import { parseTimestamp } from '../../core/time.ts'
import type { Clock } from '../../lib/clock.ts'

/** Calls back when the agent's rate limit is over: that ends by time alone, without any change. */
export function atLimitEnd({ status }: Agent, clock: Clock, then: () => void): void {
  if (status?.rateLimitedUntil === undefined) return
  const ms = parseTimestamp(status.rateLimitedUntil).getTime() - clock.now().getTime()
  if (ms > 0) clock.schedule(ms, then)
}
