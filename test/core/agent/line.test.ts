import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { lineUp } from '../../../core/agent/line.ts'
import type { Task } from '../../../core/crd/types.ts'
import { decideTask, NO_SURROUNDINGS } from '../../../core/task/decide.ts'
import { aTask } from '../../helpers/build.ts'

const INSTANTS = [undefined, '2026-03-01T09:00:00Z', '2026-03-01T09:00:01Z']

function queued(name: string, priority: number, queuedAt: string | undefined): Task {
  return aTask({
    name,
    spec: { priority },
    status: { state: 'QUEUED', ...(queuedAt === undefined ? {} : { queuedAt }) },
  })
}

const tasks = fc
  .array(fc.tuple(fc.integer({ min: -1, max: 1 }), fc.constantFrom(...INSTANTS)), { maxLength: 20 })
  .map((keys) => keys.map(([priority, queuedAt], i) => queued(`task-${i}`, priority, queuedAt)))

describe('the line of an agent', () => {
  it('orders by priority, then queue time, then name; what has no queue time comes last', () => {
    const line = lineUp([
      queued('d', 0, undefined),
      queued('c', 0, INSTANTS[2]),
      queued('b', 0, INSTANTS[1]),
      queued('a', 0, INSTANTS[1]),
      queued('e', -1, undefined),
    ])
    assert.deepEqual(
      line.inOrder().map(({ metadata }) => metadata.name),
      ['e', 'a', 'b', 'c', 'd'],
    )
  })

  it('gives every task the place where it stands in the order, however the tasks were given', () => {
    fc.assert(
      fc.property(tasks, fc.nat(), (given, turn) => {
        const turned = [...given.slice(turn % 7), ...given.slice(0, turn % 7)]
        const line = lineUp(turned)
        assert.deepEqual(line.inOrder(), lineUp(given).inOrder())
        line.inOrder().forEach(({ metadata }, place) => assert.equal(line.placeOf(metadata.name), place))
      }),
    )
  })

  it('takes tasks that were queued within one second in the order in which they were', () => {
    const queue = (name: string, ms: number): Task => {
      const verdict = decideTask(
        aTask({ name }),
        { action: 'run', by: 'ann', at: new Date(1_772_000_000_000 + ms) },
        NO_SURROUNDINGS,
      )
      assert.ok(verdict.kind === 'allowed')
      return aTask({ name, status: verdict.status })
    }
    const line = lineUp([queue('a', 700), queue('b', 2), queue('c', 450)])
    assert.deepEqual(
      line.inOrder().map(({ metadata }) => metadata.name),
      ['b', 'c', 'a'],
    )
  })

  it('has no place for a stranger', () => {
    assert.equal(lineUp([]).placeOf('stranger'), undefined)
  })
})
