import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Task } from '../../../core/crd/types.ts'
import { chainEnds, moveLink, notedEnd, noteEnd } from '../../../core/story/chain.ts'
import { aStory, aTask } from '../../helpers/build.ts'

const link = (name: string, ...dependsOn: string[]): Task => aTask({ name, spec: { dependsOn } })

describe('the chain of a story', () => {
  it('grows by one link at its end, whatever was there before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 8 }), (loose, added) => {
        const tasks = Array.from({ length: loose }, (_, i) => link(`loose-${i}`))
        let end: string | undefined
        for (let n = 0; n < added; n++) {
          tasks.push(link(`link-${n}`, ...chainEnds(tasks, end)))
          end = `link-${n}`
          assert.deepEqual(chainEnds(tasks, end), [end])
        }
      }),
    )
  })

  it('goes on behind what waits for the noted end, and leaves alone what stands beside it', () => {
    const tasks = [link('a'), link('b', 'a'), link('beside', 'a'), link('c', 'b'), link('d', 'b')]
    assert.deepEqual(chainEnds(tasks, 'b'), ['c', 'd'])
    assert.deepEqual(chainEnds(tasks, 'beside'), ['beside'])
  })

  it('counts every task that nothing waits for while there is no end, or none any more', () => {
    const tasks = [link('a'), link('b', 'a'), link('c', 'outside')]
    assert.deepEqual(chainEnds(tasks, undefined), ['b', 'c'])
    assert.deepEqual(chainEnds(tasks, 'deleted'), ['b', 'c'])
    assert.deepEqual(chainEnds([], 'deleted'), [])
  })

  it('has no subtasks in it', () => {
    const subtask = aTask({ name: 'sub', spec: { parentTaskId: 'a' } })
    assert.deepEqual(chainEnds([link('a'), subtask], undefined), ['a'])
  })

  it('takes a task to another place without what its caller asked for being lost', () => {
    assert.deepEqual(moveLink(['asked', 'old'], ['old'], ['new', 'asked']), ['asked', 'new'])
  })

  it('has its end noted on the story, beside what else is noted there', () => {
    const story = noteEnd(aStory({ metadata: { annotations: { other: 'kept' } } }), 'task-b')
    assert.equal(notedEnd(story), 'task-b')
    assert.equal(story.metadata.annotations?.['other'], 'kept')
    assert.equal(notedEnd(aStory()), undefined)
  })
})
