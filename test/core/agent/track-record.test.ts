import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { createTrackRecords } from '../../../core/agent/track-record.ts'
import type { ErrorCategory, Execution, ExecutionState } from '../../../core/crd/types.ts'
import { anExecution } from '../../helpers/build.ts'

const labels = { 'slipway.dev/project': 'shop' }

function ended(state: ExecutionState, category?: ErrorCategory, spec: Partial<Execution['spec']> = {}): Execution {
  const error = category === undefined ? {} : { error: { category, message: 'x' } }
  return anExecution({ metadata: { labels }, spec: { agent: 'claude', ...spec }, status: { state, ...error } })
}

describe('how agents did on projects', () => {
  const of = (...executions: Execution[]) => {
    const records = createTrackRecords()
    for (const object of executions) records.enter({ object })
    return records.of('claude', 'shop')
  }

  it("counts work that ended well or failed by the agent's own doing, and nothing else", () => {
    assert.deepEqual(
      of(
        ended('COMPLETED'),
        ended('FAILED', 'failed'),
        ended('TIMED_OUT', 'timeout'),
        ended('FAILED', 'git'),
        ended('FAILED', 'lost'),
        ended('BUDGET_EXCEEDED', 'quota'),
        ended('CANCELLED', 'cancelled'),
        ended('BLOCKED'),
        ended('RUNNING'),
        ended('COMPLETED', undefined, { purpose: 'Evaluate' }),
        ended('COMPLETED', undefined, { agent: 'gemini' }),
        { ...ended('COMPLETED'), metadata: { name: 'task-a-1' } },
      ),
      { succeeded: 1, failed: 2 },
    )
  })

  it('knows nothing of a task without a project', () => {
    assert.deepEqual(createTrackRecords().of('claude', undefined), { succeeded: 0, failed: 0 })
  })

  it('is what a count of the executions that are there would find, after any changes', () => {
    const states = fc.constantFrom<ExecutionState | undefined>('RUNNING', 'COMPLETED', 'FAILED', 'TIMED_OUT', undefined)
    const changes = fc.array(fc.tuple(fc.nat({ max: 5 }), states), { maxLength: 60 })
    fc.assert(
      fc.property(changes, (made) => {
        const records = createTrackRecords()
        const there = new Map<number, Execution>()
        for (const [n, state] of made) {
          const object = state === undefined ? undefined : ended(state, state === 'FAILED' ? 'failed' : undefined)
          records.enter({ previous: there.get(n), object })
          if (object === undefined) there.delete(n)
          else there.set(n, object)
        }
        assert.deepEqual(records.of('claude', 'shop'), of(...there.values()))
      }),
    )
  })
})
