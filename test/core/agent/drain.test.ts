import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  consecutiveFailures,
  formatUndrainMessage,
  countOutcome,
  recordOutcome,
  releaseTask,
  undrain,
} from '../../../core/agent/drain.ts'
import { recoverIfDue } from '../../../core/agent/limit.ts'
import type { Agent, ErrorCategory, ExecutionState } from '../../../core/crd/types.ts'
import { ERROR_CATEGORIES } from '../../../core/execution/result.ts'
import { toTimestamp } from '../../../core/time.ts'
import { aTask, anAgent, anExecution } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

function execution(name: string, state: ExecutionState, category: ErrorCategory = 'failed') {
  const error = state === 'COMPLETED' || state === 'BLOCKED' ? {} : { error: { category, message: 'why' } }
  return anExecution({ name, status: { state, finishedAt: '2026-03-01T10:00:00Z', ...error } })
}

function after(agent: Agent, ...ends: ReturnType<typeof execution>[]): Agent {
  return ends.reduce((before, end) => ({ ...before, status: recordOutcome(before, end, now) }), agent)
}

describe('the drain of an agent', () => {
  for (const category of ERROR_CATEGORIES) {
    const counts = category === 'failed' || category === 'auth'
    it(`${counts ? 'counts' : 'does not count'} a failure of category ${category}`, () => {
      assert.equal(countOutcome(execution('a-1', 'FAILED', category)), counts ? 'Failure' : 'Ignored')
    })
  }

  it('counts a time-out, and lets success and questions reset it', () => {
    assert.equal(countOutcome(execution('a-1', 'TIMED_OUT', 'timeout')), 'Failure')
    assert.equal(countOutcome(execution('a-1', 'BLOCKED')), 'Success')
    assert.equal(countOutcome(execution('a-1', 'CANCELLED', 'cancelled')), 'Ignored')
  })

  it('begins with the third failure in a row, and names the task', () => {
    const twice = after(anAgent(), execution('a-1', 'FAILED'), execution('b-1', 'FAILED'))
    assert.equal(twice.status?.drained, undefined)
    const thrice = after(twice, execution('c-1', 'FAILED'))
    assert.equal(thrice.status?.drained?.task, 'c')
    assert.deepEqual(
      thrice.status?.events?.map(({ kind }) => kind),
      ['drained'],
    )
  })

  it('lists a success where it ends a row of failures, and writes nothing of one that changes nothing', () => {
    const agent = anAgent({ status: { events: [] } })
    assert.equal(recordOutcome(agent, execution('a-1', 'COMPLETED'), now), agent.status)
    const reset = after(agent, execution('b-1', 'FAILED'), execution('c-1', 'COMPLETED'))
    assert.deepEqual([reset.status?.outcomes?.length, consecutiveFailures(reset.status)], [2, 0])
  })

  it('counts an execution once, however often it is recorded', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a-1', 'b-1'), { maxLength: 20 }), (names) => {
        const agent = after(anAgent(), ...names.map((name) => execution(name, 'FAILED')))
        assert.equal(consecutiveFailures(agent.status), new Set(names).size)
        assert.equal(agent.status?.drained, undefined)
      }),
    )
  })

  it('is lifted by a person, after which older failures no longer count', () => {
    const drained = after(anAgent(), ...['a-1', 'b-1', 'c-1'].map((name) => execution(name, 'FAILED')))
    const lifted = undrain(drained, 'ann', now)
    assert.deepEqual([lifted.drained, consecutiveFailures(lifted)], [undefined, 0])
    assert.deepEqual(
      lifted.events?.map(({ kind }) => kind),
      ['drained', 'undrained'],
    )
    assert.deepEqual(lifted.decisions, [{ action: 'undrain', by: 'ann', at: toTimestamp(now) }])
  })

  it('remembers the last 50 decisions', () => {
    let agent = anAgent()
    for (let i = 0; i < 60; i++) agent = { ...agent, status: undrain(agent, `person-${i}`, now) }
    const who = agent.status?.decisions?.map(({ by }) => by)
    assert.deepEqual([who?.length, who?.[0], who?.at(-1)], [50, 'person-10', 'person-59'])
  })

  it('takes back its question on FAILED tasks of the agent, never a question of the agent', () => {
    const question = { items: [{ text: 'undrain?' }] }
    const agent = { type: 'script' }
    const failed = aTask({ status: { state: 'FAILED', question, agent } })
    assert.deepEqual(releaseTask(anAgent(), failed, now), { state: 'FAILED', agent })
    assert.equal(releaseTask(anAgent(), aTask({ status: { state: 'BLOCKED', question, agent } }), now), undefined)
  })
})

describe('the rate limit of an agent', () => {
  const limited = anExecution({
    status: { state: 'FAILED', error: { category: 'rate_limit', message: '429' }, resumeAfter: '2026-03-01T10:05:00Z' },
  })

  it('begins with the execution that met it and ends when it said', () => {
    const agent = after(anAgent(), limited)
    assert.equal(agent.status?.rateLimitedUntil, '2026-03-01T10:05:00Z')
    assert.equal(recoverIfDue(agent, now), agent.status)
    const recovered = recoverIfDue(agent, new Date('2026-03-01T10:05:00Z'))
    assert.equal(recovered?.rateLimitedUntil, undefined)
    assert.deepEqual(
      recovered?.events?.map(({ kind }) => kind),
      ['rate_limited', 'recovered'],
    )
  })

  it('ends when a person undrains the agent, with the event of its recovery, and is not taken up again', () => {
    const agent = after(anAgent(), limited)
    assert.equal(formatUndrainMessage(agent), 'agent undrained; its limit until 2026-03-01T10:05:00Z is lifted')
    const lifted = undrain(agent, 'ann', now)
    assert.equal(lifted.rateLimitedUntil, undefined)
    assert.deepEqual(
      lifted.events?.map(({ kind }) => kind),
      ['rate_limited', 'recovered'],
    )
    assert.equal(recordOutcome({ ...agent, status: lifted }, limited, now), lifted)
    assert.equal(formatUndrainMessage({ ...agent, status: lifted }), 'agent undrained')
  })

  it('is waited for no longer by the tasks that met it, when a person lifts it', () => {
    const agent = { type: 'script' }
    const error = { category: 'quota', message: 'no credit' } as const
    const waiting = { state: 'BUDGET_EXCEEDED', agent, error, resumeAfter: '2026-03-02T00:00:00Z' } as const
    const released = releaseTask(anAgent(), aTask({ status: waiting }), now)
    assert.deepEqual(released, { ...waiting, resumeAfter: toTimestamp(now) })
    for (const other of [
      { ...waiting, error: { category: 'lost', message: 'pod gone' } as const },
      { ...waiting, agent: { type: 'claude' } },
      { ...waiting, state: 'CANCELLED' } as const,
    ])
      assert.equal(releaseTask(anAgent(), aTask({ status: other }), now), undefined)
  })

  it('lasts a minute when the provider does not say how long', () => {
    const agent = after(anAgent(), execution('a-1', 'FAILED', 'rate_limit'))
    assert.equal(agent.status?.rateLimitedUntil, '2026-03-01T10:01:00Z')
  })
})
