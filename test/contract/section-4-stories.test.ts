/** Section 4, the endpoints of stories, epics and projects. */
import assert from 'node:assert/strict'
import { aClaude, playOperator } from '../api-server/queries/query-operator.ts'
import { endDelivery } from '../api-server/deliveries.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../api-server/rig.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'

describe('the contract, section 4: stories, epics and projects', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.post('/api/projects', { id: 'site', name: 'Site', remote_url: 'https://git.example/site.git' })
    await api.post('/api/epics', { id: 'money', name: 'Money' })
  })
  after(() => api.stop())

  const story = async (id: string, fields = {}) => {
    const answer = await api.post('/api/stories', { id, name: id, ...fields })
    assert.equal(answer.status, 201, answer.text)
    return answer
  }
  const read = async (id: string) => (await api.get(`/api/stories/${id}`)).body
  const addTask = (id: string, fields: object) => api.post(`/api/stories/${id}/tasks`, { name: 'A task', ...fields })
  const move = async (id: string, ...statuses: string[]) => {
    for (const status of statuses) {
      const answer = await api.put(`/api/stories/${id}/status`, { status })
      assert.equal(answer.status, 200, answer.text)
    }
  }

  row('4.stories.elaborate', 'lets an agent plan a story in the repository of its project, storing none', async () => {
    await api.givenAgent(aClaude())
    await until('claude is known', async () => (await api.get('/api/agents/claude')).status === 200)
    const operator = playOperator(api)
    const asked = api.post('/api/stories/elaborate', { prompt: 'I want exports', project_id: 'site' })
    const { execution, name } = await operator.next()
    assert.equal(execution.spec.projectRef?.name, 'site')
    const plan = {
      name: 'Exports',
      branch_name: 'story/exports',
      spec: 'Take data out.',
      acceptance_criteria: ['CSV is printed'],
      tasks: [{ name: 'Write', description: 'In report.ts.', agent: 'claude', subtasks: [] }],
      validation: { type: 'test', steps: ['npm test'], success_criteria: 'All pass.' },
    }
    await operator.answer(name, plan)
    const { status, body } = await asked
    assert.deepEqual([status, body], [200, plan])
    assert.deepEqual((await api.get('/api/stories')).body, [])
  })

  row(
    '4.stories.approve',
    'makes story and tasks of a plan, one behind the other, once the branch is made',
    async () => {
      const tasks = [
        { name: 'Write', description: 'w', subtasks: [{ name: 'Test', description: 't' }] },
        { name: 'Print', description: 'p' },
      ]
      const plan = { name: 'Exports', branch_name: 'story/exports', tasks, project_id: 'site' }
      const asked = api.post('/api/stories/approve', plan)
      const { spec } = await endDelivery(api)
      assert.deepEqual(spec.delivery, { kind: 'CreateBranch', branch: 'story/exports' })
      const { status, body } = await asked
      assert.deepEqual([status, at(body, 'story.status'), at(body, 'story.project_id')], [201, 'BACKLOG', 'site'])
      const made = itemsOf(at(body, 'tasks'))
      const [write, test, print] = idsOf(at(body, 'tasks'))
      assert.deepEqual(
        made.map((task) => [at(task, 'depends_on'), at(task, 'parent_task_id')]),
        [
          [[], undefined],
          [[], write],
          [[write], undefined],
        ],
      )
      for (const task of made)
        assert.deepEqual([at(task, 'project'), at(task, 'repository_url')], ['site', 'https://git.example/site.git'])
      const chain = idsOf((await api.get(`/api/stories/${textAt(body, 'story.id')}/tasks`)).body)
      assert.deepEqual(new Set(chain), new Set([write, test, print]))
      await api.delete(`/api/stories/${textAt(body, 'story.id')}`)
    },
  )

  row('4.stories.list', 'lists all, by status and then by priority', async () => {
    await story('list-c', { status: 'BACKLOG', priority: 2 })
    await story('list-b', { status: 'BACKLOG', priority: 1 })
    await story('list-a', { status: 'FRAMING', priority: 9 })
    const { status, body } = await api.get('/api/stories')
    assert.equal(status, 200)
    const ours = itemsOf(body).map((record) => textAt(record, 'id'))
    assert.deepEqual(
      ours.filter((id) => id.startsWith('list-')),
      ['list-a', 'list-b', 'list-c'],
    )
  })

  row('4.stories.create', 'needs nothing but a name: 201, DISCOVERY, the branch story/<id>', async () => {
    const { status, headers, body } = await api.post('/api/stories', { name: 'Checkout' })
    const id = textAt(body, 'id')
    assert.deepEqual([status, headers.get('location')], [201, `/api/stories/${id}`])
    const expected = { name: 'Checkout', status: 'DISCOVERY', branch_name: `story/${id}`, tasks: { total: 0, done: 0 } }
    assert.deepEqual({ ...(body as object), ...expected }, body)
    assert.equal((await api.post('/api/stories', {})).status, 400)
    assert.equal((await api.post('/api/stories', { name: 'x', project_id: 'nobody' })).status, 400)
  })

  row('4.stories.create', 'takes any status but SHIPPABLE, REVIEW_READY and DONE', async () => {
    for (const status of ['DISCOVERY', 'FRAMING', 'BACKLOG', 'PRIORITIZED', 'IN_PROGRESS', 'VALIDATING'])
      assert.equal((await api.post('/api/stories', { name: 'x', status })).status, 201, status)
    for (const status of ['SHIPPABLE', 'REVIEW_READY', 'DONE', 'SHIPPED'])
      assert.equal((await api.post('/api/stories', { name: 'x', status })).status, 400, status)
  })

  row('4.stories.get', 'gives every field that a create names, 404 for none', async () => {
    const fields = {
      branch_name: 'feature/full',
      status: 'FRAMING',
      project_id: 'site',
      epic_id: 'money',
      priority: 3,
      spec: 'As a customer',
      acceptance_criteria: ['It is quick', 'It is right'],
    }
    await story('full', fields)
    const body = await read('full')
    assert.deepEqual({ ...(body as object), id: 'full', name: 'full', ...fields }, body)
    const none = await api.get('/api/stories/none')
    assert.deepEqual([none.status, none.body], [404, { error: 'story not found' }])
  })

  row('4.stories.put', 'merges what is given, null clears, what is read-only must be equal', async () => {
    await story('edited', { epic_id: 'money', spec: 'Old' })
    const put = (fields: object) => api.put('/api/stories/edited', fields)
    const first = await put({ priority: 7 })
    assert.deepEqual([first.status, at(first.body, 'priority'), at(first.body, 'spec')], [200, 7, 'Old'])
    assert.equal(at((await put({ epic_id: null })).body, 'epic_id'), undefined)
    assert.equal((await put({ id: 'edited', status: 'DISCOVERY' })).status, 200)
    const readOnly = await put({ id: 'other' })
    assert.deepEqual([readOnly.status, readOnly.body], [400, { error: 'id is read-only' }])
    assert.match(textAt((await put({ colour: 'red' })).body, 'error'), /colour/)
    assert.equal((await api.put('/api/stories/none', { priority: 1 })).status, 404)
  })

  row('4.stories.status', 'gives the moved story; an illegal move is 409, an unknown status 400', async () => {
    await story('moved')
    const tries = async (status: unknown) => {
      const answer = await api.put('/api/stories/moved/status', { status })
      return [answer.status, at(answer.body, 'status') ?? at(answer.body, 'error')]
    }
    assert.deepEqual(await tries('FRAMING'), [200, 'FRAMING'])
    assert.deepEqual(await tries('DONE'), [409, 'story cannot move from FRAMING to DONE'])
    assert.equal((await tries('NOWHERE'))[0], 400)
    assert.equal((await api.put('/api/stories/none/status', { status: 'FRAMING' })).status, 404)
  })

  row('4.stories.add-task', 'chains each task to the one before, in the story and its project', async () => {
    await story('chained', { project_id: 'site' })
    const ids: string[] = []
    for (const n of [1, 2, 3]) {
      const { status, body } = await addTask('chained', { name: `Task ${n}` })
      assert.deepEqual([status, at(body, 'story_id')], [201, 'chained'])
      assert.deepEqual(at(body, 'depends_on') ?? [], ids.slice(-1))
      ids.push(textAt(body, 'id'))
    }
    assert.equal(at(await read('chained'), 'root_task_id'), ids[0])
    assert.equal((await addTask('none', {})).status, 404)
  })

  row('4.stories.add-task', 'a DONE story takes none: 409', async () => {
    await story('closed', { status: 'VALIDATING' })
    await move('closed', 'REVIEW_READY', 'DONE')
    const { status, body } = await addTask('closed', {})
    assert.deepEqual([status, body], [409, { error: 'story is DONE' }])
  })

  row('4.stories.tasks', 'lists the tasks of the story in chain order', async () => {
    await story('listed')
    for (const id of ['z-first', 'm-second', 'a-third']) await addTask('listed', { id })
    const { status, body } = await api.get('/api/stories/listed/tasks')
    assert.deepEqual([status, idsOf(body)], [200, ['z-first', 'm-second', 'a-third']])
    assert.equal((await api.get('/api/stories/none/tasks')).status, 404)
  })

  row('4.stories.accept', 'moves REVIEW_READY to DONE without a body; elsewhere 409 naming the status', async () => {
    await story('accepted', { status: 'VALIDATING' })
    const early = await api.post('/api/stories/accepted/accept')
    assert.deepEqual([early.status, early.body], [409, { error: 'story cannot be accepted from status VALIDATING' }])
    await move('accepted', 'REVIEW_READY')
    assert.equal((await api.post('/api/stories/accepted/accept')).status, 200)
    assert.equal(at(await read('accepted'), 'status'), 'DONE')
    assert.equal((await api.post('/api/stories/none/accept')).status, 404)
  })

  row('4.epics.stories', 'lists the stories of the epic alone, 404 for no epic', async () => {
    await api.post('/api/epics', { id: 'speed', name: 'Speed' })
    await story('fast', { epic_id: 'speed' })
    await story('slow', { epic_id: 'money' })
    const { status, body } = await api.get('/api/epics/speed/stories')
    assert.deepEqual([status, idsOf(body)], [200, ['fast']])
    assert.equal((await api.get('/api/epics/none/stories')).status, 404)
  })

  row('4.projects.list', 'lists the projects', async () => {
    const { status, body } = await api.get('/api/projects')
    assert.equal(status, 200)
    assert.equal(
      at(
        itemsOf(body).find((project) => at(project, 'id') === 'site'),
        'name',
      ),
      'Site',
    )
  })

  row('4.projects.create', 'needs name and remote_url: 201 with Location, a taken id 409', async () => {
    const fields = {
      id: 'shop',
      name: 'Shop',
      remote_url: 'git@git.example:shop.git',
      local_path: `${api.workspaceRoot}/shop`,
    }
    const { status, headers, body, text } = await api.post('/api/projects', fields)
    assert.deepEqual([status, headers.get('location')], [201, '/api/projects/shop'], text)
    assert.deepEqual({ ...(body as object), ...fields }, body)
    assert.equal((await api.post('/api/projects', fields)).status, 409)
    for (const missing of ['name', 'remote_url'] as const) {
      const { [missing]: _, ...rest } = fields
      const refused = await api.post('/api/projects', { ...rest, id: 'other' })
      assert.equal(refused.status, 400)
      assert.match(textAt(refused.body, 'error'), new RegExp(missing))
    }
  })

  row('4.projects.get', 'gives the project, 404 for none', async () => {
    const { status, body } = await api.get('/api/projects/site')
    assert.deepEqual([status, at(body, 'remote_url')], [200, 'https://git.example/site.git'])
    const none = await api.get('/api/projects/none')
    assert.deepEqual([none.status, none.body], [404, { error: 'project not found' }])
  })

  row('4.projects.put', 'merges what is given and gives the project', async () => {
    await api.post('/api/projects', { id: 'renamed', name: 'Old', remote_url: 'https://git.example/r.git' })
    const { status, body } = await api.put('/api/projects/renamed', { name: 'New', test_command: 'npm test' })
    assert.deepEqual(
      [status, at(body, 'name'), at(body, 'test_command'), at(body, 'remote_url')],
      [200, 'New', 'npm test', 'https://git.example/r.git'],
    )
    assert.equal(at((await api.put('/api/projects/renamed', { test_command: null })).body, 'test_command'), undefined)
    assert.equal((await api.put('/api/projects/none', { name: 'x' })).status, 404)
  })
})
