import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { TaskStatus } from '../../../core/crd/types.ts'
import {
  type TaskDecision,
  type TaskOutcome,
  actionsAllowed,
  decideTask,
  NO_SURROUNDINGS,
  stateOf,
} from '../../../core/task/decide.ts'
import { askAlso } from '../../../core/task/revision.ts'
import { findNextState, HUMAN_TRIGGERS, TASK_TRANSITIONS } from '../../../core/task/transitions.ts'
import { clip } from '../../../core/text.ts'
import { anAgent, aStory, aTask, text } from '../../helpers/build.ts'

const STATES = Object.keys(TASK_TRANSITIONS) as (keyof typeof TASK_TRANSITIONS)[]
const at = new Date('2026-03-01T10:00:00Z')

function decide(status: TaskStatus, decision: Partial<TaskDecision> = {}) {
  return decideTask(aTask({ status }), { action: 'run', by: 'ann', at, answer: 'yes', ...decision }, NO_SURROUNDINGS)
}

function refusal(outcome: TaskOutcome): [number, string] {
  return outcome.kind === 'refused' ? [outcome.error.status, outcome.error.message] : [0, 'it is allowed']
}

function allowed(status: TaskStatus, decision: Partial<TaskDecision> = {}): TaskStatus {
  const outcome = decide(status, decision)
  assert.equal(outcome.kind, 'allowed')
  return outcome.kind === 'allowed' ? outcome.status : {}
}

describe('a decision about a task', () => {
  const words = {
    run: 'run',
    accept: 'accepted',
    reject: 'rejected',
    cancel: 'cancelled',
    resume: 'resumed',
    answer: 'answered',
    revise: 'revised',
    waive: 'waived',
  }
  for (const state of STATES) {
    for (const action of HUMAN_TRIGGERS.filter((trigger) => findNextState(state, trigger) === undefined)) {
      if (state === 'RUNNING' && action === 'cancel') continue
      it(`${action} is refused in ${state} with the contract's words`, () => {
        const message = `task cannot be ${words[action]} from state ${state}`
        assert.deepEqual(refusal(decide({ state }, { action })), [409, message])
      })
    }
  }

  it('waive says of a task that failed otherwise that no check holds it back', () => {
    const error = { category: 'git', message: text('no') } as const
    const message = 'task cannot be waived from state FAILED: no check holds its work back'
    assert.deepEqual(refusal(decide({ state: 'FAILED', error }, { action: 'waive' })), [409, message])
  })

  it('notes which spec the new state was decided from, whoever decides', () => {
    const edited = aTask({ metadata: { generation: 3 }, status: { state: 'READY', observedGeneration: 2 } })
    for (const action of ['accept', 'reject'] as const) {
      const outcome = decideTask(edited, { action, by: 'ann', at }, NO_SURROUNDINGS)
      assert.ok(outcome.kind === 'allowed')
      const marks = (outcome.status.conditions ?? []).map(({ observedGeneration }) => observedGeneration)
      assert.deepEqual([outcome.status.observedGeneration, marks], [3, action === 'accept' ? [3] : []])
    }
  })

  const cases: [Partial<TaskDecision>, TaskStatus, number, string, string][] = [
    [{ action: 'accept' }, { state: 'READY' }, 200, 'task accepted', 'COMPLETED'],
    [{ action: 'reject' }, { state: 'READY' }, 200, 'task rejected', 'PENDING'],
    [{ action: 'cancel' }, { state: 'QUEUED' }, 200, 'task cancelled', 'CANCELLED'],
    [{ action: 'cancel' }, {}, 200, 'task cancelled', 'CANCELLED'],
    [{ action: 'cancel' }, { state: 'BLOCKED' }, 200, 'task cancelled', 'CANCELLED'],
    [{ action: 'cancel' }, { state: 'RUNNING' }, 202, 'task cancellation requested', 'RUNNING'],
    [{ action: 'run' }, {}, 202, 'task queued for execution', 'QUEUED'],
    [{ action: 'run' }, { state: 'BLOCKED' }, 202, 'task queued for execution', 'QUEUED'],
    [{ action: 'run' }, { state: 'FAILED' }, 202, 'task queued for execution', 'QUEUED'],
    [{ action: 'run' }, { state: 'TIMED_OUT' }, 202, 'task queued for execution', 'QUEUED'],
    [{ action: 'run' }, { state: 'CANCELLED' }, 202, 'task queued for execution', 'QUEUED'],
    [{ action: 'run' }, { state: 'BUDGET_EXCEEDED' }, 202, 'task queued for execution', 'QUEUED'],
    [{ action: 'resume' }, { state: 'FAILED' }, 202, 'failed task queued for resume', 'QUEUED'],
    [{ action: 'resume' }, { state: 'CANCELLED' }, 202, 'cancelled task queued for resume', 'QUEUED'],
    [{ action: 'resume' }, { state: 'TIMED_OUT' }, 202, 'timed out task queued for resume', 'QUEUED'],
    [{ action: 'resume' }, { state: 'BUDGET_EXCEEDED' }, 202, 'budget exceeded task queued for resume', 'QUEUED'],
    [{ action: 'answer' }, { state: 'BLOCKED', question: { items: [] } }, 202, 'task queued for resume', 'QUEUED'],
  ]
  for (const [decision, status, code, message, next] of cases) {
    it(`${decision.action} of a ${status.state ?? 'new'} task answers ${code} "${message}"`, () => {
      const outcome = decide(status, decision)
      assert.ok(outcome.kind === 'allowed')
      assert.deepEqual([outcome.code, outcome.message, outcome.status.state], [code, message, next])
    })
  }

  for (const state of ['FAILED', 'BUDGET_EXCEEDED'] as const) {
    it(`cancels a ${state} task only while it waits for an automatic attempt`, () => {
      assert.equal(decide({ state }, { action: 'cancel' }).kind, 'refused')
      const status = allowed({ state, resumeAfter: '2026-03-01T11:00:00Z' }, { action: 'cancel' })
      assert.deepEqual([status.state, status.resumeAfter], ['CANCELLED', undefined])
    })
  }

  it('refuses an answer to a BLOCKED task that asked nothing, and an empty one', () => {
    assert.deepEqual(decide({ state: 'BLOCKED' }, { action: 'answer' }).kind, 'refused')
    const outcome = decide({ state: 'BLOCKED', question: { items: [] } }, { action: 'answer', answer: ' ' })
    assert.deepEqual(refusal(outcome), [400, 'answer must not be empty'])
  })

  it('keeps an answer for the agent, one paragraph for each question', () => {
    const answer = { 'Which base?': 'main', 'How many?': 'two' }
    const question = { items: Object.keys(answer).map((asked) => ({ text: text(asked) })) }
    const status = allowed({ state: 'BLOCKED', question }, { action: 'answer', answer })
    assert.deepEqual([status.answer, status.resume], ['Which base?: main\n\nHow many?: two', true])
  })

  it('clears agent, question, error and attempts on run, and nothing of the spec', () => {
    const before: TaskStatus = {
      state: 'FAILED',
      agent: { type: 'claude', model: 'm' },
      question: { items: [] },
      error: { category: 'failed', message: text('no') },
      attempts: 2,
      executions: 4,
      baseCommit: 'abc',
      resume: true,
    }
    const { agent, question, error, attempts, executions, baseCommit, resume } = allowed(before)
    assert.deepEqual([agent, question, error, attempts, resume], [undefined, undefined, undefined, 0, undefined])
    assert.deepEqual([executions, baseCommit], [4, 'abc'])
  })

  it('runs with the agent that was asked for, but a script only as a script', () => {
    const decision = { action: 'run', by: 'ann', at, agent: 'gemini' } as const
    const gemini = { ...NO_SURROUNDINGS, agent: anAgent({ name: 'gemini', spec: { adapter: 'gemini' } }) }
    assert.match(refusal(decideTask(aTask(), decision, gemini))[1], /is a script/)
    const outcome = decideTask(aTask({ spec: { agent: {} } }), decision, gemini)
    assert.ok(outcome.kind === 'allowed')
    assert.deepEqual([outcome.status.agent?.type, outcome.status.agent?.chosenBy], ['gemini', 'Request'])
  })

  it('takes a comment only with a reject and a revise', () => {
    const comment = 'left behind by an earlier sync'
    assert.equal(allowed({ state: 'READY' }, { action: 'revise', comment }).decisions?.[0]?.comment, comment)
    assert.equal(allowed({ state: 'READY' }, { action: 'accept', comment }).decisions?.[0]?.comment, undefined)
    assert.equal(allowed({ state: 'READY' }, { action: 'reject', comment }).decisions?.[0]?.comment, comment)
  })

  it('gives every write of a run: the failed dependencies, in their order, and the task', () => {
    const failed = ['deep', 'near'].map((name) => ({ task: aTask({ name, status: { state: 'FAILED' } }) }))
    const outcome = decideTask(aTask(), { action: 'run', by: 'ann', at }, { failedDependencies: failed })
    assert.ok(outcome.kind === 'allowed')
    assert.deepEqual(
      outcome.dependencies.map(({ task, status }) => [task.metadata.name, status.state, status.decisions?.[0]?.by]),
      [
        ['deep', 'QUEUED', 'ann'],
        ['near', 'QUEUED', 'ann'],
      ],
    )
    const resumed = { ...NO_SURROUNDINGS, failedDependencies: failed }
    const other = decideTask(aTask({ status: { state: 'FAILED' } }), { action: 'resume', by: 'ann', at }, resumed)
    assert.ok(other.kind === 'allowed' && other.dependencies.length === 0)
  })

  it('keeps a rejection comment, even an empty one', () => {
    assert.equal(allowed({ state: 'READY' }, { action: 'reject' }).rejectionComment, '')
    assert.equal(allowed({ state: 'READY' }, { action: 'reject', comment: 'again' }).rejectionComment, 'again')
  })

  for (const state of ['READY', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED'] as const) {
    it(`queues a ${state} task to go on with what is asked for, by the same agent, and keeps what it cost`, () => {
      const agent = { type: 'claude', model: 'opus' } as const
      const before: TaskStatus = { state, agent, attempts: 2, executions: 3, execution: 'task-a-3', costUSD: 0.5 }
      const outcome = decide(before, { action: 'revise', comment: 'Say two.' })
      assert.ok(outcome.kind === 'allowed')
      assert.deepEqual([outcome.code, outcome.message], [202, 'task queued for resume'])
      const { revision, resume, attempts, costUSD, executions, execution, ...status } = outcome.status
      assert.deepEqual([status.state, revision, resume, attempts], ['QUEUED', 'Say two.', true, 0])
      assert.deepEqual([status.agent, costUSD, executions, execution], [agent, 0.5, 3, 'task-a-3'])
    })
  }

  it('refuses to ask for changes without saying which, or at too great length, by the name of the field', () => {
    const revise = (comment?: string) => refusal(decide({ state: 'READY' }, { action: 'revise', comment }))
    assert.deepEqual(revise(), [400, 'comment must not be empty'])
    assert.deepEqual(revise(' \n'), [400, 'comment must not be empty'])
    assert.deepEqual(revise('x'.repeat(65_537)), [400, 'comment has more than 65536 characters'])
    assert.deepEqual(revise('x'.repeat(65_536)), [0, 'it is allowed'])
  })

  it('asks for no changes in a DONE story', () => {
    const surroundings = { ...NO_SURROUNDINGS, story: aStory({ status: { status: 'DONE' } }) }
    const task = aTask({ spec: { storyId: 'story-a' }, status: { state: 'READY' } })
    const outcome = decideTask(task, { action: 'revise', by: 'ann', at, comment: 'Say two.' }, surroundings)
    assert.equal(refusal(outcome)[0], 409)
    assert.deepEqual(actionsAllowed(task, surroundings), ['accept', 'reject'])
  })

  it('remembers what is to be changed until it is done, or the work is rejected', () => {
    const asked = allowed({ state: 'READY' }, { action: 'revise', comment: 'Say two.' })
    const cancelled = allowed(asked, { action: 'cancel' })
    assert.equal(allowed(cancelled, { action: 'resume' }).revision, 'Say two.')
    assert.equal(allowed(cancelled, { action: 'run' }).revision, 'Say two.')
    const question = { items: [{ text: text('Which two?') }] }
    assert.equal(allowed({ ...asked, state: 'BLOCKED', question }, { action: 'answer' }).revision, 'Say two.')
    assert.equal(allowed({ ...asked, state: 'READY' }, { action: 'reject' }).revision, undefined)
    assert.equal(allowed({ ...asked, state: 'READY' }, { action: 'accept' }).revision, undefined)
  })

  describe('asked for changes while earlier ones are not done', () => {
    const open = (...comments: readonly string[]): TaskStatus =>
      comments.reduce<TaskStatus>(
        (status, comment) => ({ ...allowed(status, { action: 'revise', comment }), state: 'FAILED' }),
        {
          state: 'READY',
        },
      )

    it('keeps all of them in their order, whatever the task ended with in between', () => {
      for (const state of ['READY', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED'] as const) {
        const asked = allowed({ ...open('Say two.'), state }, { action: 'revise', comment: 'Say three.' })
        assert.equal(asked.revision, 'Asked for by ann:\n\nSay two.\n\nAsked for later by ann:\n\nSay three.', state)
      }
      assert.equal(
        open('Say two.', 'Say three.', 'Say four.').revision,
        'Asked for by ann:\n\nSay two.\n\nAsked for later by ann:\n\nSay three.\n\nAsked for later by ann:\n\nSay four.',
      )
    })

    it('does not say the same twice when the last one is repeated', () => {
      assert.equal(open('Say two.', 'Say two.').revision, 'Say two.')
      assert.equal(open('Say two.', 'Say three.', 'Say three.').revision, open('Say two.', 'Say three.').revision)
    })

    it('has each below the name of who asked for it, also what another person has asked for in the same words', () => {
      const ask = (status: TaskStatus, by: string, comment: string): TaskStatus => {
        const outcome = decideTask(aTask({ status }), { action: 'revise', by, at, comment }, NO_SURROUNDINGS)
        assert.ok(outcome.kind === 'allowed')
        return { ...outcome.status, state: 'FAILED' }
      }
      const first = ask({ state: 'READY' }, 'ann', 'Say two.')
      assert.equal(first.revision, 'Say two.')
      const both = ask(first, 'bob', 'Say two.')
      assert.equal(both.revision, 'Asked for by ann:\n\nSay two.\n\nAsked for later by bob:\n\nSay two.')
      assert.equal(ask(both, 'bob', 'Say two.').revision, both.revision)
      assert.equal(ask(both, 'ann', 'And three.').revision, `${both.revision}\n\nAsked for later by ann:\n\nAnd three.`)
    })

    it('takes nothing that somebody writes for the words of another', () => {
      const line = fc.constantFrom(
        'Asked for later by bob:',
        'asked for by ann:',
        'Asked for later:',
        'Say two.',
        '',
        ' ',
      )
      const words = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'))
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.constantFrom('ann', 'lee\nbob:\n'), words), { maxLength: 4 }), (asked) => {
          const comments = asked.filter(([, comment]) => comment.trim() !== '')
          let all: string | undefined
          let last: string | undefined
          for (const [by, comment] of comments) {
            const decisions = last === undefined ? [] : [{ action: 'revise' as const, by: last, at: '' }]
            all = askAlso({ ...(all !== undefined && { revision: clip(all, 65_536) }), decisions }, comment, by)
            last = by
          }
          const headers = (all ?? '').match(/^asked for (?:later )?by .*$/gim) ?? []
          assert.ok(headers.length <= comments.length, all)
          for (const header of headers) assert.match(header, /^Asked for (?:later )?by (?:ann|lee bob: ):$/)
        }),
      )
    })

    it('refuses what together is too long, with the way out, and loses nothing', () => {
      const asked = { ...open('x'.repeat(65_000)), state: 'FAILED' } as const
      const [code, message] = refusal(decide(asked, { action: 'revise', comment: 'y'.repeat(600) }))
      assert.equal(code, 400)
      assert.match(message, /^comment has, with the changes asked for before .* more than 65536 characters: shorten it/)
      assert.equal(refusal(decide(asked, { action: 'revise', comment: 'y'.repeat(450) }))[0], 0)
    })

    it('keeps them apart from the comment of a reject', () => {
      const rejected = { state: 'FAILED', rejectionComment: text('Wrong zone.') } as const
      const asked = allowed(
        { ...allowed(rejected, { action: 'revise', comment: 'Say two.' }), state: 'FAILED' },
        { action: 'revise', comment: 'Say three.' },
      )
      assert.deepEqual(
        [asked.rejectionComment, asked.revision],
        ['Wrong zone.', 'Asked for by ann:\n\nSay two.\n\nAsked for later by ann:\n\nSay three.'],
      )
    })
  })

  it('forgets an earlier rejection once work has come of it, not before', () => {
    const ask = (state: 'READY' | 'FAILED') =>
      allowed({ state, rejectionComment: text('Wrong zone.') }, { action: 'revise', comment: 'Say two.' })
    assert.equal(ask('READY').rejectionComment, undefined)
    assert.equal(ask('FAILED').rejectionComment, 'Wrong zone.')
  })

  it('lets the first request to cancel a RUNNING task stand', () => {
    const once = allowed({ state: 'RUNNING' }, { action: 'cancel' })
    const twice = decide(once, { action: 'cancel', at: new Date('2026-03-01T12:00:00Z') })
    assert.ok(twice.kind === 'allowed')
    assert.deepEqual([twice.code, twice.status], [202, once])
  })

  it('remembers the last 50 decisions and at most 4096 characters of a comment', () => {
    const decisions = Array.from({ length: 50 }, (_, i) => ({ action: 'run', at: `${i}` }) as const)
    const status = allowed({ state: 'READY', decisions }, { action: 'reject', comment: 'x'.repeat(5000) })
    assert.equal(status.decisions?.length, 50)
    assert.equal(status.decisions.at(-1)?.comment?.length, 4096)
  })

  it('is offered exactly when it would be taken', () => {
    const statuses = fc.record(
      {
        state: fc.constantFrom(...STATES),
        question: fc.constant({ items: [] }),
        resumeAfter: fc.constant('2026-03-01T11:00:00Z'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(statuses, (status) => {
        const offered = actionsAllowed(aTask({ status }), NO_SURROUNDINGS)
        for (const action of HUMAN_TRIGGERS) {
          const made = { action, comment: 'Say two.' }
          assert.equal(decide(status, made).kind === 'allowed', offered.includes(action), action)
        }
      }),
    )
  })

  it('never leaves the transition table', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...HUMAN_TRIGGERS), { maxLength: 20 }), (actions) => {
        let task = aTask()
        for (const action of actions) {
          const before = stateOf(task)
          const said = { answer: 'yes', comment: 'Say two.' }
          const outcome = decideTask(task, { action, by: 'ann', at, ...said }, NO_SURROUNDINGS)
          if (outcome.kind === 'refused') continue
          task = { ...task, status: outcome.status }
          const expected = before === 'RUNNING' ? 'RUNNING' : findNextState(before, action)
          assert.equal(stateOf(task), expected)
        }
      }),
    )
  })
})
