import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Story, Task } from '../../../core/crd/types.ts'
import { decideStory } from '../../../core/story/decide.ts'
import { trackStory } from '../../../core/story/progress.ts'
import { countEvents, eventsSinceChange } from '../../../core/story/task-events.ts'
import { decideTask, NO_SURROUNDINGS } from '../../../core/task/decide.ts'
import { toMicroTimestamp, toTimestamp } from '../../../core/time.ts'
import { aStory, aTask } from '../../helpers/build.ts'

const START_MS = Date.parse('2026-03-01T10:00:00Z')
const at = (ms: number): Date => new Date(START_MS + ms)

function task(name: string, status: Task['status'] = {}): Task {
  return aTask({ name, metadata: { creationTimestamp: toTimestamp(at(0)) }, spec: { storyId: 'story-a' }, status })
}

function decided(of: Task, action: 'run' | 'cancel', ms: number): Task {
  const verdict = decideTask(of, { action, by: 'ann', at: at(ms) }, NO_SURROUNDINGS)
  assert.ok(verdict.kind === 'allowed')
  return { ...of, status: verdict.status }
}

/** Tasks that finished, each with an instant of its own clock: minutes apart, or the same. */
const finished = fc.uniqueArray(
  fc.record({
    name: fc.integer({ min: 0, max: 300 }).map((n) => `task-${n}`),
    ms: fc.constantFrom(-60_000, -1, 0, 1, 400, 60_000),
  }),
  { selector: ({ name }) => name, maxLength: 60 },
)

describe('what happened to tasks since a story changed', () => {
  it('is what the change did not know, whatever the clocks of those who wrote it', () => {
    fc.assert(
      fc.property(finished, finished, fc.integer({ min: -5000, max: 5000 }), (early, late, changed) => {
        const make = ({ name, ms }: { name: string; ms: number }): Task =>
          task(name, { state: 'READY', finishedAt: toMicroTimestamp(at(ms)) })
        const known = early.map(make)
        const added = late.filter(({ name }) => !early.some((other) => other.name === name)).map(make)
        const story = aStory({ status: { statusChangedAt: toTimestamp(at(changed)) } })
        const noted: Story = { ...story, status: { ...story.status, ...countEvents(story, known) } }
        assert.deepEqual(eventsSinceChange(noted, known), [])
        const since = new Set(eventsSinceChange(noted, [...known, ...added]).map(({ task: name }) => name))
        assert.deepEqual([...since].sort(), added.map(({ metadata }) => metadata.name).sort())
      }),
    )
  })

  it('never is what a longer list had to leave out', () => {
    const many = Array.from({ length: 300 }, (_, n) =>
      task(`task-${n}`, { state: 'READY', finishedAt: toMicroTimestamp(at(n * 1000)) }),
    )
    const story = aStory({ status: { statusChangedAt: toTimestamp(at(0)) } })
    const counted = countEvents(story, many)
    assert.equal(counted.countedEvents?.length, 200)
    assert.deepEqual(eventsSinceChange({ ...story, status: { ...story.status, ...counted } }, many), [])
  })

  it('is told by time alone where an earlier version has noted the rest', () => {
    const changedAt = toTimestamp(at(0))
    const story = aStory({ status: { statusChangedAt: changedAt, countedEvents: [`finished task-b ${changedAt}`] } })
    const done = (name: string, ms: number): Task =>
      task(name, { state: 'READY', finishedAt: toTimestamp(at(ms)), queuedAt: toTimestamp(at(-5000)) })
    const events = eventsSinceChange(story, [done('task-a', -1000), done('task-b', 0), done('task-c', 0)])
    assert.deepEqual(
      events.filter(({ kind }) => kind !== 'created').map(({ task: name }) => name),
      ['task-c'],
    )
  })
})

describe('a story whose task ended by a clock that runs behind', () => {
  it('is SHIPPABLE all the same', () => {
    const running = task('a', { state: 'RUNNING', queuedAt: toMicroTimestamp(at(0)) })
    const verdict = decideStory(aStory({ status: { status: 'PRIORITIZED' } }), [running], {
      action: 'move',
      status: 'IN_PROGRESS',
      by: 'ann',
      at: at(5000),
    })
    assert.ok(verdict.kind === 'allowed')
    const story = { ...aStory(), status: verdict.status }
    const done = task('a', { ...running.status, state: 'READY', finishedAt: toTimestamp(at(3000)) })
    assert.equal(trackStory(story, [done]).status, 'SHIPPABLE')
  })
})

describe('a story whose task is queued twice in one second', () => {
  it('is IN_PROGRESS again, though a person had moved it back in between', () => {
    const queued = decided(task('a'), 'run', 100)
    const begun = { ...aStory(), status: trackStory(aStory({ status: { status: 'PRIORITIZED' } }), [queued]) }
    assert.equal(begun.status.status, 'IN_PROGRESS')
    const back = decideStory(begun, [queued], { action: 'move', status: 'PRIORITIZED', by: 'ann', at: at(200) })
    assert.ok(back.kind === 'allowed')
    const again = decided(decided(queued, 'cancel', 300), 'run', 400)
    assert.equal(trackStory({ ...begun, status: back.status }, [again]).status, 'IN_PROGRESS')
  })
})
