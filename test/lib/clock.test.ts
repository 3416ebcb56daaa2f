import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { systemClock } from '../../lib/clock.ts'

const DAY_MS = 86_400_000
/** What setTimeout can wait. */
const LONGEST_MS = 2 ** 31 - 1

describe('the clock of the system', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
  afterEach(() => mock.timers.reset())

  it('calls back after a month, which is more than one timer can wait, and not before', () => {
    let calls = 0
    systemClock.schedule(31 * DAY_MS, () => (calls += 1))
    mock.timers.tick(LONGEST_MS)
    mock.timers.tick(31 * DAY_MS - LONGEST_MS - 1)
    assert.equal(calls, 0)
    mock.timers.tick(1)
    assert.equal(calls, 1)
  })

  it('calls nobody back who cancelled while the second of the timers ran', () => {
    let calls = 0
    const cancel = systemClock.schedule(31 * DAY_MS, () => (calls += 1))
    mock.timers.tick(LONGEST_MS)
    cancel()
    mock.timers.tick(31 * DAY_MS)
    assert.equal(calls, 0)
  })
})
