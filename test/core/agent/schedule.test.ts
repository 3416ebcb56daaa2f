import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  type AgentSchedule,
  type SlotHolder,
  compareScheduled,
  nextToStart,
  toScheduledTask,
} from '../../../core/agent/schedule.ts'
import type { AgentStatus, Task } from '../../../core/crd/types.ts'
import { decideTask, NO_SURROUNDINGS } from '../../../core/task/decide.ts'
import { aTask, anAgent } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

function queued(name: string, priority = 0, queuedAt = '2026-03-01T09:00:00Z'): Task {
  return aTask({ name, spec: { priority }, status: { state: 'QUEUED', queuedAt } })
}

function schedule(
  parts: Partial<AgentSchedule> & { queued?: Task[]; slots?: number; status?: AgentStatus },
): AgentSchedule {
  const { queued = [], slots = 1, status, ...rest } = parts
  const agent = anAgent({ spec: { maxConcurrent: slots }, ...(status === undefined ? {} : { status }) })
  const first = queued.map(toScheduledTask).sort(compareScheduled)
  return { agent, now, first, holders: [], ...rest }
}

function holder(slot: number, task = 'x', isStarting = false): SlotHolder {
  return { slot, execution: `${task}-1`, task, isStarting }
}

describe('the queue of an agent', () => {
  it('starts the lowest priority first, then who has waited longest', () => {
    const tasks = [
      queued('late', 0, '2026-03-01T09:30:00Z'),
      queued('early'),
      queued('urgent', -5, '2026-03-01T09:59:00Z'),
    ]
    const starts = nextToStart(schedule({ queued: tasks, slots: 3 }))
    assert.deepEqual(
      starts.map(({ task }) => task),
      ['urgent', 'early', 'late'],
    )
  })

  it('goes on with a start that was interrupted, in the slot it already holds', () => {
    const holders = [holder(1, 'behind', true)]
    const starts = nextToStart(schedule({ queued: [queued('first', -1), queued('behind')], holders }))
    assert.deepEqual(starts, [{ task: 'behind', slot: 1 }])
  })

  it('orders by priority, then queue time, then name; what has no queue time comes last', () => {
    const unknown = aTask({ name: 'd', status: { state: 'QUEUED' } })
    const tasks = [unknown, queued('c', 0, '2026-03-01T09:00:01Z'), queued('b'), queued('a'), queued('e', -1)]
    const names = tasks.map(toScheduledTask).sort(compareScheduled)
    assert.deepEqual(
      names.map(({ name }) => name),
      ['e', 'a', 'b', 'c', 'd'],
    )
  })

  it('takes tasks that were queued within one second in the order in which they were', () => {
    const queue = (name: string, ms: number): Task => {
      const decision = { action: 'run', by: 'ann', at: new Date(1_772_000_000_000 + ms) } as const
      const outcome = decideTask(aTask({ name }), decision, NO_SURROUNDINGS)
      assert.ok(outcome.kind === 'allowed')
      return aTask({ name, status: outcome.status })
    }
    const tasks = [queue('a', 700), queue('b', 2), queue('c', 450)].map(toScheduledTask).sort(compareScheduled)
    assert.deepEqual(
      tasks.map(({ name }) => name),
      ['b', 'c', 'a'],
    )
  })

  it('starts nothing beside those that hold slots above a lowered maxConcurrent', () => {
    const holders = [holder(2)]
    assert.deepEqual(nextToStart(schedule({ slots: 1, holders, queued: [queued('a')] })), [])
  })

  it('starts nothing while the agent is drained or limited', () => {
    const tasks = [queued('a')]
    assert.deepEqual(
      nextToStart(schedule({ queued: tasks, status: { drained: { since: '2026-03-01T09:00:00Z' } } })),
      [],
    )
    assert.deepEqual(nextToStart(schedule({ queued: tasks, status: { rateLimitedUntil: '2026-03-01T10:00:01Z' } })), [])
    assert.equal(
      nextToStart(schedule({ queued: tasks, status: { rateLimitedUntil: '2026-03-01T10:00:00Z' } })).length,
      1,
    )
  })

  it('gives no slot to two, none that is held, and leaves none free while somebody waits', () => {
    const input = fc.record({
      slots: fc.integer({ min: 1, max: 5 }),
      held: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 7 }),
      names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 }),
    })
    fc.assert(
      fc.property(input, ({ slots, held, names }) => {
        const holders = held.map((slot) => holder(slot, `x${slot}`))
        const starts = nextToStart(schedule({ slots, holders, queued: names.map((name) => queued(name)) }))
        const given = starts.map(({ slot }) => slot)
        const free = Math.max(0, slots - held.length)
        assert.equal(new Set(given).size, given.length)
        assert.ok(given.every((slot) => slot >= 1 && slot <= slots && !held.includes(slot)))
        assert.equal(starts.length, Math.min(free, names.length))
      }),
    )
  })
})
