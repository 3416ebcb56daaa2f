import assert from 'node:assert/strict'
import {
  claimExecution,
  claimTaskConditions,
  mergeConditions,
  toReason,
  withConditions,
} from '../../core/conditions.ts'
import { EXECUTION_STATE_VALUES, TASK_STATE_VALUES } from '../../core/crd/enums.ts'

const then = new Date('2026-03-01T10:00:00Z')
const now = new Date('2026-03-01T11:00:00Z')

describe('what a task waits for', () => {
  for (const state of TASK_STATE_VALUES) {
    const waits = state === 'PENDING' || state === 'QUEUED' || state === 'BLOCKED'
    it(`is ${waits ? 'said' : 'absent'} for a ${state} task`, () => {
      const claim = { type: 'Reconciling', status: 'True', reason: 'Why', message: 'why' } as const
      const { waitingFor } = withConditions({ state, waitingFor: 'old' }, [], [claim], now)
      assert.equal(waitingFor, waits ? 'why' : undefined)
    })
  }

  it('is the next attempt for a failed task that is tried again', () => {
    const status = { state: 'FAILED', resumeAfter: '2026-03-01T12:00:00Z' } as const
    const claims = claimTaskConditions({ state: 'FAILED', retryAt: status.resumeAfter, message: 'slow down' })
    assert.equal(withConditions(status, [], claims, now).waitingFor, 'slow down; tried again at 2026-03-01T12:00:00Z')
  })

  it('is nothing for a PENDING task with sound references', () => {
    assert.equal('waitingFor' in withConditions({ state: 'PENDING', waitingFor: 'old' }, [], [], now), false)
  })
})

describe('conditions', () => {
  const table = {
    PENDING: [],
    QUEUED: ['Reconciling True'],
    RUNNING: ['Reconciling True'],
    READY: ['Ready True'],
    COMPLETED: ['Ready True'],
    BLOCKED: ['Ready False'],
    FAILED: ['Stalled True'],
    TIMED_OUT: ['Stalled True'],
    CANCELLED: ['Stalled True'],
    BUDGET_EXCEEDED: ['Stalled True'],
  } as const
  for (const state of TASK_STATE_VALUES) {
    it(`of a ${state} task are ${table[state].join(', ') || 'none'}`, () => {
      const claims = claimTaskConditions({ state })
      assert.deepEqual(
        claims.map(({ type, status }) => `${type} ${status}`),
        table[state],
      )
    })
  }

  it('carry the error category as a CamelCase reason', () => {
    assert.equal(claimTaskConditions({ state: 'FAILED', category: 'no_repository' })[0]?.reason, 'NoRepository')
    assert.equal(toReason('rate_limit'), 'RateLimit')
  })

  it('say Reconciling while an automatic attempt is due', () => {
    const [claim] = claimTaskConditions({ state: 'FAILED', category: 'lost', retryAt: '2026-03-01T11:00:00Z' })
    assert.deepEqual([claim?.type, claim?.reason], ['Reconciling', 'Lost'])
  })

  it('tell a question from unfinished subtasks', () => {
    assert.equal(claimTaskConditions({ state: 'BLOCKED', hasQuestion: true })[0]?.reason, 'QuestionPending')
    assert.equal(claimTaskConditions({ state: 'BLOCKED' })[0]?.reason, 'WaitingForSubtasks')
  })

  it('keep their transition time until type or status changes', () => {
    const claim = { type: 'Ready', status: 'True', reason: 'A', message: 'a' } as const
    const before = mergeConditions(undefined, [claim], then)
    const same = mergeConditions(before, [{ ...claim, reason: 'B' }], now)
    const changed = mergeConditions(before, [{ ...claim, status: 'False' }], now)
    assert.deepEqual([same[0]?.lastTransitionTime, same[0]?.reason], ['2026-03-01T10:00:00Z', 'B'])
    assert.equal(changed[0]?.lastTransitionTime, '2026-03-01T11:00:00Z')
  })

  it('drop what is no longer claimed', () => {
    const before = mergeConditions(undefined, [{ type: 'Stalled', status: 'True', reason: 'A', message: '' }], then)
    assert.deepEqual(mergeConditions(before, [], now), [])
  })

  for (const state of EXECUTION_STATE_VALUES) {
    it(`of an execution in ${state} have a reason that the schema takes`, () => {
      assert.match(claimExecution({ state }).reason, /^[A-Z][A-Za-z]+$/)
    })
  }
})
