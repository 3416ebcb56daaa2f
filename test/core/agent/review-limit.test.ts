import assert from 'node:assert/strict'
import { type SchedulingSnapshot, createSchedulingSnapshot } from '../../../core/agent/snapshot.ts'
import type { Project, Story, Task, TaskStatus } from '../../../core/crd/types.ts'
import { findLimitedPlace } from '../../../core/sentences/waiting.ts'
import { anAgent, aProject, aStory, aTask, text } from '../../helpers/build.ts'

const now = new Date('2026-03-01T10:00:00Z')
const claude = anAgent({ name: 'claude', spec: { adapter: 'claude', maxConcurrent: 3 } })
const shop = (maxAwaitingReview?: number): Project =>
  aProject({ name: 'shop', spec: maxAwaitingReview === undefined ? {} : { maxAwaitingReview } })

function task(name: string, status: TaskStatus, spec: Partial<Task['spec']> = {}): Task {
  return aTask({ name, spec: { project: 'shop', ...spec }, status: { agent: { type: 'claude' }, ...status } })
}

const queued = (name: string, status: TaskStatus = {}, spec: Partial<Task['spec']> = {}): Task =>
  task(name, { state: 'QUEUED', queuedAt: '2026-03-01T09:00:00Z', ...status }, spec)
const ready = (name: string, minute: number, spec: Partial<Task['spec']> = {}): Task =>
  task(name, { state: 'READY', executions: 1, finishedAt: `2026-03-01T08:${minute}:00Z` }, spec)

function put(snapshot: SchedulingSnapshot, ...tasks: readonly Task[]) {
  return tasks.map((object) => snapshot.apply({ kind: 'task', name: object.metadata.name, object }))
}

function world(tasks: readonly Task[], { project = shop(2), agent = claude, story = aStory({ name: 'none' }) } = {}) {
  const snapshot = createSchedulingSnapshot(() => undefined)
  snapshot.apply({ kind: 'agent', name: 'claude', object: agent })
  snapshot.apply({ kind: 'project', name: 'shop', object: project })
  snapshot.apply({ kind: 'story', name: story.metadata.name, object: story })
  put(snapshot, ...tasks)
  return snapshot
}

const startsOf = (snapshot: SchedulingSnapshot): string[] =>
  snapshot.nextToStart('claude', now).map((start) => start.task)

describe('a limit on what waits for a person', () => {
  it('lets nothing new start once that many tasks of the project wait, and names the oldest', () => {
    const next = queued('next')
    const snapshot = world([ready('login-form', 10), next])
    assert.deepEqual(startsOf(snapshot), ['next'])
    put(snapshot, ready('basket', 20))
    assert.deepEqual(startsOf(snapshot), [])
    assert.equal(
      snapshot.formatWaitMessage(next, now),
      'project shop has 2 tasks that wait for a person (limit 2): review login-form first',
    )
    const { wait, isStartable } = snapshot.scheduleOf(next, now)
    assert.deepEqual([wait?.reason, wait?.stalled, isStartable], ['WaitingForReview', false, false])
  })

  it('lets the next start as soon as one of them is decided', () => {
    const snapshot = world([ready('login-form', 10), ready('basket', 20), queued('next')])
    const [effects] = put(snapshot, task('basket', { state: 'COMPLETED' }))
    assert.deepEqual(startsOf(snapshot), ['next'])
    assert.ok(effects?.agents.has('claude') && effects.tasks.has('next'))
  })

  it('holds an agent by its own limit, whatever the project', () => {
    const agent = anAgent({ name: 'claude', spec: { adapter: 'claude', maxAwaitingReview: 1 } })
    const other = queued('next', {}, { project: 'other' })
    const snapshot = world([ready('login-form', 10), other], { project: shop(), agent })
    snapshot.apply({ kind: 'project', name: 'other', object: aProject({ name: 'other' }) })
    assert.equal(
      snapshot.formatWaitMessage(other, now),
      'agent claude has 1 task that waits for a person (limit 1): review login-form first',
    )
    assert.equal(snapshot.isAtReviewLimit('claude'), true)
  })

  it('counts questions, and not what waits for subtasks or failed', () => {
    const question = { items: [{ text: text('Which?') }], askedAt: '2026-03-01T08:00:00Z' }
    const asks = task('asks', { state: 'BLOCKED', question, finishedAt: '2026-03-01T08:00:00Z' })
    const others = [task('parent', { state: 'BLOCKED' }), task('broken', { state: 'FAILED' })]
    const next = queued('next')
    assert.deepEqual(startsOf(world([...others, next], { project: shop(1) })), ['next'])
    assert.match(
      world([asks, ...others, next], { project: shop(1) }).formatWaitMessage(next, now) ?? '',
      /has 1 task that waits for a person \(limit 1\): answer asks first/,
    )
  })

  it('counts what its checks hold back, and says what ends that', () => {
    const error = { category: 'checks', message: text('check test failed') } as const
    const red = task('red', { state: 'FAILED', error, finishedAt: '2026-03-01T08:00:00Z' })
    const next = queued('next')
    const snapshot = world([red, next], { project: shop(1) })
    assert.deepEqual(startsOf(snapshot), [])
    const words = snapshot.formatWaitMessage(next, now) ?? ''
    assert.match(words, /: ask for changes in red, waive its checks, run it again or delete it first$/)
  })

  for (const [what, status] of [
    ['resumed or answered', { resume: true }],
    ['revised, also where its session is gone', { revision: text('Use a form') }],
  ] as const) {
    it(`starts what is ${what} all the same`, () => {
      assert.deepEqual(
        startsOf(world([ready('a', 10), queued('again', status), queued('new')], { project: shop(1) })),
        ['again'],
      )
    })
  }

  it('finishes a story in progress of which a task has started, and begins no other', () => {
    const story = (status: 'IN_PROGRESS' | 'BACKLOG'): Story => aStory({ name: 's', status: { status } })
    const [begun, next] = [ready('first', 10, { storyId: 's' }), queued('second', {}, { storyId: 's' })]
    assert.deepEqual(startsOf(world([begun, next], { project: shop(1), story: story('IN_PROGRESS') })), ['second'])
    assert.deepEqual(startsOf(world([begun, next], { project: shop(1), story: story('BACKLOG') })), [])
    // Being queued moves a story to IN_PROGRESS: that alone must not take the limit away.
    const unbegun = world([ready('other', 10), next], { project: shop(1), story: story('IN_PROGRESS') })
    assert.deepEqual(startsOf(unbegun), [])
    put(unbegun, task('first', { state: 'RUNNING', executions: 1 }, { storyId: 's' }))
    assert.deepEqual(startsOf(unbegun), ['second'])
  })

  it('holds and lets go as the limit is changed', () => {
    const snapshot = world([ready('a', 10), queued('next')], { project: shop() })
    assert.deepEqual(startsOf(snapshot), ['next'])
    snapshot.apply({ kind: 'project', name: 'shop', object: shop(1) })
    assert.deepEqual(startsOf(snapshot), [])
    snapshot.apply({ kind: 'project', name: 'shop', object: shop(2) })
    assert.deepEqual(startsOf(snapshot), ['next'])
  })

  it('keeps the stored reason while other tasks come to wait, and tells few of a long queue', () => {
    const many = Array.from({ length: 1000 }, (_, i) => queued(`t${i}`))
    const snapshot = world([ready('a', 10), ...many], { project: shop(1) })
    const before = snapshot.scheduleOf(queued('t1'), now).wait?.summary
    const [effects] = put(snapshot, ready('b', 20))
    assert.equal(snapshot.scheduleOf(queued('t1'), now).wait?.summary, before)
    assert.ok((effects?.tasks.size ?? 0) > 0 && (effects?.tasks.size ?? 0) <= 100)
    put(snapshot, task('a', { state: 'COMPLETED' }), task('b', { state: 'COMPLETED' }))
    assert.equal(snapshot.queueLength('claude'), 1000)
  })

  it('lets those of several projects start in their order, and gives each its place among those that may', () => {
    const other = (name: string, minute: number): Task =>
      queued(name, { queuedAt: `2026-03-01T09:${minute}:00Z` }, { project: 'other' })
    const mine = (name: string, minute: number): Task => queued(name, { queuedAt: `2026-03-01T09:${minute}:00Z` })
    const snapshot = world([mine('a', 10), other('b', 20), mine('c', 30), other('d', 40)])
    snapshot.apply({ kind: 'project', name: 'other', object: aProject({ name: 'other' }) })
    assert.deepEqual(startsOf(snapshot), ['a', 'b', 'c'])
    assert.deepEqual(['b', 'd'].map(snapshot.positionOf), [1, 3])
    put(snapshot, ready('r', 10), ready('s', 20))
    assert.deepEqual(startsOf(snapshot), ['b', 'd'])
    assert.deepEqual(['a', 'b', 'd'].map(snapshot.positionOf), [undefined, 0, 1])
    assert.deepEqual([snapshot.queueLength('claude'), snapshot.queueOf('claude', 1)[0]?.name], [2, 'd'])
  })

  it('looks at none of the tasks that wait when it is reached or left', () => {
    let looks = 0
    const snapshot = createSchedulingSnapshot(
      () => undefined,
      () => void (looks += 1),
    )
    snapshot.apply({ kind: 'agent', name: 'claude', object: claude })
    snapshot.apply({ kind: 'project', name: 'shop', object: shop(1) })
    put(snapshot, ...Array.from({ length: 100 }, (_, i) => queued(`t${i}`)))
    const before = looks
    put(snapshot, ready('a', 10))
    assert.deepEqual(startsOf(snapshot), [])
    put(snapshot, task('a', { state: 'COMPLETED' }))
    assert.deepEqual([startsOf(snapshot).length, looks - before], [3, 0])
  })

  it('is found again in its words', () => {
    const snapshot = world([ready('a', 10), queued('next')], { project: shop(1) })
    const words = snapshot.formatWaitMessage(queued('next'), now) ?? ''
    assert.deepEqual(findLimitedPlace(words), { kind: 'project', name: 'shop' })
    assert.equal(findLimitedPlace('agent claude is busy with shop'), undefined)
  })
})
