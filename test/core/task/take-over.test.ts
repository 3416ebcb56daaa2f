import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { findWait, isStartable, mayWait } from '../../../core/agent/waiting.ts'
import type { ExecutionStatus, TaskStatus } from '../../../core/crd/types.ts'
import { findOwnTaskRefusal, authoredBy } from '../../../core/four-eyes.ts'
import { decideTask, NO_SURROUNDINGS } from '../../../core/task/decide.ts'
import { makeExecution } from '../../../core/task/start.ts'
import { CHECKOUT_STATES, checkOut, handBack, release } from '../../../core/task/take-over.ts'
import { TASK_TRANSITIONS } from '../../../core/task/transitions.ts'
import { omit, withoutAbsent } from '../../../core/omit.ts'
import { finishTask } from '../../../core/task/finish.ts'
import { findSpentWorkspaces } from '../../../core/task/workspaces.ts'
import { anAgent, anExecution, aStory, aTask } from '../../helpers/build.ts'

const STATES = Object.keys(TASK_TRANSITIONS) as (keyof typeof TASK_TRANSITIONS)[]
const at = new Date('2026-03-01T10:00:00Z')
const head = 'a'.repeat(40)
const ANN = { by: 'ann', at }
const HELD: TaskStatus = { state: 'READY', executions: 1, checkedOut: { by: 'ann', at: '2026-03-01T09:00:00Z' } }

type Outcome = ReturnType<typeof checkOut>
const statusOf = (outcome: Outcome): TaskStatus => {
  assert.equal(outcome.kind, 'allowed')
  return outcome.kind === 'allowed' ? outcome.status : {}
}
const refusalOf = (outcome: Outcome): string =>
  outcome.kind === 'refused' ? `${outcome.error.status} ${outcome.error.message}` : 'allowed'

describe('a task that a person takes over', () => {
  for (const state of STATES) {
    const isTakeable = CHECKOUT_STATES.some((known) => known === state)
    it(`${isTakeable ? 'can' : 'cannot'} be checked out while it is ${state}`, () => {
      const outcome = checkOut(aTask({ status: { state, executions: 1 } }), ANN)
      if (isTakeable) assert.deepEqual(statusOf(outcome).checkedOut, { by: 'ann', at: '2026-03-01T10:00:00Z' })
      else assert.match(refusalOf(outcome), new RegExp(`^409 task cannot be checked out from state ${state}`))
    })
  }

  it('says that work is to be cancelled first, and that without any there is nothing to take', () => {
    assert.match(refusalOf(checkOut(aTask({ status: { state: 'RUNNING', executions: 1 } }), ANN)), /; cancel it first$/)
    assert.match(refusalOf(checkOut(aTask({ status: { state: 'CANCELLED' } }), ANN)), /has not run yet/)
  })

  it('stays with who has it, and with nobody else beside', () => {
    assert.deepEqual(statusOf(checkOut(aTask({ status: HELD }), ANN)).checkedOut, HELD.checkedOut)
    assert.match(refusalOf(checkOut(aTask({ status: HELD }), { by: 'bob', at })), /^409 task is checked out by ann: /)
    assert.match(refusalOf(handBack(aTask({ status: HELD }), { by: 'bob', at, head }, undefined)), /by ann: /)
    assert.equal(statusOf(release(aTask({ status: HELD }))).checkedOut, undefined)
    assert.match(refusalOf(release(aTask({ status: { state: 'READY' } }))), /not checked out/)
  })

  it('waits, whatever its state, and starts in none', () => {
    for (const state of STATES) {
      const task = aTask({ status: { ...HELD, state } })
      const facts = {
        openDependencies: [],
        hasProject: true,
        mayStillRun: false,
        hasOrphans: false,
        agent: anAgent({ name: 'script' }),
        openSubtasks: [],
        now: at,
      }
      assert.equal(isStartable(task, facts), false)
      assert.equal(mayWait(task), true)
      assert.equal(findWait(task, facts)?.summary, 'checked out by ann')
    }
  })

  it('is let go by accept and reject, and by no other decision', () => {
    const decide = (action: 'accept' | 'reject' | 'revise', status = HELD) => {
      const made = { action, by: 'bob', at, comment: 'no' } as const
      const outcome = decideTask(aTask({ status }), made, NO_SURROUNDINGS)
      return outcome.kind === 'allowed' ? outcome.status.checkedOut : 'refused'
    }
    assert.deepEqual([decide('accept'), decide('reject'), decide('revise')], [undefined, undefined, HELD.checkedOut])
  })

  it('keeps its workspace, however old it is', () => {
    const room = { workspaceBytes: 1, reviewMs: 1 }
    const spent = (status: TaskStatus) => findSpentWorkspaces([{ task: aTask({ status }), bytes: 10 }], room, at).length
    assert.deepEqual([spent({ state: 'READY' }), spent(HELD)], [1, 0])
  })

  it('is queued for an execution without an agent when it is handed back without a comment', () => {
    const task = aTask({ status: { ...HELD, revision: 'Say two.', answer: 'UTC', rejectionComment: 'No.' } })
    const status = statusOf(handBack(task, { ...ANN, head }, undefined))
    const handedBack = { by: 'ann', at: '2026-03-01T10:00:00Z', head, withoutAgent: true }
    assert.deepEqual(
      [status.state, status.checkedOut, status.handedBackBy, status.revision, status.answer, status.rejectionComment],
      ['QUEUED', undefined, ['ann'], undefined, undefined, undefined],
    )
    const { spec } = makeExecution({ ...task, status }, { type: 'claude' }, 2)
    assert.deepEqual([spec.purpose, spec.handedBack], ['Resume', handedBack])
    assert.equal(status.decisions?.at(-1)?.action, 'handback')
  })

  it('says that what was asked to change is taken as done when it is handed back without a comment', () => {
    const said = (revision?: string): string => {
      const status = { ...HELD, ...(revision !== undefined && { revision }) }
      const outcome = handBack(aTask({ status }), { ...ANN, head }, undefined)
      return outcome.kind === 'allowed' ? outcome.message : outcome.error.message
    }
    const plain = 'task handed back for review'
    assert.deepEqual([said(), said('Say two.')], [plain, `${plain}, with what was asked to change taken as done`])
  })

  for (const state of [...CHECKOUT_STATES, 'QUEUED'] as const)
    it(`is revised from ${state} when it is handed back with a comment, which is all that is left to do`, () => {
      const made = { ...ANN, head, comment: 'Say two.' }
      const task = aTask({ status: { ...HELD, state, revision: 'Say one.', answer: 'UTC' } })
      const status = statusOf(handBack(task, made, undefined))
      assert.deepEqual(
        [status.state, status.revision, status.answer, status.handedBack?.withoutAgent],
        ['QUEUED', 'Say two.', undefined, undefined],
      )
    })

  it('is only let go where READY work comes back unchanged', () => {
    const status = { ...HELD, head: { commit: head, at: '2026-03-01T09:00:00Z' } }
    const { state, handedBackBy } = statusOf(handBack(aTask({ status }), { ...ANN, head }, undefined))
    assert.deepEqual([state, handedBackBy], ['READY', undefined])
  })

  it('is not handed back to a story that is DONE', () => {
    const story = aStory({ status: { status: 'DONE' } })
    assert.match(refusalOf(handBack(aTask({ status: HELD }), { ...ANN, head }, story)), /^409 .*DONE/)
  })

  it('has the person for an author from then on', () => {
    const task = aTask({ metadata: { annotations: authoredBy('cem') }, status: HELD })
    const after = { ...task, status: statusOf(handBack(task, { ...ANN, head }, undefined)) }
    assert.equal(findOwnTaskRefusal(task, 'ann'), undefined)
    assert.match(findOwnTaskRefusal(after, 'ann')?.message ?? '', /ann authored/)
  })

  it('tells who hands back what somebody has accepted that it is no part of that', () => {
    const status = { ...omit(HELD, ['checkedOut']), state: 'COMPLETED' as const }
    const refusal = refusalOf(handBack(aTask({ status }), { ...ANN, head }, undefined))
    assert.match(refusal, /^409 task is not checked out any more and is COMPLETED: .* give it to a new task$/)
  })

  describe('and released after a push of their own', () => {
    const [ours, theirs] = ['b'.repeat(40), 'c'.repeat(40)]
    const found = (push?: { found?: string; head: string }, foreignCommitCount?: number, pushed = true): TaskStatus => {
      const before = { state: 'READY' as const, executions: 1, pushes: [{ head: ours, at: '2026-03-01T08:00:00Z' }] }
      const held = aTask({ metadata: { annotations: authoredBy('cem') }, status: before })
      const released = release({ ...held, status: statusOf(checkOut(held, ANN)) })
      const task = { ...held, status: { ...statusOf(released), state: 'RUNNING' as const } }
      const status = { state: 'COMPLETED' as const, pushed, ...withoutAbsent({ push, foreignCommitCount }) }
      const execution = anExecution({ status })
      return finishTask({ task, execution, agent: undefined, hasOpenSubtasks: false, now: at })
    }

    it('has its holder for an author once the next execution has found their commits', () => {
      const status = found({ found: theirs, head }, 1)
      assert.deepEqual([status.handedBackBy, status.heldBy], [['ann'], undefined])
      const task = aTask({ metadata: { annotations: authoredBy('cem') }, status })
      assert.match(findOwnTaskRefusal(task, 'ann')?.message ?? '', /ann authored/)
    })

    it('has its holder for an author where nobody knows what the branch had', () => {
      assert.deepEqual(found().handedBackBy, ['ann'])
    })

    it('has none where the branch was still at our push, or has no commits of others', () => {
      for (const status of [found({ found: ours, head }, 1), found({ found: theirs, head })])
        assert.deepEqual([status.handedBackBy, status.heldBy], [undefined, undefined])
    })

    it('remembers who had it until an execution has delivered', () => {
      assert.deepEqual(found({ found: theirs, head }, 0, false).heldBy, ['ann'])
    })

    const named = (...commits: string[]) => commits.map((commit) => ({ commit, author: 'cem', subject: 'by hand' }))
    /** Ends an execution that found these commits of others, where the task has named `before` already. */
    const ended = (before: string[], now: string[], status: ExecutionStatus = {}, count = now.length): TaskStatus => {
      const known = before.length === 0 ? {} : { foreignCommits: named(...before), foreignCommitCount: before.length }
      const task = aTask({
        status: { state: 'RUNNING', pushes: [{ head: ours, at: '2026-03-01T08:00:00Z' }], heldBy: ['ann'], ...known },
      })
      const review = { baseCommit: 'd'.repeat(40), foreignCommits: named(...now), foreignCommitCount: count }
      const end = { state: 'COMPLETED' as const, pushed: true, push: { found: theirs, head }, ...review, ...status }
      const execution = anExecution({ status: end })
      return finishTask({ task, execution, agent: undefined, hasOpenSubtasks: false, now: at })
    }

    it('has none where another task of the story has pushed, and the commits of others were named before', () => {
      const [one, two] = ['1'.repeat(40), '2'.repeat(40)]
      assert.deepEqual(ended([one, two], [one, two]).handedBackBy, undefined)
      assert.deepEqual(ended([one, two], [two]).handedBackBy, undefined)
      assert.deepEqual(ended([one], [two, one]).handedBackBy, ['ann'])
    })

    it('has its holder for an author where commits came that are too many to be named', () => {
      const one = '1'.repeat(40)
      assert.deepEqual(ended([one], [one], {}, 2).handedBackBy, ['ann'])
    })

    it('has its holder for an author once their commits are named, whether that execution delivers or not', () => {
      const failed = ended([], ['1'.repeat(40)], { state: 'FAILED', pushed: false })
      assert.deepEqual([failed.handedBackBy, failed.heldBy], [['ann'], undefined])
    })
  })

  it('that fifty people handed back nobody can accept, as some may be forgotten', () => {
    const people = Array.from({ length: 50 }, (_, i) => `person-${i}`)
    const refused = (handedBackBy: string[]) =>
      findOwnTaskRefusal(aTask({ metadata: { annotations: authoredBy('cem') }, status: { handedBackBy } }), 'ann')
    assert.equal(refused(people.slice(1)), undefined)
    assert.match(refused(people)?.message ?? '', /nobody is known to have authored/)
  })

  it('remembers everybody who handed it back once, and not more than fifty', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 80 }).map(String), { minLength: 1, maxLength: 120 }), (people) => {
        let status: TaskStatus = HELD
        for (const by of people) {
          const held = { ...status, state: 'READY' as const, checkedOut: { by, at: '2026-03-01T09:00:00Z' } }
          status = statusOf(handBack(aTask({ status: held }), { by, at, head }, undefined))
        }
        const names = status.handedBackBy ?? []
        assert.ok(names.length <= 50 && new Set(names).size === names.length && names.includes(people.at(-1) ?? ''))
      }),
      { numRuns: 30 },
    )
  })
})
