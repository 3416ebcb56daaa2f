import assert from 'node:assert/strict'
import {
  type Conditioned,
  type Conditions,
  claimConditions,
  claimExecution,
  claimServers,
  claimTaskConditions,
  isObserved,
  reclaimConditions,
  toReason,
  withConditions,
} from '../../core/conditions.ts'
import { EXECUTION_STATE_VALUES, TASK_STATE_VALUES } from '../../core/crd/enums.ts'
import { toTimestamp } from '../../core/time.ts'
import { aTask, text } from '../helpers/build.ts'

function withStatus(status: Conditions, generation?: number): Conditioned {
  return { metadata: generation === undefined ? {} : { generation }, status }
}

const then = new Date('2026-03-01T10:00:00Z')
const now = new Date('2026-03-01T11:00:00Z')

describe('what a task waits for', () => {
  for (const state of TASK_STATE_VALUES) {
    const waits = state === 'PENDING' || state === 'QUEUED' || state === 'BLOCKED'
    it(`is ${waits ? 'said' : 'absent'} for a ${state} task`, () => {
      const claim = { type: 'Reconciling', status: 'True', reason: 'Why', message: 'why' } as const
      const { waitingFor } = withConditions(aTask(), { state, waitingFor: text('old') }, [claim], now)
      assert.equal(waitingFor, waits ? 'why' : undefined)
    })
  }

  it('is the next attempt for a failed task that is tried again', () => {
    const status = { state: 'FAILED', resumeAfter: '2026-03-01T12:00:00Z' } as const
    const claims = claimTaskConditions({ state: 'FAILED', retryAt: status.resumeAfter, message: 'slow down' })
    assert.equal(
      withConditions(aTask(), status, claims, now).waitingFor,
      'slow down; tried again at 2026-03-01T12:00:00Z',
    )
  })

  it('is nothing for a PENDING task with sound references', () => {
    assert.equal('waitingFor' in withConditions(aTask(), { state: 'PENDING', waitingFor: text('old') }, [], now), false)
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
    const before = withStatus(claimConditions(withStatus({}), [claim], then))
    const { conditions: same = [] } = claimConditions(before, [{ ...claim, reason: 'B' }], now)
    const { conditions: changed = [] } = claimConditions(before, [{ ...claim, status: 'False' }], now)
    assert.deepEqual([same[0]?.lastTransitionTime, same[0]?.reason], ['2026-03-01T10:00:00Z', 'B'])
    assert.equal(changed[0]?.lastTransitionTime, '2026-03-01T11:00:00Z')
  })

  it('drop what is no longer claimed', () => {
    const claim = { type: 'Stalled', status: 'True', reason: 'A', message: '' } as const
    const before = withStatus(claimConditions(withStatus({}), [claim], then))
    assert.deepEqual(claimConditions(before, [], now).conditions, [])
  })

  it('bear the generation of the spec that they were claimed from, as the status does, and keep it until claimed anew', () => {
    const claim = { type: 'Ready', status: 'True', reason: 'A', message: 'a' } as const
    const first = withStatus(claimConditions(withStatus({}, 1), [claim], then), 1)
    assert.deepEqual([first.status?.observedGeneration, first.status?.conditions?.[0]?.observedGeneration], [1, 1])
    assert.equal(isObserved(first), true)
    const edited = withStatus(first.status ?? {}, 2)
    assert.equal(isObserved(edited), false)
    const again = withStatus(reclaimConditions(edited), 2)
    assert.equal(isObserved(again), true)
    assert.deepEqual(again.status?.conditions, [
      { ...claim, observedGeneration: 2, lastTransitionTime: toTimestamp(then) },
    ])
  })

  it('without a mark count as those of the first spec, so that nothing of an earlier version is written for the mark alone', () => {
    assert.deepEqual([isObserved(withStatus({}, 1)), isObserved(withStatus({}, 2))], [true, false])
  })

  for (const state of EXECUTION_STATE_VALUES) {
    it(`of an execution in ${state} have a reason that the schema takes`, () => {
      assert.match(claimExecution({ state }).reason, /^[A-Z][A-Za-z]+$/)
    })
  }

  it('say of an execution which MCP servers did not start, and nothing where all did', () => {
    assert.deepEqual(claimServers({}), [])
    assert.deepEqual(claimServers({ failedServers: ['wiki'] }), [
      {
        type: 'ServersStarted',
        status: 'False',
        reason: 'ServersFailed',
        message: 'MCP server wiki did not start: its tools are missing',
      },
    ])
  })
})
