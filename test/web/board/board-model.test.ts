import assert from 'node:assert/strict'
import { STORY_STATUS_VALUES } from '../../../core/crd/enums.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { buildBoard, createBoardBuilder, createGrouping } from '../../../web/features/board/board-model.ts'
import { cardFacts } from '../../../web/features/board/card-facts.ts'
import { COLUMN_OF_STATUS } from '../../../core/story/columns.ts'
import { parseBoardSearch, UNASSIGNED } from '../../../web/features/board/search.ts'
import { anEpicRecord, aStoryRecord, aTaskRecord } from '../records.ts'

const NONE: readonly Task[] = []
const NOW = Date.parse('2026-01-01T12:00:00Z')

describe('the board', () => {
  it('has the columns of the contract', () => {
    assert.deepEqual(
      STORY_STATUS_VALUES.map((status) => `${status} ${COLUMN_OF_STATUS[status]}`),
      [
        'DISCOVERY discovery',
        'FRAMING discovery',
        'BACKLOG backlog',
        'PRIORITIZED prioritized',
        'IN_PROGRESS in-progress',
        'VALIDATING review',
        'REVIEW_READY review',
        'DONE done',
        'SHIPPABLE review',
      ],
    )
  })

  it('groups by epic, with a lane for stories without one, and counts what is done whatever the filter hides', () => {
    const stories = [
      aStoryRecord({ id: 'a', epic_id: 'e', status: 'DONE' }),
      aStoryRecord({ id: 'b', epic_id: 'e', name: 'Find me' }),
      aStoryRecord({ id: 'c' }),
      aStoryRecord({ id: 'd', epic_id: 'unknown' }),
    ]
    const epics = [anEpicRecord({ id: 'e', name: 'Epic' })]
    const board = buildBoard({ stories, epics, tasksOf: () => NONE, search: { q: 'find' } })
    assert.deepEqual(
      board.lanes.map(({ id, done, total, shown }) => [id, done, total, shown]),
      [
        ['e', 1, 2, 1],
        ['unknown', 0, 1, 0],
        [UNASSIGNED, 0, 1, 0],
      ],
    )
    assert.deepEqual([board.counts.backlog, board.counts.done, board.shown], [1, 0, 1])
  })

  it('keeps the list of a story whose tasks are the same, so that its card is not drawn again', () => {
    const [one, two] = [aTaskRecord({ id: '1', story_id: 'a' }), aTaskRecord({ id: '2', story_id: 'b' })]
    const group = createGrouping()
    const before = group([one, two])
    const after = group([one, { ...two, state: 'RUNNING' }])
    assert.equal(after.get('a'), before.get('a'))
    assert.notEqual(after.get('b'), before.get('b'))
  })

  it('stays the same objects where nothing has changed, so that one event renders one card', () => {
    const stories = ['a', 'b'].map((id) => aStoryRecord({ id, status: id === 'a' ? 'BACKLOG' : 'DONE' }))
    const tasks = new Map(stories.map(({ id }) => [id, [aTaskRecord({ id: `task-${id}`, story_id: id })]]))
    const epics = [anEpicRecord({ id: 'e' })]
    const build = createBoardBuilder()
    const facts = { stories, epics, tasksOf: (id: string) => tasks.get(id) ?? NONE, search: {} }
    const before = build(facts)
    tasks.set('a', [aTaskRecord({ id: 'task-a', story_id: 'a', state: 'RUNNING' })])
    const after = build({ ...facts })
    const [empty, lane] = after.lanes
    assert.equal(empty, before.lanes[0])
    assert.equal(lane?.cells.done, before.lanes[1]?.cells.done)
    assert.notEqual(lane?.cells.backlog, before.lanes[1]?.cells.backlog)
    assert.deepEqual(after, buildBoard(facts))
  })
})

describe('a card', () => {
  it('shows what needs a person before what runs', () => {
    const tasks = [
      aTaskRecord({ id: '1', state: 'RUNNING', agent: { type: 'claude' } }),
      aTaskRecord({ id: '2', state: 'FAILED', actions: ['run'], error: 'first line\nsecond', error_category: 'git' }),
    ]
    const facts = cardFacts(aStoryRecord({ status: 'IN_PROGRESS' }), tasks, NOW)
    assert.deepEqual([facts.state?.text, facts.isWaiting, facts.failure], ['Failed: git', true, 'first line'])
  })

  it('shows characters of a failure that would turn its text', () => {
    const tasks = [aTaskRecord({ state: 'FAILED', actions: ['run'], error: 'no \u202egnp.exe' })]
    assert.equal(cardFacts(aStoryRecord({ status: 'IN_PROGRESS' }), tasks, NOW).failure, 'no [U+202E]gnp.exe')
  })

  it('names the agent at work, and sums what the tasks changed and cost', () => {
    const changes = { files: 1, insertions: 3, deletions: 2 }
    const tasks = [
      aTaskRecord({ id: '1', state: 'COMPLETED', changes, cost_usd: 0.5, created_at: '2026-01-01T00:00:00Z' }),
      aTaskRecord({
        id: '2',
        state: 'RUNNING',
        agent: { type: 'codex' },
        started_at: '2026-01-01T11:00:00Z',
        cost_usd: 1,
      }),
    ]
    const facts = cardFacts(aStoryRecord({ status: 'IN_PROGRESS' }), tasks, NOW)
    assert.deepEqual([facts.state?.text, facts.isWaiting, facts.steps], ['Running', false, ['done', 'run']])
    assert.deepEqual([facts.agents, facts.runningSince], [['codex'], '2026-01-01T11:00:00Z'])
    assert.deepEqual([facts.insertions, facts.deletions, facts.costUSD], [3, 2, 1.5])
  })
})

describe('the filters in the URL', () => {
  it('are read as they were written, and what is unknown or empty is left out', () => {
    assert.deepEqual(parseBoardSearch({ q: 12, epic: '-', project: '', waiting: true, other: 'x' }), {
      q: '12',
      epic: '-',
      waiting: true,
    })
    assert.deepEqual(parseBoardSearch({ waiting: 'no', agent: ['a'] }), {})
  })

  it('find a story by its tasks, its agent, and by what waits', () => {
    const stories = [aStoryRecord({ id: 'a' }), aStoryRecord({ id: 'b', status: 'REVIEW_READY', actions: ['accept'] })]
    const tasks = [aTaskRecord({ name: 'Deep inside', agent: { type: 'claude' }, state: 'READY', actions: ['accept'] })]
    const shown = (search: Parameters<typeof buildBoard>[0]['search']): number =>
      buildBoard({ stories, epics: [], tasksOf: (id) => (id === 'a' ? tasks : NONE), search }).shown
    assert.deepEqual([shown({ q: 'inside' }), shown({ agent: 'claude' }), shown({ waiting: true })], [1, 1, 2])
    assert.deepEqual([shown({ epic: UNASSIGNED }), shown({ project: 'p' })], [2, 0])
  })
})
