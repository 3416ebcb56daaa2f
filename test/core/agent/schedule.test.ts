import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { lineUp } from '../../../core/agent/line.ts'
import type { AgentLoad } from '../../../core/agent/schedule.ts'
import { nextToStart } from '../../../core/agent/schedule.ts'
import type { AgentStatus, Task } from '../../../core/crd/types.ts'
import { aTask, anAgent } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

function queued(name: string, priority = 0, queuedAt = '2026-03-01T09:00:00Z'): Task {
  return aTask({ name, spec: { priority }, status: { state: 'QUEUED', queuedAt } })
}

function load(parts: Partial<AgentLoad> & { queued?: Task[]; slots?: number; status?: AgentStatus }): AgentLoad {
  const { queued = [], slots = 1, status, ...rest } = parts
  const agent = anAgent({ spec: { maxConcurrent: slots }, ...(status === undefined ? {} : { status }) })
  return { agent, now, line: lineUp(queued), holders: [], ...rest }
}

describe('the queue of an agent', () => {
  it('starts the lowest priority first, then who has waited longest', () => {
    const tasks = [
      queued('late', 0, '2026-03-01T09:30:00Z'),
      queued('early'),
      queued('urgent', -5, '2026-03-01T09:59:00Z'),
    ]
    const starts = nextToStart(load({ queued: tasks, slots: 3 }))
    assert.deepEqual(
      starts.map(({ task }) => task),
      ['urgent', 'early', 'late'],
    )
  })

  it('goes on with a start that was interrupted, in the slot it already holds', () => {
    const holders = [{ slot: 1, execution: 'behind-1', task: 'behind' }]
    const starts = nextToStart(load({ queued: [queued('first', -1), queued('behind')], holders }))
    assert.deepEqual(starts, [{ task: 'behind', slot: 1 }])
  })

  it('does not look at the line of an agent whose slots are all held', () => {
    const holders = [{ slot: 1, execution: 'x-1', task: 'x', isStarting: false }]
    const busy = load({ holders })
    Object.defineProperty(busy, 'line', { get: () => assert.fail('the line was read') })
    assert.deepEqual(nextToStart(busy), [])
  })

  it('starts nothing beside those that hold slots above a lowered maxConcurrent', () => {
    const holders = [{ slot: 2, execution: 'x-1', task: 'x' }]
    assert.deepEqual(nextToStart(load({ slots: 1, holders, queued: [queued('a')] })), [])
  })

  it('starts nothing while the agent is drained or limited', () => {
    const tasks = [queued('a')]
    assert.deepEqual(nextToStart(load({ queued: tasks, status: { drained: { since: '2026-03-01T09:00:00Z' } } })), [])
    assert.deepEqual(nextToStart(load({ queued: tasks, status: { rateLimitedUntil: '2026-03-01T10:00:01Z' } })), [])
    assert.equal(nextToStart(load({ queued: tasks, status: { rateLimitedUntil: '2026-03-01T10:00:00Z' } })).length, 1)
  })

  it('gives no slot to two, none that is held, and leaves none free while somebody waits', () => {
    const input = fc.record({
      slots: fc.integer({ min: 1, max: 5 }),
      held: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 7 }),
      names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 }),
    })
    fc.assert(
      fc.property(input, ({ slots, held, names }) => {
        const holders = held.map((slot) => ({ slot, execution: `x-${slot}`, task: 'x' }))
        const starts = nextToStart(load({ slots, holders, queued: names.map((name) => queued(name)) }))
        const given = starts.map(({ slot }) => slot)
        const free = Math.max(0, slots - held.length)
        assert.equal(new Set(given).size, given.length)
        assert.ok(given.every((slot) => slot >= 1 && slot <= slots && !held.includes(slot)))
        assert.equal(starts.length, Math.min(free, names.length))
      }),
    )
  })
})
