// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { STORIES, TASKS } from '../../../kube/resources.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { aProject, aStory, aTask } from '../../helpers/build.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../rig.ts'

describe('stories over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.post('/api/projects', { id: 'site', name: 'Site', remote_url: 'https://git.example/site.git' })
    await api.post('/api/epics', { id: 'money', name: 'Money' })
  })
  after(() => api.stop())

  const errorOf = (body: Parameters<typeof at>[0]): string => textAt(body, 'error')
  const isAt = async (id: string, status: string): Promise<void> => {
    await api.setStatus(STORIES, id, { status: status as 'DONE' })
    await until(`${id} is ${status}`, async () => at((await api.get(`/api/stories/${id}`)).body, 'status') === status)
  }

  it('creates a story with nothing but a name, in DISCOVERY, with its status stored', async () => {
    const created = await api.post('/api/stories', { name: 'One-page checkout' })
    assert.equal(created.status, 201)
    const id = textAt(created.body, 'id')
    assert.match(id, /^story-[0-9a-z]{26}$/)
    assert.equal(created.headers.get('location'), `/api/stories/${id}`)
    const { body, headers } = await api.get(`/api/stories/${id}`)
    assert.deepEqual(body, created.body)
    assert.equal(headers.get('etag'), created.headers.get('etag'))
    assert.deepEqual(
      ['status', 'branch_name', 'priority', 'acceptance_criteria', 'tasks', 'actions', 'moves'].map((f) => at(body, f)),
      ['DISCOVERY', `story/${id}`, 0, [], { total: 0, done: 0 }, ['run', 'add_task', 'move'], ['FRAMING', 'BACKLOG']],
    )
    const stored = await api.client.get(STORIES, { namespace: api.namespace, name: id })
    assert.equal(stored.status?.status, 'DISCOVERY')
    assert.equal(stored.metadata.labels?.['app.kubernetes.io/managed-by'], 'slipway')
  })

  it('gives back every field that a create may name', async () => {
    const fields = {
      id: 'full',
      name: 'Full',
      status: 'PRIORITIZED',
      branch_name: 'feature/full',
      project_id: 'site',
      epic_id: 'money',
      priority: -3,
      spec: '# Why',
      acceptance_criteria: ['It works.', 'It is fast.'],
      validation: { type: 'smoke', steps: ['open it', 'pay'], success_criteria: 'a receipt' },
    }
    const { status, body } = await api.post('/api/stories', fields)
    assert.equal(status, 201)
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(at(body, name), value, name)
    assert.deepEqual(at(body, 'evaluation'), { total: 2, passed: 0, failed: 0, pending: 2, verdicts: [] })
  })

  for (const status of ['SHIPPABLE', 'REVIEW_READY', 'DONE', 'NOWHERE']) {
    it(`refuses to create a story in ${status} with 400 naming it`, async () => {
      const answer = await api.post('/api/stories', { name: 'Too far', status })
      assert.equal(answer.status, 400)
      assert.match(errorOf(answer.body), new RegExp(`status: .*${status}`))
    })
  }

  for (const { body, because } of [
    { body: {}, because: /name/ },
    { body: { name: 'x', project_id: 'nowhere' }, because: /project_id: project nowhere does not exist/ },
    { body: { name: 'x', epic_id: 'nothing' }, because: /epic_id: epic nothing does not exist/ },
    { body: { name: 'x', titel: 'y' }, because: /titel: unknown field/ },
    { body: { name: 'x', branch_name: '-f' }, because: /^branch_name: must not begin with -, not "-f"$/ },
    { body: { name: 'x', branch_name: 'a..b' }, because: /^branch_name: must not contain \.\. or @{, not "a..b"$/ },
  ]) {
    it(`refuses to create ${JSON.stringify(body)} with 400 saying why`, async () => {
      const answer = await api.post('/api/stories', body)
      assert.equal(answer.status, 400, answer.text)
      assert.match(errorOf(answer.body), because)
    })
  }

  it('refuses an id that is taken with 409, and answers 404 for one that nobody has', async () => {
    await api.post('/api/stories', { id: 'taken', name: 'First' })
    const again = await api.post('/api/stories', { id: 'taken', name: 'Second' })
    assert.deepEqual([again.status, errorOf(again.body)], [409, 'story taken already exists'])
    for (const path of ['', '/tasks', '/events', '/graph', '/manifest', '/deployment-status']) {
      const missing = await api.get(`/api/stories/nothing${path}`)
      assert.deepEqual([missing.status, errorOf(missing.body)], [404, 'story not found'], path)
    }
  })

  it('changes the priority alone, merges what else is sent, and clears with null', async () => {
    await api.post('/api/stories', {
      id: 'edit',
      name: 'Edit',
      spec: 'old',
      epic_id: 'money',
      validation: { type: 'a' },
    })
    const moved = await api.put('/api/stories/edit', { priority: 7 })
    assert.deepEqual([moved.status, at(moved.body, 'priority'), at(moved.body, 'spec')], [200, 7, 'old'])
    const changes = { spec: null, epic_id: null, validation: { steps: ['look'] }, name: 'Edited' }
    const { body } = await api.put('/api/stories/edit', changes)
    assert.deepEqual(
      [at(body, 'name'), at(body, 'spec'), at(body, 'epic_id'), at(body, 'validation'), at(body, 'priority')],
      ['Edited', undefined, undefined, { type: 'a', steps: ['look'] }, 7],
    )
    assert.deepEqual((await api.put('/api/stories/edit', body)).body, body, 'a whole record may be sent back')
    for (const [change, because] of [
      [{ status: 'DONE' }, 'status is read-only'],
      [{ root_task_id: 'x' }, 'root_task_id is read-only'],
      [{ epic_id: 'nothing' }, 'epic_id: epic nothing does not exist'],
      [{ name: null }, /name/],
    ] as const) {
      const answer = await api.put('/api/stories/edit', change)
      assert.equal(answer.status, 400, answer.text)
      assert.match(errorOf(answer.body), new RegExp(because))
    }
  })

  it('refuses another branch with 409 once an execution of a task has worked on it, also when the task is gone', async () => {
    await api.post('/api/stories', { id: 'renamed', name: 'Renamed' })
    const rename = async (branch_name: string | null) => {
      const { status, body } = await api.put('/api/stories/renamed', { branch_name })
      return status === 200 ? at(body, 'branch_name') : [status, errorOf(body)]
    }
    assert.equal(await rename('feature/first'), 'feature/first')
    const before = aTask({ name: 'renamed-a', spec: { storyId: 'renamed' }, status: { state: 'QUEUED' } })
    await api.given(before)
    assert.equal(await rename('feature/second'), 'feature/second')
    await api.setStatus(TASKS, 'renamed-a', { state: 'RUNNING', executions: 1 })
    const refusal = [409, 'story branch cannot be renamed after work began']
    // Not by trying: a rename that comes before the news is made, and then there is nothing left to refuse.
    await until('the server has heard of the execution', async () => {
      const { text } = await api.get('/api/tasks?state=RUNNING')
      return text.includes('renamed-a')
    })
    assert.deepEqual(await rename('feature/third'), refusal)
    assert.deepEqual(await rename(null), refusal)
    assert.equal(await rename('feature/second'), 'feature/second')
    assert.equal((await api.put('/api/stories/renamed', { priority: 3 })).status, 200)
    // As the operator notes it.
    await api.setStatus(STORIES, 'renamed', { status: 'IN_PROGRESS', branch: { name: 'feature/second' } })
    await api.client.delete(TASKS, { namespace: api.namespace, name: 'renamed-a' })
    await until('the task is gone', async () => (await api.get('/api/tasks/renamed-a')).status === 404)
    assert.deepEqual(await rename('feature/third'), refusal)
  })

  it('refuses an edit, a move and an accept of an outdated version with 412 saying what the story is now', async () => {
    const { headers } = await api.post('/api/stories', { id: 'race', name: 'Race' })
    const first = { 'If-Match': headers.get('etag') ?? '' }
    assert.equal((await api.put('/api/stories/race', { priority: 1 }, first)).status, 200)
    for (const answer of [
      await api.put('/api/stories/race', { priority: 2 }, first),
      await api.put('/api/stories/race/status', { status: 'BACKLOG' }, first),
      await api.post('/api/stories/race/accept', undefined, first),
    ]) {
      assert.equal(answer.status, 412)
      assert.match(errorOf(answer.body), /race has changed since it was read, in priority: its status is DISCOVERY/)
    }
  })

  it('lists stories by status, then priority, then newest first, also in pages', async () => {
    const own = await startRig()
    try {
      for (const [id, status, priority] of [
        ['e', 'IN_PROGRESS', 0],
        ['c', 'BACKLOG', 5],
        ['b', 'BACKLOG', -5],
        ['d', 'PRIORITIZED', 1],
        ['a', 'DISCOVERY', 9],
      ] as const)
        await own.post('/api/stories', { id, name: id, status, priority })
      const expected = ['a', 'b', 'c', 'd', 'e']
      assert.deepEqual(idsOf((await own.get('/api/stories')).body), expected)
      const seen: unknown[] = []
      let path: string | undefined = '/api/stories?limit=2'
      while (path !== undefined) {
        const page = await own.get(path)
        seen.push(...idsOf(page.body))
        path = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      assert.deepEqual(seen, expected)
      await own.put('/api/stories/c', { priority: -9 })
      assert.deepEqual(idsOf((await own.get('/api/stories')).body), ['a', 'c', 'b', 'd', 'e'])
      for (const cursor of ['x', Buffer.from('["BACKLOG"]').toString('base64url')])
        assert.equal((await own.get(`/api/stories?limit=1&cursor=${cursor}`)).status, 400)
    } finally {
      await own.stop()
    }
  })

  it('counts the tasks of a story as they are now, and names the first', async () => {
    await api.post('/api/stories', { id: 'counted', name: 'Counted' })
    const before = (await api.get('/api/stories/counted')).headers.get('etag')
    for (const [name, state] of [
      ['counted-1', 'COMPLETED'],
      ['counted-2', 'READY'],
      ['counted-3', 'RUNNING'],
      ['counted-4', 'CANCELLED'],
    ] as const)
      await api.given(aTask({ name, spec: { storyId: 'counted' }, status: { state } }))
    const { body, headers } = await api.get('/api/stories/counted')
    assert.deepEqual([at(body, 'tasks'), at(body, 'root_task_id')], [{ total: 3, done: 2 }, 'counted-1'])
    assert.notEqual(headers.get('etag'), before)
    const listed = itemsOf((await api.get('/api/stories')).body).find((story) => at(story, 'id') === 'counted')
    assert.deepEqual(listed, body)
  })

  it('is deleted with its tasks living on without it, unless one of them runs', async () => {
    await api.post('/api/stories', { id: 'gone', name: 'Gone' })
    await api.given(aTask({ name: 'survivor', spec: { storyId: 'gone' } }))
    await api.given(aTask({ name: 'runner', spec: { storyId: 'gone' }, status: { state: 'RUNNING' } }))
    const refused = await api.delete('/api/stories/gone')
    assert.deepEqual(
      [refused.status, errorOf(refused.body)],
      [409, 'story gone cannot be deleted: task runner must end first'],
    )
    await api.post('/api/stories/gone/events', { kind: 'retro_captured' })
    await api.post('/api/tasks/runner/cancel')
    await finish(api, 'runner')
    assert.equal((await api.delete('/api/stories/gone')).status, 204)
    assert.equal((await api.get('/api/stories/gone')).status, 404)
    const { status, body } = await api.get('/api/tasks/survivor')
    assert.deepEqual([status, at(body, 'story_id')], [200, undefined])
    assert.equal((await api.delete('/api/stories/gone')).status, 404)
  })

  it('is not deleted while its accepted work is being delivered, where its project delivers', async () => {
    const delivery = { state: 'Pending', requestedAt: '2026-03-01T10:00:00Z' } as const
    for (const onAccept of ['None', 'Merge'] as const) {
      const id = `of-${onAccept.toLowerCase()}`
      await api.givenProject(aProject({ name: id, spec: { onAccept } }))
      await api.givenStory(aStory({ name: id, spec: { projectId: id } }))
      const status = { state: 'READY', branch: id, delivery } as const
      await api.given(aTask({ name: `${id}-work`, spec: { storyId: id, project: id }, status }))
    }
    const { status, body } = await api.delete('/api/stories/of-merge')
    const words = 'story of-merge cannot be deleted: task of-merge-work must be delivered first'
    assert.deepEqual([status, errorOf(body)], [409, words])
    assert.equal((await api.delete('/api/stories/of-none')).status, 204)
  })

  it('prints its manifest', async () => {
    await api.givenStory(aStory({ name: 'printed' }))
    const { status, text, headers } = await api.get('/api/stories/printed/manifest')
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /yaml/)
    assert.match(text, /^kind: Story$/m)
  })

  it('offers nothing to somebody who may only read, and refuses to let a decider delete', async () => {
    const tokens = [
      { name: 'eyes', token: 'r', scopes: ['read'] },
      { name: 'hands', token: 'd', scopes: ['read', 'decide'] },
    ] as const
    const guarded = await startRig({ tokens })
    try {
      const as = (token: string) => ({ Authorization: `Bearer ${token}` })
      const made = await guarded.post('/api/stories', { id: 'seen', name: 'Seen' }, as('d'))
      assert.equal(made.status, 201, made.text)
      const [reader, decider] = [
        await guarded.get('/api/stories/seen', as('r')),
        await guarded.get('/api/stories/seen', as('d')),
      ]
      assert.deepEqual([at(reader.body, 'actions'), at(reader.body, 'moves')], [[], []])
      assert.deepEqual(at(decider.body, 'actions'), ['run', 'add_task', 'move'])
      assert.notEqual(reader.headers.get('etag'), decider.headers.get('etag'))
      assert.deepEqual(at((await guarded.get('/api/stories', as('r'))).body, '0.actions'), [])
      assert.equal((await guarded.put('/api/stories/seen', { priority: 1 }, as('r'))).status, 403)
      assert.equal((await guarded.request('DELETE', '/api/stories/seen', undefined, as('d'))).status, 403)
    } finally {
      await guarded.stop()
    }
  })

  it('offers accept only in REVIEW_READY, and nothing at all in DONE', async () => {
    await api.givenStory(aStory({ name: 'offers' }))
    await isAt('offers', 'REVIEW_READY')
    const actions = async () => at((await api.get('/api/stories/offers')).body, 'actions')
    assert.deepEqual(await actions(), ['accept', 'run', 'add_task', 'move'])
    await isAt('offers', 'DONE')
    assert.deepEqual(await actions(), [])
  })

  it('has never the default branch of its project, nor does a project take the branch of an open story for one', async () => {
    const project = { id: 'trunked', name: 'Trunked', remote_url: 'https://git.example/t.git', default_branch: 'trunk' }
    assert.equal((await api.post('/api/projects', project)).status, 201)
    const make = (id: string, branch_name: string) =>
      api.post('/api/stories', { id, name: id, branch_name, project_id: 'trunked' })
    const wrong = [400, 'branch_name: trunk is the default branch of project trunked']
    const made = await make('onto-trunk', 'trunk')
    assert.deepEqual([made.status, errorOf(made.body)], wrong)
    assert.equal((await make('beside-trunk', 'beside')).status, 201)
    const renamed = await api.put('/api/stories/beside-trunk', { branch_name: 'trunk' })
    assert.deepEqual([renamed.status, errorOf(renamed.body)], wrong)
    const taken = await api.put('/api/projects/trunked', { default_branch: 'beside' })
    const message = 'default_branch: beside is the branch of story beside-trunk, which has not been accepted'
    assert.deepEqual([taken.status, errorOf(taken.body)], [400, message])
    await api.givenStory(aStory({ name: 'was-next', spec: { branchName: 'next', projectId: 'trunked' } }))
    await isAt('was-next', 'REVIEW_READY')
    await isAt('was-next', 'DONE')
    assert.equal((await api.put('/api/projects/trunked', { default_branch: 'next' })).status, 200)
  })

  it('refuses a branch that git could not keep beside those of tasks or of an open story of the project', async () => {
    const make = (id: string, branch_name: string, project_id = 'site') =>
      api.post('/api/stories', { id, name: id, branch_name, project_id })
    assert.equal((await make('wide', 'wide/branch')).status, 201)
    await api.post('/api/projects', { id: 'other', name: 'Other', remote_url: 'https://git.example/other.git' })
    for (const [branch, message] of [
      ['slipway', 'must not be slipway: branches of tasks begin with slipway/ (branchPrefix in the configuration)'],
      ['wide', 'git cannot keep wide beside wide/branch, the branch of story wide; name another branch'],
      [
        'wide/branch/x',
        'git cannot keep wide/branch/x beside wide/branch, the branch of story wide; name another branch',
      ],
    ] as const) {
      const refused = await make('narrow', branch)
      assert.deepEqual([refused.status, errorOf(refused.body)], [400, `branch_name: ${message}`])
    }
    assert.equal((await make('elsewhere', 'wide', 'other')).status, 201)
    const moved = await api.put('/api/stories/elsewhere', { project_id: 'site' })
    assert.match(errorOf(moved.body), /^branch_name: git cannot keep wide beside wide\/branch/)
    assert.equal((await api.delete('/api/stories/wide')).status, 204)
    assert.equal((await api.put('/api/stories/elsewhere', { project_id: 'site' })).status, 200)
  })
})

/** Ends a task as the operator would. */
async function finish(api: Rig, name: string): Promise<void> {
  await api.setStatus(TASKS, name, { state: 'CANCELLED' })
  await until(`${name} has ended`, async () => at((await api.get(`/api/tasks/${name}`)).body, 'state') === 'CANCELLED')
}
