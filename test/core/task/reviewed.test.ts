import assert from 'node:assert/strict'
import { storyReview, pushesToStory } from '../../../core/story/review.ts'
import { finishTask } from '../../../core/task/finish.ts'
import { pushesOf, recordPush, takeReview } from '../../../core/task/reviewed.ts'
import { anExecution, aStory, aTask } from '../../helpers/build.ts'

const AT = '2026-07-01T10:00:00Z'
const LATER = '2026-07-01T11:00:00Z'

describe('what a task keeps of pushes', () => {
  it('is its head and base for a task from before they were recorded', () => {
    const task = aTask({ status: { head: { commit: 'h', at: AT }, baseCommit: 'b' } })
    assert.deepEqual(pushesOf(task), [{ found: 'b', head: 'h', at: AT }])
  })

  it('are the last 50', () => {
    const pushes = Array.from({ length: 50 }, (_, i) => ({ head: `h${i}`, at: AT }))
    const recorded = recordPush(aTask({ status: { pushes } }), { pushed: true, push: { head: 'new' } }, LATER)
    assert.deepEqual([recorded.pushes?.length, recorded.pushes?.at(-1)], [50, { head: 'new', at: LATER }])
  })

  it('is an empty list where the branch was at that commit already: those are not our commits', () => {
    const push = { found: 'h', head: 'h' }
    assert.deepEqual(recordPush(aTask(), { pushed: true, push }, AT), { pushes: [] })
  })

  it('is its head and base too where a runner from before they were recorded pushed', () => {
    const execution = anExecution({
      status: { state: 'COMPLETED', pushed: true, head: 'h', baseCommit: 'b', finishedAt: AT },
    })
    const task = aTask({ status: { state: 'RUNNING' } })
    const status = finishTask({ task, execution, agent: undefined, hasOpenSubtasks: false, now: new Date(LATER) })
    assert.deepEqual(pushesOf({ ...task, status }), [{ found: 'b', head: 'h', at: AT }])
  })

  it('does not keep the findings of an earlier review', () => {
    const before = { foreignCommitCount: 2, bulk: [{ path: 'x', files: 1000 }], baseCommit: 'b', branch: 's' }
    assert.deepEqual(takeReview(before, { baseCommit: 'c' }), { branch: 's', baseCommit: 'c' })
    assert.deepEqual(takeReview(before, {}), before)
  })
})

describe('what a story keeps', () => {
  const one = aTask({
    metadata: { name: 'one' },
    status: { pushes: [{ head: 'a', at: AT }], head: { commit: 'a', at: AT } },
  })
  const two = aTask({
    metadata: { name: 'two' },
    status: { pushes: [{ found: 'a', head: 'b', at: LATER }], head: { commit: 'b', at: LATER } },
  })

  it('are the pushes of all its tasks in their order, once, also after the tasks are gone', () => {
    const pushes = pushesToStory(aStory(), [two, one])
    assert.deepEqual(
      pushes.map(({ head }) => head),
      ['a', 'b'],
    )
    const story = aStory({ status: { pushes: [...pushes] } })
    assert.deepEqual(pushesToStory(story, [two, one]), pushes)
    assert.deepEqual(pushesToStory(story, []), pushes)
  })

  it('are those of tasks that ended in one second, or on a node whose clock is behind', () => {
    const story = aStory({ status: { pushes: [...pushesToStory(aStory(), [two])] } })
    for (const at of [LATER, AT]) {
      const three = aTask({ metadata: { name: 'three' }, status: { pushes: [{ found: 'b', head: 'c', at }] } })
      const heads = pushesToStory(story, [two, three]).map(({ head }) => head)
      assert.deepEqual(heads, ['b', 'c'])
    }
  })

  it('are the last fifty, whatever its tasks still know of the others', () => {
    const all = Array.from({ length: 60 }, (_, i) => ({ head: `h${i}`, at: `2026-01-01T00:00:${10 + i}Z` }))
    const task = aTask({ status: { pushes: all } })
    const pushes = pushesToStory(aStory(), [task])
    assert.deepEqual(pushes, all.slice(-50))
    assert.deepEqual(pushesToStory(aStory({ status: { pushes: [...pushes] } }), [task]), pushes)
  })

  it('is the review of the commit that an accept takes', () => {
    const review = { baseCommit: 'm', head: 'b', foreignCommitCount: 1 }
    const execution = anExecution({ metadata: { name: 'two-1' }, status: { branchReview: review, finishedAt: LATER } })
    assert.deepEqual(storyReview(aStory(), [one, two], [execution]).review, { execution: 'two-1', ...review })
    assert.equal(storyReview(aStory(), [one], [execution]).review, undefined)
  })
})
