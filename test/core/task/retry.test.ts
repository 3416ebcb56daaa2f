import assert from 'node:assert/strict'
import type { ExecutionStatus } from '../../../core/crd/types.ts'
import { findResumeAfter } from '../../../core/task/retry.ts'
import { addMs, parseTimestamp, toTimestamp } from '../../../core/time.ts'
import { aTask, anAgent, anExecution, text } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')
const MINUTE_MS = 60_000

/** Minutes until the next automatic attempt; undefined: there is none. */
function minutesTo(attempts: number, category: 'rate_limit' | 'lost' | 'failed', more: ExecutionStatus = {}) {
  const status = { state: 'FAILED', error: { category, message: text('overloaded') }, ...more } as const
  const task = aTask({ spec: { maxAttempts: 8 }, status: { state: 'RUNNING', attempts } })
  const at = findResumeAfter({ task, execution: anExecution({ status }), agent: anAgent(), now })
  return at === undefined ? undefined : (parseTimestamp(at).getTime() - now.getTime()) / MINUTE_MS
}

describe('the next automatic attempt', () => {
  it('waits 1, 2, 4, 8 and 15 minutes in an outage, and 15 from then on, until attempts are used up', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 7, 8].map((attempts) => minutesTo(attempts, 'rate_limit')),
      [1, 2, 4, 8, 15, 15, 15, undefined],
    )
  })

  it('waits as long as the provider asks, where that is longer', () => {
    const resumeAfter = toTimestamp(addMs(now, 5 * MINUTE_MS))
    assert.deepEqual([minutesTo(0, 'rate_limit', { resumeAfter }), minutesTo(3, 'rate_limit', { resumeAfter })], [5, 8])
  })

  it('counts no attempt that met the outage after it had worked', () => {
    assert.equal(minutesTo(3, 'rate_limit', { costUSD: 0.1 }), 4)
    assert.equal(minutesTo(8, 'rate_limit', { costUSD: 0.1 }), 15)
  })

  it('comes at once, then after half a minute and 2 minutes, of what was lost, and never of what failed', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((attempts) => minutesTo(attempts, 'lost')),
      [0, 0.5, 2, 2],
    )
    assert.equal(minutesTo(0, 'failed'), undefined)
  })
})
