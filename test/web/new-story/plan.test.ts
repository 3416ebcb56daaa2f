import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { layoutGraph } from '../../../web/components/graph/layout.ts'
import { formatDraft, NO_DRAFT, parseDraft } from '../../../web/features/new-story/draft.ts'
import { planGraph } from '../../../web/features/new-story/plan-graph.ts'
import {
  type Plan,
  type TaskEdit,
  approvalWords,
  editTasks,
  emptyPlan,
  fieldsOf,
  planOf,
  toApproval,
} from '../../../web/features/new-story/plan.ts'
import { runs } from '../../helpers/runs.ts'

const ANSWER = {
  name: 'Exports',
  branch_name: 'story/exports',
  spec: 'As CSV.',
  acceptance_criteria: ['CSV is printed'],
  tasks: [
    { name: 'Write', description: 'In report.ts.', agent: 'claude', subtasks: [{ name: 'Part', description: 'One' }] },
    { name: 'Document', description: 'In README.' },
  ],
  validation: { type: 'test', steps: ['npm test'], success_criteria: 'All pass.' },
}

const edits: fc.Arbitrary<TaskEdit> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const) }),
  fc.record({ kind: fc.constant('add' as const), to: fc.constantFrom('1', '2', '3') }),
  fc.record({ kind: fc.constant('remove' as const), key: fc.constantFrom('1', '2', '1.1', '3', '4') }),
  fc.record({
    kind: fc.constant('move' as const),
    key: fc.constantFrom('1', '2', '1.1', '3', '4'),
    by: fc.constantFrom(1 as const, -1 as const),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    key: fc.constantFrom('1', '2', '3'),
    values: fc.record({ name: fc.string(), agent: fc.constantFrom('', 'claude') }),
  }),
)

const edited = fc
  .array(edits, { maxLength: 30 })
  .map((steps): Plan => ({ ...planOf(ANSWER, 'shop'), tasks: steps.reduce(editTasks, planOf(ANSWER, 'shop').tasks) }))

const keysOf = ({ tasks }: Plan): string[] =>
  tasks.flatMap(({ key, subtasks }) => [key, ...subtasks.map((part) => part.key)])

describe('a plan', () => {
  it('goes to the server as the agent proposed it', () => {
    assert.deepEqual(toApproval(planOf(ANSWER, 'shop')), { ...ANSWER, project_id: 'shop', run_policy: 'manual' })
  })

  it('leaves out what is empty', () => {
    assert.deepEqual(toApproval(emptyPlan('shop')), {
      project_id: 'shop',
      name: '',
      run_policy: 'manual',
      tasks: [{ name: '' }],
    })
  })

  it('moves, adds and removes tasks', () => {
    const { tasks } = planOf(ANSWER, 'shop')
    const namesAfter = (...steps: TaskEdit[]): string[] => steps.reduce(editTasks, tasks).map(({ name }) => name)
    assert.deepEqual(namesAfter({ kind: 'move', key: '2', by: -1 }), ['Document', 'Write'])
    assert.deepEqual(namesAfter({ kind: 'move', key: '1', by: -1 }), ['Write', 'Document'])
    assert.deepEqual(namesAfter({ kind: 'remove', key: '1' }, { kind: 'add' }), ['Document', ''])
    const [first] = editTasks(tasks, { kind: 'add', to: '1' })
    assert.deepEqual(first?.subtasks.length, 2)
  })

  it('keeps keys that tell tasks apart, and makes a graph of one chain, through any edits', () => {
    fc.assert(
      fc.property(edited, (plan) => {
        const keys = keysOf(plan)
        assert.equal(new Set(keys).size, keys.length)
        const { items, links } = planGraph(plan)
        assert.deepEqual(new Set(items.map(({ id }) => id)), new Set(keys))
        const layers = new Map(layoutGraph(keys, links).nodes.map(({ id, layer }) => [id, layer]))
        for (const { from, to } of links) assert.ok((layers.get(from) ?? 0) < (layers.get(to) ?? 0))
      }),
      { numRuns: runs(40) },
    )
  })

  it('calls its fields as the refusals of the server call them', () => {
    const fields = fieldsOf(planOf(ANSWER, 'shop'))
    assert.ok(fields.includes('tasks[1].name') && fields.includes('tasks[0].subtasks[0].description'))
  })
})

describe('a draft of a plan', () => {
  it('survives a reload whatever was edited', () => {
    fc.assert(
      fc.property(edited, fc.string({ minLength: 1 }), (plan, prompt) => {
        const draft = { prompt, projectId: 'shop', plan }
        assert.deepEqual(parseDraft(formatDraft(draft)), draft)
      }),
    )
  })

  it('is none where nothing was begun, or what is stored is something else', () => {
    assert.equal(formatDraft(NO_DRAFT), '')
    for (const text of ['', 'no JSON', '3', '{"prompt": 1}']) assert.equal(parseDraft(text), NO_DRAFT)
    assert.equal(parseDraft('{"prompt":"a","projectId":"b","plan":{"tasks":[{}]}}').plan, undefined)
  })
})

describe('what approving a plan does', () => {
  const plan = planOf(ANSWER, 'shop')

  it('names the branch, the tasks, and that nothing runs', () => {
    assert.equal(
      approvalWords(plan),
      'Approving pushes the branch story/exports, and puts the story with its 3 tasks into the Backlog: all of it or nothing. Nothing runs until somebody runs the story.',
    )
  })

  it('names what begins to run, and with which agent', () => {
    assert.match(
      approvalWords({ ...plan, startsAtOnce: true }),
      / “Write” then starts at once with claude, and each further task after the one before it\.$/,
    )
    assert.match(
      approvalWords({ ...emptyPlan('shop', 'A wish'), startsAtOnce: true }),
      /^Approving pushes a branch that is named after the story, .* with its task .* The first task then starts at once with the agent that the rules choose\.$/,
    )
  })
})
