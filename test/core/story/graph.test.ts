import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Task } from '../../../core/crd/types.ts'
import { storyGraph } from '../../../core/story/graph.ts'
import { aStory, aTask } from '../../helpers/build.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

/** Tasks of any shape, circles, strangers and self-references included. */
const someTasks = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...NAMES),
    dependsOn: fc.uniqueArray(fc.constantFrom(...NAMES, 'stranger'), { maxLength: 3 }),
    parent: fc.option(fc.constantFrom(...NAMES, 'stranger'), { nil: undefined }),
  }),
  { selector: ({ name }) => name, maxLength: NAMES.length },
)
const toTasks = (shapes: typeof someTasks extends fc.Arbitrary<infer T> ? T : never): Task[] =>
  shapes.map(({ name, dependsOn, parent }) =>
    aTask({ name, spec: { dependsOn, ...(parent === undefined ? {} : { parentTaskId: parent }) } }),
  )
const story = aStory({ spec: { validation: { type: 'smoke' } } })

describe('the graph of a story', () => {
  it('has each task once, the validation last, and edges between its own nodes only', () => {
    fc.assert(
      fc.property(someTasks, (shapes) => {
        const tasks = toTasks(shapes)
        const { nodes, edges } = storyGraph(story, tasks)
        const ids = nodes.map(({ id }) => id)
        assert.deepEqual(ids, [...tasks.map(({ metadata }) => metadata.name), 'story-a:validation'])
        for (const { from, to } of edges) assert.ok(ids.includes(from) && ids.includes(to))
      }),
    )
  })

  it('has at most one root, and every edge of a spec once', () => {
    fc.assert(
      fc.property(someTasks, (shapes) => {
        const { nodes, edges } = storyGraph(aStory(), toTasks(shapes))
        assert.ok(nodes.filter(({ role }) => role === 'root').length <= 1)
        const known = new Set(shapes.map(({ name }) => name))
        const expected = shapes.flatMap(({ dependsOn, parent }) => [
          ...dependsOn,
          ...(parent === undefined ? [] : [parent]),
        ])
        assert.equal(edges.length, expected.filter((name) => known.has(name)).length)
      }),
    )
  })

  it('does not depend on the order of the tasks', () => {
    const render = (tasks: readonly Task[]): string[] => {
      const { nodes, edges } = storyGraph(story, tasks)
      return [...nodes, ...edges].map((part) => JSON.stringify(part)).sort()
    }
    fc.assert(
      fc.property(someTasks, (shapes) => {
        assert.deepEqual(render(toTasks(shapes).toReversed()), render(toTasks(shapes)))
      }),
    )
  })

  it('leads from what comes first to what waits for it, and to the validation from what nothing waits for', () => {
    const tasks = [
      aTask({ name: 'first' }),
      aTask({ name: 'part', spec: { parentTaskId: 'first' } }),
      aTask({ name: 'second', spec: { dependsOn: ['first'] } }),
    ]
    const { nodes, edges } = storyGraph(story, tasks)
    assert.deepEqual(
      nodes.map(({ id, role }) => `${id} ${role}`),
      ['first root', 'part subtask', 'second task', 'story-a:validation validation'],
    )
    assert.deepEqual(
      edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`),
      ['first parent_task_id part', 'first depends_on second', 'second depends_on story-a:validation'],
    )
  })

  it('shows how far the validation is in the words for tasks', () => {
    const stateIn = (status: 'SHIPPABLE' | 'VALIDATING' | 'REVIEW_READY' | 'DONE') =>
      storyGraph({ ...story, status: { status } }, []).nodes[0]?.state
    assert.deepEqual((['SHIPPABLE', 'VALIDATING', 'REVIEW_READY', 'DONE'] as const).map(stateIn), [
      'PENDING',
      'RUNNING',
      'READY',
      'COMPLETED',
    ])
  })
})
