import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Execution, StoryEvent } from '../../../core/rest/client/client.ts'
import { inChainOrder } from '../../../web/features/story/chain-order.ts'
import { graphItems } from '../../../web/features/story/graph-items.ts'
import { parseStorySearch } from '../../../web/features/story/search.ts'
import { storyFacts } from '../../../web/features/story/story-facts.ts'
import { latestWorkedOn, timelineOf } from '../../../web/features/story/timeline.ts'
import { storyAcceptEffect } from '../../../core/sentences/accept.ts'
import { aStoryRecord, aTaskRecord } from '../records.ts'

const at = (minute: number): string => `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`

const anEvent = (parts: Partial<StoryEvent>): StoryEvent => ({
  id: 'event',
  story_id: 'story-a',
  kind: 'eval_verdict',
  payload: {},
  at: at(0),
  ...parts,
})

const anExecution = (parts: Partial<Execution>): Execution => ({
  id: 'execution',
  purpose: 'run',
  state: 'COMPLETED',
  phases: [],
  fix_commits: [],
  auth_retried: false,
  created_at: at(0),
  ...parts,
})

describe('the timeline of a story', () => {
  const story = aStoryRecord({
    created_at: at(0),
    decisions: [
      { action: 'approve', by: 'kim', at: at(1) },
      { action: 'accept', by: 'kim', at: at(9) },
    ],
  })
  const tasks = [
    aTaskRecord({
      id: 't',
      name: 'Store',
      decisions: [{ action: 'reject', by: 'kim', at: at(5), comment: 'Lock it' }],
    }),
  ]

  it('has decisions with their actor, executions and events, newest first', () => {
    const entries = timelineOf({
      story,
      tasks,
      events: [
        anEvent({ id: 'accepted', kind: 'human_accepted', at: at(9) }),
        anEvent({
          id: 'v',
          at: at(7),
          payload: { criterion: 'Fast', verdict: 'fail', agent: 'codex', evidence: '2 s' },
        }),
      ],
      executions: [
        anExecution({ task_id: 't', agent: 'claude', started_at: at(2), finished_at: at(4), cost_usd: 1.5 }),
      ],
    })
    assert.deepEqual(
      entries.map(({ kind, title, detail }) => [kind, title, detail]),
      [
        ['decision', 'The story was accepted', 'by kim'],
        ['evaluation', 'A criterion does not hold', 'by codex · Fast · 2 s'],
        ['decision', 'Store was rejected', 'by kim · “Lock it”'],
        ['execution', 'Store finished', 'claude · 2m00s · $1.50'],
        ['decision', 'The plan was approved', 'by kim'],
        ['note', 'The story was created', ''],
      ],
    )
  })

  it('takes payloads of any form, and stays in order', () => {
    const kinds = ['eval_verdict', 'arbitration_decided', 'retro_captured', 'epic_proposed', 'human_accepted'] as const
    const events = fc.array(
      fc.record({
        id: fc.uuid(),
        kind: fc.constantFrom(...kinds),
        minute: fc.nat({ max: 59 }),
        payload: fc.dictionary(
          fc.constantFrom('criterion', 'verdict', 'agent', 'decided', 'title', 'cost_usd'),
          fc.jsonValue(),
        ),
      }),
    )
    fc.assert(
      fc.property(events, (given) => {
        const told = given.map(({ id, kind, minute, payload }) => anEvent({ id, kind, at: at(minute), payload }))
        const entries = timelineOf({ story: aStoryRecord({ created_at: at(0) }), tasks, events: told, executions: [] })
        assert.equal(entries.length, given.length + 2)
        const times = entries.map((entry) => Date.parse(entry.at))
        assert.deepEqual(
          times,
          times.toSorted((a, b) => b - a),
        )
      }),
    )
  })
})

describe('the facts of a story', () => {
  it('name what keeps it from going on, and what waits for that', () => {
    const tasks = [
      aTaskRecord({
        id: 'a',
        state: 'FAILED',
        actions: ['run'],
        changes: { files: 1, insertions: 2, deletions: 1 },
        cost_usd: 0.5,
      }),
      aTaskRecord({ id: 'b', depends_on: ['a'] }),
      aTaskRecord({ id: 'c', depends_on: ['a'] }),
    ]
    assert.deepEqual(storyFacts(tasks), {
      insertions: 2,
      deletions: 1,
      costUSD: 0.5,
      trouble: '1 task failed: 2 others wait for it',
      waiting: 2,
    })
    assert.equal(storyFacts([aTaskRecord()]).trouble, undefined)
  })

  it('say what accepting will do, by the project', () => {
    const story = aStoryRecord({ branch_name: 'story/x' })
    assert.match(storyAcceptEffect(story, 'none').words, /leaves the work on story\/x/)
  })
})

describe('the tasks of a story', () => {
  it('stand behind what they wait for, and subtasks behind their parent', () => {
    const tasks = [
      aTaskRecord({ id: 'last', depends_on: ['first'] }),
      aTaskRecord({ id: 'part-2', parent_task_id: 'first', depends_on: ['part-1'] }),
      aTaskRecord({ id: 'first' }),
      aTaskRecord({ id: 'part-1', parent_task_id: 'first' }),
    ]
    assert.deepEqual(
      inChainOrder(tasks).map(({ id }) => id),
      ['first', 'part-1', 'part-2', 'last'],
    )
  })

  it('are all listed, whatever hangs on what', () => {
    const ids = ['a', 'b', 'c', 'd']
    const anyTask = fc.record({
      depends_on: fc.subarray(ids),
      parent_task_id: fc.constantFrom(...ids, 'gone'),
    })
    fc.assert(
      fc.property(fc.array(anyTask, { minLength: 4, maxLength: 4 }), (parts) => {
        const tasks = parts.map((part, index) => aTaskRecord({ id: ids[index] ?? '', ...part }))
        assert.deepEqual(new Set(inChainOrder(tasks).map(({ id }) => id)), new Set(ids))
      }),
    )
  })

  it('have in the graph the state of their record', () => {
    const graph = { nodes: [{ id: 'a', name: 'A', role: 'root' as const, state: 'PENDING' as const }], edges: [] }
    const [item] = graphItems(graph, [aTaskRecord({ id: 'a', name: 'A', state: 'READY', cost_usd: 2 })], 0)
    assert.deepEqual([item?.words.text, item?.detail], ['Ready for review', '$2.00'])
  })
})

describe('the address of a story', () => {
  it('names its tab, and nothing for the first or an unknown one', () => {
    assert.deepEqual(
      [parseStorySearch({ tab: 'tasks' }), parseStorySearch({ tab: 'overview' }), parseStorySearch({ tab: 3 })],
      [{ tab: 'tasks' }, {}, {}],
    )
  })
})

describe('the timeline of a story of very many tasks', () => {
  const tasks = Array.from({ length: 5 }, (_, index) =>
    aTaskRecord({
      id: `t${index}`,
      attempts: index === 2 ? 0 : 1,
      updated_at: at(10 + index),
      decisions: [{ action: 'run', at: at(10 + index) }],
    }),
  )

  it('reads the executions of those that were worked on and changed last', () => {
    assert.deepEqual(
      latestWorkedOn(tasks, 3).map(({ id }) => id),
      ['t4', 't3', 't1'],
    )
  })

  it('reaches back to where it is complete', () => {
    const story = aStoryRecord({ created_at: at(0) })
    const entries = timelineOf({ story, tasks, events: [], executions: [] }, at(12))
    assert.deepEqual(
      entries.map(({ taskId }) => taskId),
      ['t4', 't3', 't2'],
    )
  })
})
