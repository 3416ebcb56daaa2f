import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import {
  beginForm,
  EMPTY_TASK,
  findMissing,
  parseDraft,
  parseNewTaskSearch,
  toTaskCreate,
} from '../../../web/features/new-task/task-form.ts'

describe('the form of a new task', () => {
  it('sends what was filled in, and nothing else', () => {
    assert.deepEqual(toTaskCreate({ ...EMPTY_TASK, name: ' Fix it ' }), { name: 'Fix it' })
    const form = {
      ...EMPTY_TASK,
      name: 'A',
      agent: 'script',
      instructions: 'true',
      budget_usd: '1.5',
      depends_on: ['b'],
    }
    assert.deepEqual(toTaskCreate({ ...form, run_policy: 'auto' }), {
      name: 'A',
      depends_on: ['b'],
      budget_usd: 1.5,
      agent: { type: 'script', instructions: 'true' },
      run_policy: 'auto',
    })
  })

  it('comes back from its draft, and from no other text', () => {
    const form = { ...EMPTY_TASK, name: 'A', depends_on: ['x'], description: 'long\ntext' }
    assert.deepEqual(parseDraft(JSON.stringify(form)), form)
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json()),
        (text) => Object.keys(parseDraft(text)).length === Object.keys(EMPTY_TASK).length,
      ),
    )
    assert.deepEqual(parseDraft('{"name": 7, "depends_on": [1]}'), EMPTY_TASK)
  })

  it('takes from the address what it belongs to', () => {
    assert.deepEqual(parseNewTaskSearch({ story: 's', parent: '', project: 3 }), { story: 's' })
  })

  it('goes on from the task that the address names, with its agent, whatever the draft says', () => {
    const draft = { ...EMPTY_TASK, name: 'kept', agent: 'gemini', continues: 'other' }
    const places = { projects: [], stories: [], tasks: [], agents: [] }
    const begin = (search: Record<string, unknown>) =>
      toTaskCreate(beginForm(draft, parseNewTaskSearch(search), places))
    const { continues, agent, name, project } = begin({ continues: 'done', agent: 'claude', project: 'shop' })
    assert.deepEqual([continues, agent?.type, name, project], ['done', 'claude', 'kept', 'shop'])
    assert.deepEqual([begin({}).continues, begin({}).agent?.type], ['other', 'gemini'])
  })
})

describe('where a new task is to work', () => {
  const places = {
    projects: [{ id: 'shop' }, { id: 'site' }],
    stories: [{ id: 'of-shop', project_id: 'shop' }, { id: 'of-none' }],
    tasks: [{ id: 'with-url', repository_url: '/srv/shop' }, { id: 'bare' }],
    agents: [
      { id: 'claude', adapter: 'claude' as const },
      { id: 'sh', adapter: 'script' as const },
    ],
  }
  const only = { ...places, projects: [{ id: 'shop' }] }

  it('is the only project, unless something else says it or there are several', () => {
    const begin = (search: object, draft = EMPTY_TASK, among = only) => beginForm(draft, search, among).project
    assert.equal(begin({}), 'shop')
    assert.equal(begin({ story: 'of-none' }), 'shop')
    assert.equal(begin({ story: 'of-shop' }), '')
    assert.equal(begin({}, { ...EMPTY_TASK, repository_url: '/srv/other' }), '')
    assert.equal(begin({}, EMPTY_TASK, places), '')
    assert.equal(begin({ project: 'site' }), 'site')
  })

  it('has to be known before it runs, from itself, its story or its parent', () => {
    const field = (form: object) => findMissing({ ...EMPTY_TASK, ...form }, places)?.field
    assert.equal(field({}), 'project')
    assert.equal(field({ story_id: 'of-none', parent_task_id: 'bare' }), 'project')
    for (const place of [
      { project: 'shop' },
      { repository_url: '/srv/shop' },
      { story_id: 'of-shop' },
      { story_id: 'not-read-yet' },
      { parent_task_id: 'with-url' },
    ])
      assert.equal(field(place), undefined, JSON.stringify(place))
  })

  it('is not all that a script needs', () => {
    const field = (form: object) => findMissing({ ...EMPTY_TASK, project: 'shop', ...form }, places)?.field
    assert.equal(field({ agent: 'sh' }), 'agent.instructions')
    assert.equal(field({ agent: 'sh', instructions: 'true' }), undefined)
    assert.equal(field({ agent: 'claude' }), undefined)
  })
})
