/** Section 4, the endpoints of tasks and executions; what a runner leaves behind is written as the operator would. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEvents } from '../api-server/streams/event-source.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../api-server/rig.ts'
import { aTask, anExecution } from '../helpers/build.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { row } from './contract.ts'

describe('the contract, section 4: tasks', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const create = async (fields: object) => {
    const { status, body, text } = await api.post('/api/tasks', { name: 'A task', ...fields })
    assert.equal(status, 201, text)
    return textAt(body, 'id')
  }

  row(
    '4.tasks.list',
    'lists all, newest first, and those of one state; READY ones carry deployment_status',
    async () => {
      await api.given(aTask({ name: 'list-ready', status: { state: 'READY' } }))
      const ids = [await create({}), await create({})]
      const all = await api.get('/api/tasks')
      assert.equal(all.status, 200)
      for (const id of ids) assert.ok(idsOf(all.body).includes(id))
      const times = itemsOf(all.body).map((task) => textAt(task, 'created_at'))
      assert.deepEqual(times, times.toSorted().toReversed())
      const ready = itemsOf((await api.get('/api/tasks?state=READY')).body)
      const record = ready.find((task) => at(task, 'id') === 'list-ready')
      assert.deepEqual(at(record, 'deployment_status'), { deployed_commit: '', fix_commits: [], includes_fix: false })
      const pending = itemsOf((await api.get('/api/tasks?state=PENDING')).body)
      assert.ok(pending.length >= 2 && pending.every((task) => at(task, 'state') === 'PENDING'))
      assert.ok(pending.every((task) => at(task, 'deployment_status') === undefined))
    },
  )

  row('4.tasks.list', 'an unknown state is 400 naming it', async () => {
    const { status, body } = await api.get('/api/tasks?state=SLEEPING')
    assert.equal(status, 400)
    assert.match(textAt(body, 'error'), /SLEEPING|state/)
  })

  row('4.tasks.create', 'answers 201 with Location and the record, which GET then gives', async () => {
    await api.post('/api/projects', { id: 'site', name: 'Site', remote_url: 'https://git.example/site.git' })
    const agent = { type: 'script', model: 'm', instructions: 'true', allowed_tools: ['Read', 'Bash'] }
    const fields = {
      name: 'Fix login',
      description: 'It is broken',
      project: 'site',
      elaboration_input: 'make login work',
      repository_url: 'https://git.example/site.git',
      container_image: 'example/image:1',
      agent,
    }
    const { status, headers, body } = await api.post('/api/tasks', fields)
    assert.equal(status, 201)
    const id = textAt(body, 'id')
    assert.match(id, /^task-[0-9a-z]+$/)
    assert.equal(headers.get('location'), `/api/tasks/${id}`)
    const read = (await api.get(`/api/tasks/${id}`)).body
    assert.deepEqual(read, body)
    assert.deepEqual({ ...(read as object), ...fields, id, state: 'PENDING' }, read)
  })

  row('4.tasks.create', 'the legacy key claude counts as agent; a taken id is 409', async () => {
    await api.post('/api/agents', { id: 'claude', adapter: 'claude' })
    const id = await create({ id: 'legacy', claude: { model: 'opus', instructions: 'Do it' } })
    const agent = at((await api.get(`/api/tasks/${id}`)).body, 'agent')
    assert.deepEqual([at(agent, 'model'), at(agent, 'instructions')], ['opus', 'Do it'])
    assert.equal((await api.post('/api/tasks', { id: 'legacy', name: 'again' })).status, 409)
  })

  row('4.tasks.create', 'an unknown agent, dependency, project or field is 400 naming it', async () => {
    const wrong = [{ agent: { type: 'nobody' } }, { depends_on: ['nobody'] }, { project: 'nobody' }, { nobody: 1 }]
    for (const fields of wrong) {
      const { status, body } = await api.post('/api/tasks', { name: 'x', ...fields })
      assert.equal(status, 400, JSON.stringify(fields))
      assert.match(textAt(body, 'error'), /nobody/)
    }
    const nameless = await api.post('/api/tasks', { description: 'x' })
    assert.deepEqual([nameless.status, /name/.test(textAt(nameless.body, 'error'))], [400, true])
  })

  row('4.tasks.get', 'gives the record, with deployment_status when it is READY, and 404 for none', async () => {
    const id = await create({})
    assert.equal(at((await api.get(`/api/tasks/${id}`)).body, 'deployment_status'), undefined)
    await api.given(aTask({ name: 'get-ready', status: { state: 'READY' } }))
    const status = at((await api.get('/api/tasks/get-ready')).body, 'deployment_status')
    assert.deepEqual(Object.keys(status as object).toSorted(), ['deployed_commit', 'fix_commits', 'includes_fix'])
    const none = await api.get('/api/tasks/none')
    assert.deepEqual([none.status, none.body], [404, { error: 'task not found' }])
  })

  row(
    '4.tasks.delete',
    'answers 204 and the task is gone at once; RUNNING, depended on or with subtasks 409',
    async () => {
      const id = await create({})
      const gone = await api.delete(`/api/tasks/${id}`)
      assert.deepEqual([gone.status, gone.text], [204, ''])
      assert.equal((await api.get(`/api/tasks/${id}`)).status, 404)
      const again = await api.delete(`/api/tasks/${id}`)
      assert.deepEqual([again.status, again.body], [404, { error: 'task not found' }])
      await api.given(aTask({ name: 'busy', status: { state: 'RUNNING' } }))
      const busy = await api.delete('/api/tasks/busy')
      assert.deepEqual([busy.status, busy.body], [409, { error: 'task cannot be deleted from state RUNNING' }])
      const [base, parent] = [await create({}), await create({})]
      const [dependent, child] = [await create({ depends_on: [base] }), await create({ parent_task_id: parent })]
      for (const [what, by] of [
        [base, dependent],
        [parent, child],
      ]) {
        const { status, body } = await api.delete(`/api/tasks/${what}`)
        assert.equal(status, 409)
        assert.ok(textAt(body, 'error').includes(String(by)))
      }
    },
  )

  row(
    '4.tasks.run',
    'answers 202; ?agent= chooses the agent; an unknown one is 400 and nothing is queued',
    async () => {
      const id = await create({})
      const unknown = await api.post(`/api/tasks/${id}/run?agent=nobody`)
      assert.equal(unknown.status, 400)
      assert.match(textAt(unknown.body, 'error'), /nobody/)
      const { status, body } = await api.post(`/api/tasks/${id}/run?agent=script`)
      assert.deepEqual([status, body], [202, { message: 'task queued for execution', task_id: id }])
      const record = (await api.get(`/api/tasks/${id}`)).body
      assert.deepEqual([at(record, 'state'), at(record, ['agent', 'type'])], ['QUEUED', 'script'])
      assert.equal((await api.post('/api/tasks/none/run')).status, 404)
    },
  )

  row('4.tasks.run', 'another agent than script for a task that says script is 400', async () => {
    await api.post('/api/agents', { id: 'other', adapter: 'claude' })
    const id = await create({ agent: { type: 'script', instructions: 'true' } })
    assert.equal((await api.post(`/api/tasks/${id}/run?agent=other`)).status, 400)
  })

  row('4.tasks.accept', 'needs no body, and ignores one and its type', async () => {
    await api.given(aTask({ name: 'accept-me', status: { state: 'READY' } }))
    const { status, body } = await api.post('/api/tasks/accept-me/accept', 'not json', { 'Content-Type': 'text/plain' })
    assert.deepEqual([status, body], [200, { message: 'task accepted', task_id: 'accept-me' }])
  })

  row('4.tasks.reject', 'takes a comment that is a string, another type is 400 and changes nothing', async () => {
    await api.given(aTask({ name: 'reject-me', status: { state: 'READY' } }))
    const wrong = await api.post('/api/tasks/reject-me/reject', { comment: 7 })
    assert.equal(wrong.status, 400)
    assert.match(textAt(wrong.body, 'error'), /comment/)
    assert.equal(at((await api.get('/api/tasks/reject-me')).body, 'state'), 'READY')
    const { status, body } = await api.post('/api/tasks/reject-me/reject', { comment: 'Not yet' })
    assert.deepEqual([status, body], [200, { message: 'task rejected', task_id: 'reject-me' }])
  })

  row('4.tasks.cancel', 'answers message and task_id; 404 for no task', async () => {
    const id = await create({})
    const { status, body } = await api.post(`/api/tasks/${id}/cancel`)
    assert.deepEqual([status, body], [200, { message: 'task cancelled', task_id: id }])
    assert.deepEqual((await api.post('/api/tasks/none/cancel')).body, { error: 'task not found' })
  })

  row('4.tasks.resume', 'answers message and task_id; 404 for no task', async () => {
    await api.given(aTask({ name: 'resume-me', status: { state: 'FAILED' } }))
    const { status, body } = await api.post('/api/tasks/resume-me/resume')
    assert.deepEqual([status, body], [202, { message: 'failed task queued for resume', task_id: 'resume-me' }])
    assert.deepEqual((await api.post('/api/tasks/none/resume')).body, { error: 'task not found' })
  })

  row('4.tasks.answer', 'is POST /api/tasks/{id}/answer with a string, or an answer to each question', async () => {
    const items = [{ text: 'Which?', header: 'DB' }]
    const question = { items, askedAt: '2026-01-02T03:04:05Z' }
    for (const [id, answer] of [
      ['ask-one', 'SQLite'],
      ['ask-each', { 'Which?': 'SQLite' }],
    ] as const) {
      await api.given(aTask({ name: id, status: { state: 'BLOCKED', question } }))
      const { status, body, text } = await api.post(`/api/tasks/${id}/answer`, { answer })
      assert.deepEqual([status, body], [202, { message: 'task queued for resume', task_id: id }], text)
    }
  })

  row('4.tasks.subtasks', 'lists the children in chain order, none for a leaf, 404 for no task', async () => {
    const parent = await create({})
    const last = await create({ id: 'zz-first', parent_task_id: parent })
    const middle = await create({ id: 'mm-second', parent_task_id: parent, depends_on: [last] })
    await create({ id: 'aa-third', parent_task_id: parent, depends_on: [middle] })
    const children = await api.get(`/api/tasks/${parent}/subtasks`)
    assert.deepEqual([children.status, idsOf(children.body)], [200, ['zz-first', 'mm-second', 'aa-third']])
    assert.deepEqual((await api.get(`/api/tasks/${last}/subtasks`)).body, [])
    assert.equal((await api.get('/api/tasks/none/subtasks')).status, 404)
  })

  row('4.tasks.executions', 'lists the executions of the task, newest first', async () => {
    await api.given(aTask({ name: 'ran' }))
    for (const n of [1, 2]) await api.givenExecution(anExecution({ name: `ran-${n}`, spec: { attempt: n } }))
    const { status, body } = await api.get('/api/tasks/ran/executions')
    assert.deepEqual([status, idsOf(body)], [200, ['ran-2', 'ran-1']])
    assert.ok(itemsOf(body).every((execution) => at(execution, 'task_id') === 'ran'))
    assert.equal((await api.get('/api/tasks/none/executions')).status, 404)
  })

  row(
    '4.tasks.logs',
    'replays the latest execution as log events, ends with the state, and goes on after an id',
    async () => {
      const folder = join(api.volumeRoot, 'executions', 'logged-1', 'agent')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'stdout.log'), 'one\ntwo\n')
      await writeFile(join(folder, 'stderr.log'), '')
      await api.givenExecution(anExecution({ name: 'logged-1', status: { state: 'COMPLETED' } }))
      await api.given(aTask({ name: 'logged', status: { state: 'READY', execution: 'logged-1', executions: 1 } }))
      const url = `${api.url}/api/tasks/logged/logs/stream`
      const events = await (await openEvents(url)).all()
      assert.deepEqual(
        events.map(({ event, data }) => [event, data]),
        [
          ['log', { stream: 'stdout', line: 'one' }],
          ['log', { stream: 'stdout', line: 'two' }],
          ['end', { state: 'READY' }],
        ],
      )
      const rest = await openEvents(url, { 'Last-Event-ID': events[0]?.id ?? '' })
      await rest.ended
      assert.deepEqual(rest.lines(), ['two'])
    },
  )

  row('4.tasks.workspaces', 'lists absolute sub-directories, sorted, without files and dot directories', async () => {
    for (const name of ['b', 'a', '.hidden']) await mkdir(join(api.workspaceRoot, name))
    await writeFile(join(api.workspaceRoot, 'file'), '')
    const { status, body } = await api.get('/api/workspaces')
    assert.deepEqual([status, body], [200, ['a', 'b'].map((name) => join(api.workspaceRoot, name))])
  })

  row('4.executions.get', 'gives the execution with the names of the contract, 404 for none', async () => {
    await api.givenExecution(
      anExecution({
        name: 'shown-1',
        status: {
          state: 'FAILED',
          sandboxDir: '/s',
          stdoutPath: '/o',
          stderrPath: '/e',
          artifactDir: '/a',
          costUSD: 0.5,
          summary: 'Tried',
          error: { category: 'git', message: 'no such branch' },
          changes: { files: 1, insertions: 2, deletions: 3 },
          commits: ['a'.repeat(40)],
        },
      }),
    )
    const { status, body } = await api.get('/api/executions/shown-1')
    assert.equal(status, 200)
    const expected = {
      id: 'shown-1',
      task_id: 'shown',
      agent: 'script',
      attempt: 1,
      state: 'FAILED',
      sandbox_dir: '/s',
      stdout_path: '/o',
      stderr_path: '/e',
      artifact_dir: '/a',
      cost_usd: 0.5,
      summary: 'Tried',
      error: 'no such branch',
      error_category: 'git',
      changes: { files: 1, insertions: 2, deletions: 3 },
      fix_commits: ['a'.repeat(40)],
    }
    assert.deepEqual({ ...(body as object), ...expected }, body)
    assert.equal((await api.get('/api/executions/none')).status, 404)
  })

  row(
    '4.executions.list',
    'filters by task_id, since and limit, pages with Link, refuses nonsense with 400',
    async () => {
      for (const n of [1, 2, 3]) await api.givenExecution(anExecution({ name: `paged-${n}` }))
      const list = async (query: string) => api.get(`/api/executions?task_id=paged${query}`)
      assert.deepEqual(idsOf((await list('')).body), ['paged-3', 'paged-2', 'paged-1'])
      const first = await list('&limit=2')
      assert.deepEqual(idsOf(first.body), ['paged-3', 'paged-2'])
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1]
      assert.ok(next !== undefined, String(first.headers.get('link')))
      const { pathname, search } = new URL(next, api.url)
      assert.deepEqual(idsOf((await api.get(pathname + search)).body), ['paged-1'])
      assert.equal(itemsOf((await list('&since=24h')).body).length, 3)
      assert.deepEqual((await list('&since=2999-01-01T00:00:00Z')).body, [])
      for (const query of ['&limit=0', '&limit=1001', '&limit=x', '&since=yesterday'])
        assert.equal((await list(query)).status, 400, query)
    },
  )
})
