import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { TASKS } from '../../kube/resources.ts'
import { openArchive } from '../../lib/archive/archive.ts'
import { anExecution, aTask } from '../helpers/build.ts'
import { until } from '../helpers/until.ts'
import { connectLive } from './live/live-client.ts'
import { type Rig, itemsOf, startRig } from './rig.ts'

describe('an archived task over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    const task = aTask({
      name: 'old',
      metadata: { namespace: api.namespace, creationTimestamp: '2026-01-01T00:00:00Z' },
      status: { state: 'COMPLETED', executions: 1, execution: 'old-1' },
    })
    const executions = [
      anExecution({
        name: 'old-1',
        metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
        status: { state: 'COMPLETED', costUSD: 0.5, commits: ['c0ffee'] },
      }),
      anExecution({
        name: 'old-d1',
        metadata: { creationTimestamp: '2026-01-02T00:00:00Z' },
        spec: { purpose: 'Deliver' },
        status: { state: 'COMPLETED' },
      }),
    ]
    await openArchive(api.volumeRoot).add({ archivedAt: '2026-11-24T02:00:00Z', task, executions })
    const folder = join(api.volumeRoot, 'executions', 'old-1')
    await mkdir(join(folder, 'agent'), { recursive: true })
    await writeFile(join(folder, 'agent', 'stdout.log'), 'hello\n')
    await writeFile(join(folder, 'changes.diff'), 'diff --git a/x b/x\n')
  })
  after(() => api.stop())

  it('is read under its id, with its executions, log and diff, and nothing can be done with it', async () => {
    const { status, body } = await api.get('/api/tasks/old')
    const { id, state, actions, archived_at } = asRecord(body)
    assert.deepEqual([status, id, state, actions, archived_at], [200, 'old', 'COMPLETED', [], '2026-11-24T02:00:00Z'])
    for (const [path, text] of [
      ['tasks/old/manifest', /\n {2}name: old\n/],
      ['tasks/old/kubernetes', /"events":/],
      ['tasks/old/subtasks', /^\[\]$/],
      ['tasks/old/deployment-status', /"fix_commits":\["c0ffee"\]/],
      ['executions/old-1/manifest', /\n {2}name: old-1\n/],
    ] as const) {
      const answer = await api.get(`/api/${path}`)
      assert.equal(answer.status, 200, path)
      assert.match(answer.text, text)
    }
    const { body: executions } = await api.get('/api/tasks/old/executions')
    assert.ok(Array.isArray(executions))
    assert.deepEqual(
      executions.map((execution) => asRecord(execution)['id']),
      ['old-1'],
    )
    assert.equal(asRecord((await api.get('/api/executions/old-1')).body)['cost_usd'], 0.5)
    assert.equal((await api.get('/api/executions/old-1/stdout')).text, 'hello\n')
    assert.match((await api.get('/api/executions/old-1/diff')).text, /^diff --git/)
    assert.equal((await api.get('/api/executions/old-d1')).status, 200)
    assert.equal((await api.get('/api/executions/old-2')).status, 404)
  })

  it('streams its log to the end', async () => {
    for (const path of ['tasks/old/logs/stream', 'executions/old-1/events/stream']) {
      const { status, text } = await api.get(`/api/${path}`)
      assert.equal(status, 200, `${path} ${text}`)
      assert.match(text, /event: end\ndata: \{"state":"COMPLETED"\}/)
      if (path.startsWith('tasks')) assert.match(text, /hello/)
    }
  })

  it('is neither made anew nor named by another task, until it is restored', async () => {
    const draft = { name: 'Again', description: 'again' }
    const made = await api.request('POST', '/api/tasks', { ...draft, id: 'old' })
    assert.deepEqual([made.status, asRecord(made.body)['error']], [409, 'task is archived: restore it first'])
    const named = await api.request('POST', '/api/tasks', { ...draft, depends_on: ['old'] })
    assert.deepEqual(
      [named.status, asRecord(named.body)['error']],
      [400, 'depends_on: task old is archived: restore it first'],
    )
  })

  it('is not changed, and says the way out', async () => {
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/run'],
      ['POST', '/accept'],
    ] as const) {
      const { status, body } = await api.request(
        method,
        `/api/tasks/old${path}`,
        method === 'PUT' ? { priority: 1 } : undefined,
      )
      assert.deepEqual(
        [status, asRecord(body)['error']],
        [409, 'task is archived: restore it first'],
        `${method} ${path}`,
      )
    }
  })

  it('is not decided about while it comes back, so that its past is not overwritten, and goes on when it has its state', async () => {
    const archive = openArchive(api.volumeRoot)
    const metadata = { namespace: api.namespace, creationTimestamp: '2026-01-01T00:00:00Z' }
    const task = aTask({ name: 'back', metadata, status: { state: 'FAILED' } })
    await archive.add({ archivedAt: '2026-11-24T02:00:00Z', task, executions: [] })
    const live = await connectLive(api.url)
    // The operator is slow, or was killed: nobody gives it its state.
    assert.equal((await api.request('POST', '/api/tasks/back/restore')).status, 202)
    const message = 'task back is being restored; try again in a moment'
    for (const [method, path, body] of [
      ['PUT', '', { priority: 1 }],
      ['DELETE', '', undefined],
      ['POST', '/run', undefined],
      ['POST', '/cancel', undefined],
      ['POST', '/restore', undefined],
    ] as const) {
      const reply = await api.request(method, `/api/tasks/back${path}`, body)
      assert.deepEqual([reply.status, asRecord(reply.body)['error']], [409, message], `${method} ${path}`)
      assert.equal(reply.headers.get('retry-after'), '1')
    }
    const { body } = await api.get('/api/tasks/back')
    assert.deepEqual([asRecord(body)['state'], asRecord(body)['actions']], ['FAILED', []])
    const listed: unknown[] = []
    for (let next: string | undefined = '/api/tasks?limit=1000'; next !== undefined;) {
      const page = await api.get(next)
      listed.push(...itemsOf(page.body).filter((one) => asRecord(one)['id'] === 'back'))
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(listed, [body], 'the list shows the same, once')
    const key = { namespace: api.namespace, name: 'back' }
    assert.equal((await api.client.find(TASKS, key))?.status?.state, undefined)
    assert.deepEqual(live.types('back'), [], 'nobody is told of it before it has its state')
    await api.setStatus(TASKS, 'back', { state: 'FAILED' })
    await until('it is told of', async () => live.types('back').length > 0)
    const states = live.messages.filter(({ task_id }) => task_id === 'back').map(({ task }) => task?.state)
    assert.deepEqual(new Set(states), new Set(['FAILED']))
    await live.close()
    await archive.remove(api.namespace, 'back')
    await until('it can be run', async () => (await api.request('POST', '/api/tasks/back/run')).status === 202)
    await api.client.delete(TASKS, key)
  })

  it('is not taken for one that comes back where its manifest still has the mark', async () => {
    const annotations = { 'slipway.dev/restoring': '2026-01-01T00:00:00Z' }
    await api.given(aTask({ name: 'applied', metadata: { annotations } }))
    await until('it is shown', async () => (await api.get('/api/tasks/applied')).status === 200)
    const { body } = await api.get('/api/tasks/applied')
    assert.deepEqual([asRecord(body)['state'], asRecord(body)['archived_at']], ['PENDING', undefined])
    await api.client.delete(TASKS, { namespace: api.namespace, name: 'applied' })
  })

  it('comes behind the live ones in a list that pages, once, and a task that is live is not repeated', async () => {
    const archive = openArchive(api.volumeRoot)
    const names = ['a', 'b', 'c']
    for (const name of names) {
      const creationTimestamp = '2026-01-01T00:00:00Z'
      const metadata = { namespace: api.namespace, creationTimestamp }
      const task = aTask({ name, metadata, status: { state: 'FAILED' } })
      const executions = [1, 2].map((n) =>
        anExecution({ name: `${name}-${n}`, metadata: { creationTimestamp }, status: { state: 'FAILED' } }),
      )
      await archive.add({ archivedAt: `2026-10-0${names.indexOf(name) + 1}T02:00:00Z`, task, executions })
    }
    await api.given(aTask({ name: 'live', status: { state: 'FAILED' } }))
    await api.given(aTask({ name: 'b', status: { state: 'FAILED' } }))
    const follow = async (path: string): Promise<string[]> => {
      const { status, body, headers, text } = await api.get(path)
      assert.equal(status, 200, `${path} ${text}`)
      assert.ok(Array.isArray(body))
      const next = /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
      const ids = body.map((one) => String(asRecord(one)['id']))
      return next === undefined ? ids : [...ids, ...(await follow(next))]
    }
    for (const limit of [1, 2, 50]) {
      const all = await follow(`/api/tasks?limit=${limit}`)
      assert.deepEqual(
        [all.slice(0, 2).toSorted(), all.slice(2)],
        [
          ['b', 'live'],
          ['old', 'c', 'a'],
        ],
      )
      assert.deepEqual(await follow(`/api/tasks?limit=${limit}&state=COMPLETED`), ['old'])
      const executions = await follow(`/api/executions?limit=${limit}`)
      assert.deepEqual(executions, ['old-1', 'c-2', 'c-1', 'a-2', 'a-1'])
    }
    assert.equal((await api.get('/api/tasks')).headers.get('link'), null)
    const forged = Buffer.from('["archive",1]').toString('base64url')
    assert.equal((await api.get(`/api/tasks?limit=1&cursor=${forged}`)).status, 400)
    for (const name of names) await archive.remove(api.namespace, name)
  })

  it('is in no list of live tasks, and no path leads out of the archive', async () => {
    assert.doesNotMatch((await api.get('/api/tasks')).text, /"id":"old"/)
    for (const id of ['..%2F..%2Fold', 'no-such-task', '%2e%2e'])
      assert.equal((await api.get(`/api/tasks/${id}`)).status, 404)
  })

  it('that is forgotten while it is restored is not made anew, and one that the operator has restored meanwhile stays', async () => {
    let made: (id: string) => Promise<unknown> = () => Promise.resolve()
    const between = await startRig({}, ({ client }) =>
      Promise.resolve({
        ...client,
        close: () => Promise.resolve(),
        async create(resource, object, options) {
          const created = await client.create(resource, object, options)
          if (resource.kind === TASKS.kind) await made(created.metadata.name)
          return created
        },
      }),
    )
    try {
      const { namespace, volumeRoot } = between
      const archive = openArchive(volumeRoot)
      const restore = async (): Promise<readonly unknown[]> => {
        const task = aTask({ name: 'old', metadata: { namespace }, status: { state: 'COMPLETED' } })
        await archive.add({ archivedAt: '2026-11-24T02:00:00Z', task, executions: [] })
        const { status } = await between.request('POST', '/api/tasks/old/restore')
        return [status, (await between.client.find(TASKS, { namespace, name: 'old' }))?.status?.state]
      }
      made = () => archive.remove(namespace, 'old')
      assert.deepEqual(await restore(), [404, undefined])
      assert.equal(await between.client.find(TASKS, { namespace, name: 'old' }), undefined)
      made = async (id) => {
        await between.setStatus(TASKS, id, { state: 'COMPLETED' })
        await archive.remove(namespace, id)
      }
      assert.deepEqual(await restore(), [202, 'COMPLETED'])
    } finally {
      await between.stop()
    }
  })
})
