import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { MAX_DECISIONS, UNPROVEN_NAMES } from '../../core/decision.ts'
import { authoredBy, changesWork, findOwnTaskRefusal, NOT_AUTHORED } from '../../core/four-eyes.ts'
import { decideStory } from '../../core/story/decide.ts'
import { storyReview } from '../../core/story/review.ts'
import { actionsAllowed, decideTask, NO_SURROUNDINGS } from '../../core/task/decide.ts'
import { findShownName } from '../../lib/user-name.ts'
import { aStory, aTask } from '../helpers/build.ts'

const at = new Date('2026-01-01T00:00:00Z')
const FOUR_EYES = { ...NO_SURROUNDINGS, fourEyes: true }

const taskOf = (author: string | undefined, state: 'READY' | 'CANCELLED' = 'READY', name = 'task-a') =>
  aTask({ name, status: { state }, metadata: author === undefined ? {} : { annotations: authoredBy(author) } })
const storyOf = (author: string) =>
  aStory({ status: { status: 'REVIEW_READY' }, metadata: { annotations: authoredBy(author) } })

function accept(author: string | undefined, by: string, surroundings = FOUR_EYES): string {
  const outcome = decideTask(taskOf(author), { action: 'accept', by, at }, surroundings)
  return outcome.kind === 'allowed' ? outcome.message : `${outcome.error.status} ${outcome.error.message}`
}

/** Proven names, and those that nobody has. */
const names = fc.oneof(
  fc.constantFrom('ann', 'bob', 'a'.repeat(250), `${'a'.repeat(250)}b`, ...UNPROVEN_NAMES),
  fc.string({ minLength: 1, maxLength: 300 }),
)

describe('four eyes', () => {
  it('lets everybody but the author accept a task', () => {
    assert.equal(accept('ann', 'bob'), 'task accepted')
    assert.equal(
      accept('ann', 'ann'),
      '403 task cannot be accepted: ann authored task task-a; have somebody else accept it',
    )
  })

  it('lets the author accept where they are not asked for', () => {
    assert.equal(accept('ann', 'ann', { ...NO_SURROUNDINGS, fourEyes: false }), 'task accepted')
  })

  for (const by of ['api', 'anonymous', 'kubectl (annotation)'])
    it(`refuses an accept by ${by}, which may be the author's`, () => {
      assert.match(accept('ann', by), /^403 task cannot be accepted: .* is nobody's own name; use a token of your own/)
    })

  for (const author of [undefined, 'api', 'anonymous'])
    it(`refuses to accept a task whose author is ${author ?? 'not written down'}, and says the way out`, () => {
      assert.equal(
        accept(author, 'bob'),
        '403 task cannot be accepted: nobody is known to have authored task task-a; have somebody edit it under a name of their own, and somebody else accept it',
      )
    })

  it('remembers every author: whoever changes the work afterwards makes nobody a stranger to it', () => {
    const annotations = authoredBy('cem', authoredBy('bob', authoredBy('ann')))
    const task = aTask({ metadata: { annotations } })
    for (const name of ['ann', 'bob', 'cem']) assert.match(findOwnTaskRefusal(task, name)?.message ?? '', /authored/)
    assert.equal(findOwnTaskRefusal(task, 'dee'), undefined)
    assert.deepEqual(authoredBy('ann', authoredBy('ann')), { 'slipway.dev/author': 'ann' })
  })

  it('gives up a name that may be anybody’s once somebody with a name has changed the work', () => {
    const task = aTask({ metadata: { annotations: authoredBy('ann', authoredBy('api')) } })
    assert.equal(findOwnTaskRefusal(task, 'bob'), undefined)
    assert.match(findOwnTaskRefusal(task, 'ann')?.message ?? '', /ann authored/)
  })

  it('counts a change of what is asked for, and not one of when it is done', () => {
    const spec = { title: 'a', priority: 1, agent: { type: 'script' } }
    for (const name of NOT_AUTHORED) assert.equal(changesWork(spec, { ...spec, [name]: 'other' }), false)
    assert.equal(changesWork({ title: 'a' }, { title: 'a', suspend: true }), false)
    for (const change of [{ title: 'b' }, { description: 'x' }, { repositoryUrl: 'u' }, { agent: { type: 'claude' } }])
      assert.equal(changesWork(spec, { ...spec, ...change }), true)
  })

  it('refuses an accept by who told the agent what to do, in the comment of a reject or an answer', () => {
    const told = (action: 'reject' | 'revise' | 'answer' | 'run', by: string, comment?: string) => {
      const decisions = [{ action, by, at: at.toISOString(), ...(comment && { comment }) }]
      const task = aTask({ metadata: { annotations: authoredBy('ann') }, status: { state: 'READY', decisions } })
      return (who: string) => findOwnTaskRefusal(task, who)?.message ?? ''
    }
    assert.match(told('reject', 'bob', 'also push this')('bob'), /bob told the agent of task task-a what to do/)
    assert.match(told('answer', 'bob')('bob'), /bob told the agent/)
    assert.equal(told('answer', 'bob')('cem'), '')
    assert.equal(told('reject', 'bob')('bob'), '')
    assert.equal(told('run', 'bob')('bob'), '')
    // Who asks for changes reviews the work, which the next accept does once more.
    assert.equal(told('revise', 'bob', 'say two')('bob'), '')
    assert.match(told('answer', 'api')('cem'), /nobody is known to have told the agent of task task-a/)
  })

  it('counts the authors of a story where an accept of its task delivers the branch of the story', () => {
    const signed = { annotations: authoredBy('ann') }
    const story = aStory({ metadata: signed, status: { authors: ['bob'] } })
    const refused = (who: string, state: 'Moved' | 'Delivered'): string => {
      const status = { state: 'READY', delivery: { state, requestedAt: at.toISOString() } } as const
      return findOwnTaskRefusal(aTask({ metadata: signed, status }), who, story)?.message ?? ''
    }
    assert.match(refused('bob', 'Moved'), /bob authored story/)
    assert.deepEqual([refused('bob', 'Delivered'), refused('cem', 'Moved')], ['', ''])
  })

  it('refuses what has so many decisions that instructions may be forgotten', () => {
    const run = { action: 'run', by: 'bob', at: at.toISOString() } as const
    const refusal = (count: number) => {
      const decisions = Array.from({ length: count }, () => run)
      const task = aTask({ metadata: { annotations: authoredBy('ann') }, status: { state: 'READY', decisions } })
      return findOwnTaskRefusal(task, 'bob')?.message ?? ''
    }
    assert.equal(refusal(MAX_DECISIONS - 1), '')
    assert.match(refusal(MAX_DECISIONS), /nobody is known to have told the agent of task task-a what to do/)
  })

  it('refuses by the state first', () => {
    const pending = aTask({ metadata: { annotations: authoredBy('ann') } })
    const outcome = decideTask(pending, { action: 'accept', by: 'ann', at }, FOUR_EYES)
    assert.equal(outcome.kind === 'refused' && outcome.error.code, 'transition_refused')
  })

  it('holds nobody from anything but an accept', () => {
    const outcome = decideTask(taskOf('ann'), { action: 'reject', by: 'ann', comment: 'no', at }, FOUR_EYES)
    assert.equal(outcome.kind, 'allowed')
  })

  it('does not offer an accept to the author, and offers it to others', () => {
    assert.deepEqual(
      actionsAllowed(taskOf('ann'), FOUR_EYES, 'ann'),
      actionsAllowed(taskOf('ann'), FOUR_EYES).filter((action) => action !== 'accept'),
    )
    assert.ok(actionsAllowed(taskOf('ann'), FOUR_EYES, 'bob').includes('accept'))
  })

  it('never lets a user accept what the same user authored, however the name is shown', () => {
    fc.assert(
      fc.property(names, (user) => {
        const by = findShownName(user) ?? 'kubectl (annotation)'
        assert.notEqual(findOwnTaskRefusal(taskOf(user), by), undefined)
      }),
    )
  })

  it('lets an accept pass only between two names that are proven and differ', () => {
    fc.assert(
      fc.property(names, names, (author, by) => {
        const isAllowed = findOwnTaskRefusal(taskOf(author), by) === undefined
        if (isAllowed) assert.ok(author !== by && ![author, by].some((name) => UNPROVEN_NAMES.includes(name)))
      }),
    )
  })

  it('says what it offers: an offered accept is taken, and no other', () => {
    fc.assert(
      fc.property(names, names, (author, by) => {
        const isOffered = actionsAllowed(taskOf(author), FOUR_EYES, by).includes('accept')
        assert.equal(accept(author, by) === 'task accepted', isOffered)
      }),
    )
  })

  describe('of a story', () => {
    const decide = (story: string, tasks: readonly ReturnType<typeof aTask>[], by: string, fourEyes = true) =>
      (['accept', 'move'] as const).map((action) => {
        const decision = action === 'accept' ? { action, by, at } : { action, status: 'DONE', by, at }
        const outcome = decideStory(storyOf(story), tasks, decision, fourEyes)
        return outcome.kind === 'allowed' ? outcome.kind : outcome.error.message
      })
    const own = 'story cannot be accepted: '

    it('are those of somebody who authored neither it nor its tasks', () => {
      assert.deepEqual(decide('ann', [taskOf('ann')], 'bob'), ['allowed', 'allowed'])
      const message = `${own}bob authored task task-a; have somebody else accept it`
      assert.deepEqual(decide('ann', [taskOf('bob')], 'bob'), [message, message])
      assert.match(decide('bob', [taskOf('ann')], 'bob').join(), /bob authored story story-a/)
      assert.deepEqual(decide('bob', [taskOf('bob')], 'bob', false), ['allowed', 'allowed'])
    })

    it('overlook a task that is CANCELLED', () => {
      assert.deepEqual(decide('ann', [taskOf('bob', 'CANCELLED')], 'bob'), ['allowed', 'allowed'])
    })

    it('are not those of who authored work on its branch, wherever the task of it is now', () => {
      const pushes = [{ head: 'a', at: at.toISOString() }]
      const decisions = [{ action: 'answer', by: 'cem', at: at.toISOString() }] as const
      const pushed = aTask({
        metadata: { annotations: authoredBy('bob') },
        status: { state: 'READY', pushes, decisions },
      })
      const { authors = [] } = storyReview(storyOf('ann'), [pushed, taskOf('dee', 'READY', 'task-b')], [])
      assert.deepEqual(authors, ['bob', 'cem'])
      const story = { ...storyOf('ann'), status: { status: 'REVIEW_READY', authors } } as const
      const refused = (by: string) => decideStory(story, [], { action: 'accept', by, at }, true).kind === 'refused'
      assert.deepEqual(['ann', 'bob', 'cem', 'dee'].map(refused), [true, true, true, false])
      assert.deepEqual(storyReview(story, [], []).authors, authors)
    })

    it('are not asked for by other moves', () => {
      const move = { action: 'move', status: 'IN_PROGRESS', by: 'bob', at } as const
      assert.equal(decideStory(storyOf('bob'), [], move, true).kind, 'allowed')
    })
  })
})
