import assert from 'node:assert/strict'
import type { ExecutionStatus, TaskStatus } from '../../../core/crd/types.ts'
import { recordOutcome } from '../../../core/agent/drain.ts'
import { finishTask } from '../../../core/task/finish.ts'
import { retryTask } from '../../../core/task/system-moves.ts'
import { aTask, anAgent, anExecution, text } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')

function finish(execution: ExecutionStatus, status: TaskStatus = {}, hasOpenSubtasks = false): TaskStatus {
  const task = aTask({ status: { state: 'RUNNING', execution: 'task-a-1', executions: 1, ...status } })
  return finishTask({ task, execution: anExecution({ status: execution }), agent: anAgent(), hasOpenSubtasks, now })
}

const QUOTA = { category: 'quota', message: text('no credit') } as const

function failed(category: 'failed' | 'lost' | 'rate_limit' | 'git', message = 'why'): ExecutionStatus {
  return { state: 'FAILED', error: { category, message: text(message) } }
}

describe('a RUNNING task whose execution has ended', () => {
  const ends = [
    ['COMPLETED', 'READY'],
    ['BLOCKED', 'BLOCKED'],
    ['FAILED', 'FAILED'],
    ['TIMED_OUT', 'TIMED_OUT'],
    ['BUDGET_EXCEEDED', 'BUDGET_EXCEEDED'],
    ['CANCELLED', 'CANCELLED'],
  ] as const
  for (const [state, expected] of ends) {
    it(`is ${expected} after ${state}`, () => assert.equal(finish({ state }).state, expected))

    it(`is CANCELLED after ${state} when a person asked for it and nothing was pushed`, () => {
      assert.equal(finish({ state }, { cancelRequestedAt: '2026-03-01T09:00:00Z' }).state, 'CANCELLED')
    })
  }

  it('knows everybody who sent messages, those of the last moment included: the last 50, each once', () => {
    const sentBy = (...names: string[]) =>
      names.map(
        (by, n) => ({ id: `message${n}`, by, at: '2026-03-01T09:00:00Z', mode: 'Queue', text: text('x') }) as const,
      )
    const messages = sentBy('ada', 'bob', 'ada')
    assert.deepEqual(finish({ state: 'COMPLETED', messages }, { messagedBy: ['eve', 'bob'] }).messagedBy, [
      'eve',
      'bob',
      'ada',
    ])
    const known = Array.from({ length: 50 }, (_, n) => `person ${n}`)
    const last = finish({ state: 'COMPLETED', messages }, { messagedBy: known }).messagedBy
    assert.deepEqual([last?.length, last?.slice(-2)], [50, ['ada', 'bob']])
  })

  it('waits for an answer even when the question was lost, and does not pass for done', () => {
    const status = finish({ state: 'BLOCKED' })
    assert.match(status.question?.items[0]?.text ?? '', /not recorded/)
    assert.equal(finish({ state: 'COMPLETED' }, {}, true).question, undefined)
  })

  it('keeps its result when the work was pushed before the cancel took hold', () => {
    const status = finish({ state: 'COMPLETED', pushed: true }, { cancelRequestedAt: '2026-03-01T09:00:00Z' })
    assert.deepEqual([status.state, status.cancelRequestedAt], ['READY', undefined])
  })

  it('waits for its subtasks without a question', () => {
    const status = finish({ state: 'COMPLETED' }, {}, true)
    assert.deepEqual([status.state, status.question], ['BLOCKED', undefined])
    assert.equal(status.conditions?.[0]?.reason, 'WaitingForSubtasks')
  })

  it('carries the questions of its agent, and the conditions say so', () => {
    const status = finish({ state: 'BLOCKED', questions: [{ text: text('Which?') }] })
    assert.deepEqual(status.question?.items, [{ text: 'Which?' }])
    assert.deepEqual([status.conditions?.[0]?.type, status.conditions?.[0]?.reason], ['Ready', 'QuestionPending'])
  })

  it('is still to be changed as somebody asked, unless it succeeded', () => {
    const revision = text('Say two.')
    for (const [state] of ends)
      assert.equal(finish({ state }, { revision }).revision, state === 'COMPLETED' ? undefined : revision, state)
    assert.equal(finish({ state: 'COMPLETED' }, { revision }, true).revision, undefined)
    const cancelled = finish({ state: 'COMPLETED' }, { revision, cancelRequestedAt: '2026-03-01T09:00:00Z' })
    assert.deepEqual([cancelled.state, cancelled.revision], ['CANCELLED', revision])
  })

  it('adds up what its executions cost', () => {
    assert.equal(finish({ state: 'COMPLETED', costUSD: 0.5 }, { costUSD: 1.25 }).costUSD, 1.75)
  })

  for (const [attempts, seconds] of [
    [0, 0],
    [1, 30],
    [2, 120],
  ] as const) {
    it(`that lost its pod is tried again after ${seconds} s when it was tried ${attempts} times before`, () => {
      const due = new Date(now.getTime() + seconds * 1000).toISOString().replace('.000', '')
      assert.equal(finish(failed('lost'), { attempts }).resumeAfter, due)
    })
  }

  it('waits for a person after the last automatic attempt', () => {
    const status = finish(failed('lost'), { attempts: 3 })
    assert.equal(status.resumeAfter, undefined)
    assert.deepEqual([status.conditions?.[0]?.type, status.conditions?.[0]?.reason], ['Stalled', 'Lost'])
  })

  it('is Reconciling while an automatic attempt is due', () => {
    const condition = finish(failed('rate_limit')).conditions?.[0]
    assert.deepEqual([condition?.type, condition?.reason], ['Reconciling', 'RateLimit'])
  })

  it('is never tried again by itself when the failure is its own', () => {
    assert.equal(finish(failed('failed')).resumeAfter, undefined)
    assert.equal(finish(failed('git')).resumeAfter, undefined)
  })

  it('is tried again where its remote failed in a way that may pass, as long as attempts are left', () => {
    const remote = { ...failed('git'), resumeAfter: '2026-03-01T10:01:00Z' }
    const due = [0, 1, 2, 3].map((attempts) => finish(remote, { attempts }).resumeAfter)
    assert.deepEqual(due, ['2026-03-01T10:01:00Z', '2026-03-01T10:02:00Z', '2026-03-01T10:04:00Z', undefined])
  })

  for (const [what, end] of [
    ['was lost', failed('lost')],
    ['met a rate limit', failed('rate_limit')],
    ['used up its quota', { state: 'BUDGET_EXCEEDED', error: QUOTA, resumeAfter: '2026-03-02T00:00:00Z' }],
  ] as const) {
    it(`waits for a person when it ${what} and its agent does not resume by itself`, () => {
      const task = aTask({ status: { state: 'RUNNING', execution: 'task-a-1', executions: 1 } })
      const give = (autoResume: boolean): TaskStatus => {
        const agent = anAgent({ spec: { autoResume } })
        return finishTask({ task, execution: anExecution({ status: end }), agent, hasOpenSubtasks: false, now })
      }
      assert.notEqual(give(true).resumeAfter, undefined)
      assert.equal(give(false).resumeAfter, undefined)
      assert.equal(give(false).conditions?.[0]?.type, 'Stalled')
    })
  }

  it('waits for the end of a quota that is known, and for a person otherwise', () => {
    const error = { category: 'quota', message: text('weekly limit') } as const
    const known = finish({ state: 'BUDGET_EXCEEDED', error, resumeAfter: '2026-03-02T00:00:00Z' })
    assert.equal(known.resumeAfter, '2026-03-02T00:00:00Z')
    assert.equal(finish({ state: 'BUDGET_EXCEEDED', error }).resumeAfter, undefined)
  })

  it('gives an attempt back for a limit that was met after real work, and for no other end', () => {
    const status = { attempts: 3 }
    const worked = { tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } }
    const after = (end: ExecutionStatus): unknown[] => {
      const { attempts, resumeAfter } = { ...status, ...finish(end, status) }
      return [attempts, resumeAfter !== undefined]
    }
    assert.deepEqual(after({ ...failed('rate_limit'), ...worked }), [2, true])
    assert.deepEqual(after({ ...failed('rate_limit'), costUSD: 0.5 }), [2, true])
    assert.deepEqual(after(failed('rate_limit')), [3, false])
    assert.deepEqual(after({ ...failed('lost'), ...worked }), [3, false])
  })

  it('counts an automatic attempt and resumes the session', () => {
    const status = retryTask(aTask({ status: { state: 'FAILED', attempts: 1, resumeAfter: 'x' } }), now)
    assert.deepEqual([status.state, status.attempts, status.resume, status.resumeAfter], ['QUEUED', 2, true, undefined])
  })

  it('asks a person what to do when its failure drains the agent', () => {
    const execution = anExecution({ status: { ...failed('failed', 'boom'), finishedAt: '2026-03-01T10:00:00Z' } })
    const outcomes = ['x-1', 'x-2'].map((name) => ({
      execution: name,
      counted: 'Failure' as const,
      at: '2026-03-01T09:00:00Z',
    }))
    const agent = anAgent({ status: { outcomes } })
    const drained = { ...agent, status: recordOutcome(agent, execution, now) }
    const task = aTask({ status: { state: 'RUNNING', execution: 'task-a-1' } })
    const status = finishTask({ task, execution, agent: drained, hasOpenSubtasks: false, now })
    assert.equal(status.state, 'FAILED')
    assert.match(status.question?.items[0]?.text ?? '', /boom/)
  })
})
