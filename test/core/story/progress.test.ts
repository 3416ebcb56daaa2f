import assert from 'node:assert/strict'
import type { StoryStatus, Task, TaskStatus } from '../../../core/crd/types.ts'
import { STORY_STATUS_VALUES } from '../../../core/crd/enums.ts'
import { decideStory } from '../../../core/story/decide.ts'
import { trackStory } from '../../../core/story/progress.ts'
import { canMoveStory } from '../../../core/story/transitions.ts'
import { decideTask, NO_SURROUNDINGS } from '../../../core/task/decide.ts'
import { markJoined } from '../../../core/story/task-events.ts'
import { ANNOTATIONS } from '../../../core/names.ts'
import { aStory, aTask } from '../../helpers/build.ts'

const BEFORE = '2026-03-01T09:00:00Z'
const CHANGED = '2026-03-01T10:00:00Z'
const AFTER = '2026-03-01T11:00:00Z'

function task(name: string, status: TaskStatus, createdAt = BEFORE): Task {
  return aTask({ name, metadata: { creationTimestamp: createdAt }, spec: { storyId: 'story-a' }, status })
}

function track(status: StoryStatus, ...tasks: Task[]) {
  return trackStory(aStory({ status: { status, statusChangedAt: CHANGED } }), tasks)
}

const READY: TaskStatus = { state: 'READY', queuedAt: BEFORE, finishedAt: AFTER }

describe('a story', () => {
  it('notes its branch with the first execution that worked on it, and keeps it', () => {
    assert.equal(track('IN_PROGRESS', task('a', { state: 'QUEUED' })).branch, undefined)
    const elsewhere = task('b', { state: 'PENDING', executions: 1, branch: 'slipway/b' })
    assert.equal(track('IN_PROGRESS', elsewhere).branch, undefined)
    const working = task('a', { state: 'RUNNING', executions: 1 })
    assert.deepEqual(track('IN_PROGRESS', working).branch, { name: 'story/story-a' })
    const noted = aStory({
      spec: { branchName: 'other' },
      status: { branch: { name: 'story/story-a', created: true } },
    })
    assert.deepEqual(trackStory(noted, []).branch, { name: 'story/story-a', created: true })
  })

  for (const from of ['DISCOVERY', 'FRAMING', 'BACKLOG', 'PRIORITIZED'] as const) {
    it(`moves from ${from} to IN_PROGRESS with its first queued task`, () => {
      const { status, statusChangedAt } = track(from, task('a', { state: 'QUEUED', queuedAt: AFTER }))
      assert.deepEqual([status, statusChangedAt], ['IN_PROGRESS', AFTER])
    })
  }

  for (const from of STORY_STATUS_VALUES.filter((status) => status !== 'DONE' && status !== 'SHIPPABLE')) {
    it(`moves from ${from} to SHIPPABLE when its last task succeeds`, () => {
      const tasks = [task('a', READY), task('b', { ...READY, state: 'COMPLETED' }), task('c', { state: 'CANCELLED' })]
      const { status, tasks: counted } = track(from, ...tasks)
      assert.deepEqual([status, counted], ['SHIPPABLE', { total: 2, done: 2 }])
    })
  }

  for (const from of ['SHIPPABLE', 'VALIDATING', 'REVIEW_READY'] as const) {
    it(`goes back from ${from} to IN_PROGRESS after a reject, a run or a new task`, () => {
      const rejected = task('a', { state: 'PENDING', decisions: [{ action: 'reject', at: AFTER }] })
      assert.equal(track(from, rejected).status, 'IN_PROGRESS')
      assert.equal(track(from, task('a', { state: 'QUEUED', queuedAt: AFTER })).status, 'IN_PROGRESS')
      assert.equal(track(from, task('a', READY), task('b', {}, AFTER)).status, 'IN_PROGRESS')
    })
  }

  for (const from of ['SHIPPABLE', 'VALIDATING', 'REVIEW_READY'] as const) {
    it(`goes back from ${from} to IN_PROGRESS when somebody asks for changes in the work of a task`, () => {
      const ready = task('a', { ...READY, finishedAt: BEFORE })
      const asked = { action: 'revise', by: 'ann', at: new Date(AFTER), comment: 'Say two.' } as const
      const outcome = decideTask(ready, asked, NO_SURROUNDINGS)
      assert.ok(outcome.kind === 'allowed')
      const { status, tasks } = track(from, { ...ready, status: outcome.status })
      assert.deepEqual([status, tasks], ['IN_PROGRESS', { total: 1, done: 0 }])
    })
  }

  for (const from of ['SHIPPABLE', 'VALIDATING', 'REVIEW_READY'] as const) {
    it(`goes back from ${from} to IN_PROGRESS when an older task came to it since, and only then`, () => {
      const [here, there] = [task('a', { ...READY, finishedAt: BEFORE }), task('b', {})]
      assert.equal(track(from, here, there).status, from)
      const { status, statusChangedAt } = track(from, here, markJoined(there, new Date(AFTER)))
      assert.deepEqual([status, statusChangedAt], ['IN_PROGRESS', AFTER])
    })
  }

  it('believes no note of a task that is no time, and a task in no story carries none', () => {
    const [here, joined] = [task('a', { ...READY, finishedAt: BEFORE }), markJoined(task('b', {}), new Date(AFTER))]
    const annotations = { [ANNOTATIONS.joinedStoryAt]: 'tomorrow' }
    const odd = { ...joined, metadata: { ...joined.metadata, annotations } }
    assert.equal(track('VALIDATING', here, odd).status, 'VALIDATING')
    const { storyId: _, ...spec } = joined.spec
    assert.deepEqual(markJoined({ ...joined, spec }, new Date(AFTER)).metadata.annotations, {})
  })

  it('stays where a person has put it since the last task event', () => {
    assert.equal(track('VALIDATING', task('a', { ...READY, finishedAt: BEFORE })).status, 'VALIDATING')
    assert.equal(track('PRIORITIZED', task('a', { state: 'RUNNING', queuedAt: BEFORE })).status, 'PRIORITIZED')
  })

  it('never moves once it is DONE', () => {
    assert.equal(track('DONE', task('a', READY)).status, 'DONE')
    assert.equal(track('DONE', task('a', { state: 'QUEUED', queuedAt: AFTER })).status, 'DONE')
  })

  it('is not SHIPPABLE while all that was not cancelled is nothing', () => {
    assert.equal(track('IN_PROGRESS', task('a', { state: 'CANCELLED', finishedAt: AFTER })).status, 'IN_PROGRESS')
  })

  it('has the first task of its chain as root, and keeps it', () => {
    const chain = [aTask({ name: 'b', spec: { dependsOn: ['a'] } }), aTask({ name: 'a' })]
    assert.equal(trackStory(aStory(), chain).rootTaskId, 'a')
    assert.equal(trackStory(aStory({ status: { rootTaskId: 'b' } }), chain).rootTaskId, 'b')
  })
})

describe('a decision about a story', () => {
  const at = new Date(AFTER)
  const by = 'ann'
  const decide = (status: StoryStatus, decision: Parameters<typeof decideStory>[2]) =>
    decideStory(aStory({ status: { status } }), [], decision)
  const refusal = (outcome: ReturnType<typeof decideStory>) =>
    outcome.kind === 'refused' ? [outcome.error.status, outcome.error.message] : []

  for (const status of STORY_STATUS_VALUES.filter((known) => known !== 'REVIEW_READY')) {
    it(`accept is refused in ${status}`, () => {
      const message = `story cannot be accepted from status ${status}`
      assert.deepEqual(refusal(decide(status, { action: 'accept', by, at })), [409, message])
    })
  }

  it('accept moves REVIEW_READY to DONE', () => {
    const outcome = decide('REVIEW_READY', { action: 'accept', by, at })
    assert.ok(outcome.kind === 'allowed')
    assert.deepEqual([outcome.status.status, outcome.status.statusChangedAt], ['DONE', AFTER])
    assert.deepEqual(outcome.status.accepted, { by, at: AFTER })
  })

  it('says who accepted a story also when it was moved to DONE', () => {
    const outcome = decide('REVIEW_READY', { action: 'move', status: 'DONE', by, at })
    assert.ok(outcome.kind === 'allowed')
    assert.deepEqual(outcome.status.accepted, { by, at: AFTER })
  })

  it('is not undone by what happened to tasks in the second before it, and what happens after it still counts', () => {
    const done = task('a', { ...READY, finishedAt: AFTER })
    const shippable = aStory({ status: { status: 'SHIPPABLE', statusChangedAt: BEFORE } })
    const outcome = decideStory(shippable, [done], { action: 'move', status: 'VALIDATING', by, at })
    assert.ok(outcome.kind === 'allowed')
    const moved = { ...shippable, status: outcome.status }
    assert.equal(trackStory(moved, [done]).status, 'VALIDATING')
    const rejected = task('a', { state: 'PENDING', decisions: [{ action: 'reject', at: AFTER }] })
    assert.equal(trackStory(moved, [rejected]).status, 'IN_PROGRESS')
  })

  it('is not undone by an event that only an earlier move in the same second knew', () => {
    const done = task('a', { ...READY, finishedAt: AFTER })
    const shippable = { ...aStory(), status: trackStory(aStory({ status: { status: 'IN_PROGRESS' } }), [done]) }
    assert.equal(shippable.status.status, 'SHIPPABLE')
    // The server that takes the decision has not heard of the task yet.
    const outcome = decideStory(shippable, [], { action: 'move', status: 'VALIDATING', by, at })
    assert.ok(outcome.kind === 'allowed')
    assert.equal(trackStory({ ...shippable, status: outcome.status }, [done]).status, 'VALIDATING')
  })

  it('refuses an unknown status with 400', () => {
    const unknown = decide('BACKLOG', { action: 'move', status: 'NOWHERE', by, at })
    assert.deepEqual(refusal(unknown), [400, 'unknown story status NOWHERE'])
  })

  for (const from of STORY_STATUS_VALUES)
    for (const to of STORY_STATUS_VALUES) {
      const isAllowed = canMoveStory(from, to)
      it(`${isAllowed ? 'moves' : 'refuses to move'} a story from ${from} to ${to}`, () => {
        const outcome = decide(from, { action: 'move', status: to, by, at })
        if (isAllowed) assert.equal(outcome.kind === 'allowed' && outcome.status.status, to)
        else assert.deepEqual(refusal(outcome), [409, `story cannot move from ${from} to ${to}`])
      })
    }
})
