// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { TASKS } from '../../../kube/resources.ts'
import { systemClock } from '../../../lib/clock.ts'
import { aStory, aTask } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { type Rig, idsOf, startRig } from '../rig.ts'

describe('changing and deleting tasks over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('merges a PUT, and null clears', async () => {
    await api.given(aTask({ name: 'merged', spec: { description: 'old', priority: 3 } }))
    const agent = { allowed_tools: ['Read'], instructions: null }
    const { status, body } = await api.put('/api/tasks/merged', { description: null, timeout_seconds: 90, agent })
    assert.equal(status, 200)
    assert.deepEqual(
      [at(body, 'description'), at(body, 'priority'), at(body, 'timeout_seconds'), at(body, 'agent')],
      [undefined, 3, 90, { type: 'script', allowed_tools: ['Read'] }],
    )
  })

  it('moves updated_at with an edit', async () => {
    const clock = { ...systemClock, now: () => new Date(Date.now() + 3_600_000) }
    const later = await startRig({ clock })
    try {
      await later.given(aTask({ name: 'edited' }))
      const { body } = await later.put('/api/tasks/edited', { priority: 1 })
      const [created, updated] = [textAt(body, 'created_at'), textAt(body, 'updated_at')]
      assert.notEqual(created, '')
      assert.ok(updated > created, `${updated} is not later than ${created}`)
    } finally {
      await later.stop()
    }
  })

  it('keeps the entity tag of a create valid for the edit that follows', async () => {
    const created = await api.post('/api/tasks', { id: 'tagged', name: 'x' })
    const headers = { 'If-Match': created.headers.get('etag') ?? '' }
    assert.equal((await api.put('/api/tasks/tagged', { name: 'y' }, headers)).status, 200)
    assert.equal((await api.put('/api/tasks/tagged', { name: 'z' }, headers)).status, 412)
  })

  it('keeps it also when the operator stores the first state, and not when more has happened', async () => {
    const created = await api.post('/api/tasks', { id: 'looked-at', name: 'x' })
    const tag = created.headers.get('etag')
    await api.setStatus(TASKS, 'looked-at', { state: 'PENDING' })
    // The server hears of changes in their order: of this one after the other.
    await api.given(aTask({ name: 'behind-it' }))
    assert.equal((await api.get('/api/tasks/looked-at')).headers.get('etag'), tag)
    await api.post('/api/tasks/looked-at/run')
    assert.equal((await api.put('/api/tasks/looked-at', { name: 'z' }, { 'If-Match': tag ?? '' })).status, 412)
  })

  it('takes back a record as it was read, and changes nothing', async () => {
    await api.given(aTask({ name: 'same', status: { state: 'READY', agent: { type: 'script' }, executions: 1 } }))
    const before = await api.get('/api/tasks/same')
    const { status, body, headers } = await api.put('/api/tasks/same', before.body)
    assert.deepEqual([status, body], [200, before.body])
    assert.equal(headers.get('etag'), before.headers.get('etag'))
  })

  it('refuses to change what only the system writes', async () => {
    await api.given(aTask({ name: 'guarded' }))
    const { status, body } = await api.put('/api/tasks/guarded', { state: 'COMPLETED' })
    assert.deepEqual([status, at(body, 'error')], [400, 'state is read-only'])
  })

  it('refuses an unknown field, a cleared name and a circle', async () => {
    await api.given(aTask({ name: 'ring-a' }))
    await api.given(aTask({ name: 'ring-b', spec: { dependsOn: ['ring-a'] } }))
    const cases: readonly [unknown, RegExp][] = [
      [{ colour: 'red' }, /^colour: unknown field$/],
      [{ name: null }, /^name: is required$/],
      [{ depends_on: ['ring-b'] }, /ring-a → ring-b → ring-a/],
      [{ depends_on: ['ring-a'] }, /ring-a/],
      [{ parent_task_id: 'ring-b', depends_on: ['ring-b'] }, /ring-a → ring-b → ring-a/],
    ]
    for (const [change, message] of cases) {
      const { status, body } = await api.put('/api/tasks/ring-a', change)
      assert.equal(status, 400, JSON.stringify(change))
      assert.match(textAt(body, 'error'), message)
    }
  })

  it('refuses to change a RUNNING task', async () => {
    await api.given(aTask({ name: 'busy', status: { state: 'RUNNING' } }))
    const { status, body } = await api.put('/api/tasks/busy', { priority: 1 })
    assert.deepEqual([status, at(body, 'error')], [409, 'task cannot be edited from state RUNNING'])
  })

  it('notes when a PUT brings a task to a story, for it is a new one there, and refuses a DONE story with 409', async () => {
    for (const [name, status] of [
      ['open', 'VALIDATING'],
      ['done', 'DONE'],
    ] as const)
      await api.givenStory(aStory({ name, status: { status } }))
    await api.given(aTask({ name: 'joining' }))
    const noted = async (body: object): Promise<string | undefined> => {
      assert.equal((await api.put('/api/tasks/joining', body)).status, 200)
      const { metadata } = await api.client.get(TASKS, { namespace: api.namespace, name: 'joining' })
      return metadata.annotations?.['slipway.dev/joined-story-at']
    }
    assert.equal(await noted({ priority: 1 }), undefined)
    const earliest = Math.floor(Date.now() / 1000) * 1000
    const joinedAt = (await noted({ story_id: 'open' })) ?? ''
    assert.ok(earliest <= Date.parse(joinedAt) && Date.parse(joinedAt) <= Date.now(), joinedAt)
    assert.equal(await noted({ story_id: 'open', priority: 2 }), joinedAt)
    const { status, body } = await api.put('/api/tasks/joining', { story_id: 'done' })
    assert.deepEqual([status, body], [409, { error: 'story is DONE' }])
    assert.equal(at((await api.get('/api/stories/open')).body, 'root_task_id'), 'joining')
    assert.equal(await noted({ story_id: null }), undefined)
  })

  it('deletes a task with 204, and answers 404 for it at once, even while a finalizer holds it', async () => {
    await api.given(aTask({ name: 'held', metadata: { finalizers: ['slipway.dev/cleanup'] } }))
    assert.equal((await api.delete('/api/tasks/held')).status, 204)
    assert.equal((await api.get('/api/tasks/held')).status, 404)
    const again = await api.post('/api/tasks', { id: 'held', name: 'Again' })
    assert.deepEqual(
      [again.status, again.body, again.headers.get('retry-after')],
      [409, { error: 'task held is being deleted; try again in a moment' }, '1'],
    )
    const { body: judged } = await api.post('/api/tasks/validate?agent=none', { id: 'held', name: 'Again' })
    assert.match(JSON.stringify(judged), /"id","message":"task held is being deleted; try again in a moment"/)
    assert.equal((await api.delete('/api/tasks/held')).status, 404)
    const { body } = await api.get('/api/tasks')
    assert.ok(!idsOf(body).includes('held'))
    // Nobody else lets go of it, and its namespace could not end.
    await api.client.mergePatch(TASKS, { namespace: api.namespace, name: 'held' }, { metadata: { finalizers: null } })
  })

  const blockers: readonly [string, object, string][] = [
    ['runs', { status: { state: 'RUNNING' } }, 'task cannot be deleted from state RUNNING'],
    ['others depend on', {}, 'task kept-2 cannot be deleted: task needs-kept-2 depends on it'],
    ['has subtasks', {}, 'task kept-3 cannot be deleted: task sub-of-kept-3 is its subtask'],
  ]
  for (const [i, [what, parts, error]] of blockers.entries()) {
    it(`refuses to delete a task that ${what}`, async () => {
      const name = `kept-${i + 1}`
      await api.given(aTask({ name, ...parts }))
      if (i === 1) await api.given(aTask({ name: `needs-${name}`, spec: { dependsOn: [name] } }))
      if (i === 2) await api.given(aTask({ name: `sub-of-${name}`, spec: { parentTaskId: name } }))
      const { status, body } = await api.delete(`/api/tasks/${name}`)
      assert.deepEqual([status, body], [409, { error }])
    })
  }
})
