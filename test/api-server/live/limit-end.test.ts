import assert from 'node:assert/strict'
import { atLimitEnd } from '../../../api-server/live/limit-end.ts'
import { anAgent } from '../../helpers/build.ts'
import { manualClock } from '../../helpers/clock.ts'

const HOUR_MS = 3_600_000

describe('the end of a rate limit', () => {
  it('is told when it comes, also of a limit of four hours, and once', async () => {
    const clock = manualClock(new Date('2026-01-01T00:00:00Z'))
    const toldAt: number[] = []
    const agent = anAgent({ status: { rateLimitedUntil: '2026-01-01T04:00:00Z' } })
    atLimitEnd(agent, clock, () => toldAt.push(clock.elapsedMs()))
    await clock.advance(5 * HOUR_MS)
    assert.deepEqual(toldAt, [4 * HOUR_MS])
  })
})
