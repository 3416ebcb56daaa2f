import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import { groupTasks, STATE_ORDER } from '../../../web/features/tasks/groups.ts'
import {
  type TasksView,
  filterTasks,
  formatTasksSearch,
  GROUPINGS,
  isFiltered,
  NONE,
  parseTasksSearch,
  WHOLE_VIEW,
} from '../../../web/features/tasks/search.ts'
import { fromQuery, toQuery } from '../../../web/model/search-params.ts'
import { aTaskRecord } from '../records.ts'

const given = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '')
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const column = given.filter((text) => !text.startsWith('-'))
const views: fc.Arbitrary<TasksView> = fc.record(
  {
    q: maybe(given),
    project: maybe(given),
    epic: maybe(given),
    story: maybe(given),
    agent: maybe(given),
    state: maybe(fc.constantFrom(...TASK_STATE_VALUES)),
    isWaiting: fc.boolean(),
    group: fc.constantFrom(...GROUPINGS),
    sort: maybe(fc.record({ column, isDescending: fc.boolean() }, { noNullPrototype: true })),
  },
  { noNullPrototype: true },
)
const noEpic = (): undefined => undefined

describe('the list of tasks in the URL', () => {
  it('is read as it was written, also from a saved view', () => {
    fc.assert(
      fc.property(views, (view) => {
        assert.deepEqual(parseTasksSearch({ ...formatTasksSearch(view) }), view)
        assert.deepEqual(parseTasksSearch(fromQuery(toQuery(formatTasksSearch(view)))), view)
      }),
    )
  })

  it('leaves out what says nothing, and takes nothing that it does not know', () => {
    assert.deepEqual(formatTasksSearch(WHOLE_VIEW), {})
    const strange = { q: 12, state: 'NONE', group: 'colour', waiting: 'no', sort: '-', project: ['a'] }
    assert.deepEqual(parseTasksSearch(strange), { ...WHOLE_VIEW, q: '12' })
    assert.equal(isFiltered({ ...WHOLE_VIEW, group: 'none' }), false)
  })
})

describe('the list of tasks', () => {
  const tasks = [
    aTaskRecord({
      id: 'a',
      state: 'READY',
      actions: ['accept'],
      story_id: 's',
      project: 'shop',
      agent: { type: 'claude' },
    }),
    aTaskRecord({ id: 'b', state: 'RUNNING', name: 'Find Me', created_at: '2026-01-02T00:00:00Z' }),
    aTaskRecord({ id: 'c', state: 'READY', actions: ['accept'], created_at: '2026-01-03T00:00:00Z' }),
  ]
  const shown = (part: Partial<TasksView>, epicOf: (story: string) => string | undefined = noEpic): string[] =>
    filterTasks(tasks, { ...WHOLE_VIEW, ...part }, epicOf).map(({ id }) => id)

  it('finds tasks by each of its filters', () => {
    assert.deepEqual(shown({ q: ' find me ' }), ['b'])
    assert.deepEqual(shown({ project: 'shop' }), ['a'])
    assert.deepEqual(shown({ story: NONE }), ['b', 'c'])
    assert.deepEqual(
      shown({ epic: 'e' }, () => 'e'),
      ['a'],
    )
    assert.deepEqual(shown({ epic: NONE }), ['a', 'b', 'c'])
    assert.deepEqual(shown({ agent: 'claude' }), ['a'])
    assert.deepEqual(shown({ state: 'RUNNING' }), ['b'])
    assert.deepEqual(shown({ isWaiting: true }), ['a', 'c'])
  })

  it('stands in groups: what needs a person first, the newest first in each, every task once', () => {
    const names = { story: (id: string) => `Story ${id}`, project: (id: string) => id }
    const states = groupTasks(tasks, 'state', names)
    assert.deepEqual(
      states.filter(({ rows }) => rows.length > 0).map(({ label, rows }) => [label, ...rows.map(({ id }) => id)]),
      [
        ['Ready for review', 'c', 'a'],
        ['Running', 'b'],
      ],
    )
    assert.deepEqual(
      groupTasks(tasks, 'story', names).map(({ label, rows }) => [label, rows.length]),
      [
        ['Story s', 1],
        ['No story', 2],
      ],
    )
    for (const grouping of GROUPINGS) {
      const all = groupTasks(tasks, grouping, names).flatMap(({ rows }) => rows.map(({ id }) => id))
      assert.deepEqual(all.toSorted(), ['a', 'b', 'c'])
    }
    assert.deepEqual(STATE_ORDER.toSorted(), TASK_STATE_VALUES.toSorted())
  })
})
