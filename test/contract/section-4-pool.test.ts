/** Section 4, pool, agents, statistics, version, and cross-origin access. */
import assert from 'node:assert/strict'
import { type Rig, itemsOf, startRig } from '../api-server/rig.ts'
import { connectLive } from '../api-server/live/live-client.ts'
import { aTask, anAgent, anExecution } from '../helpers/build.ts'
import { at, listAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString().replace(/\.\d+/, '')

describe('the contract, section 4: pool, agents, statistics, version', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ version: { version: '1.2.3', commit: COMMIT, built_at: '2026-01-02T03:04:05Z' } })
  })
  after(() => api.stop())

  const agentStatus = async (id: string) => {
    const { body } = await api.get('/api/agents/status')
    return listAt(body, 'agents').find((agent) => at(agent, 'agent') === id)
  }

  row(
    '4.pool.undrain',
    'lets a drained agent work again and clears the question it set; an unknown agent is 404',
    async () => {
      const question = { items: [{ text: 'The agent failed three times' }], askedAt: ago(1) }
      await api.given(aTask({ name: 'drainer', status: { state: 'FAILED', agent: { type: 'weary' }, question } }))
      const drained = { since: ago(1), reason: 'three failures', task: 'drainer' }
      await api.givenAgent(anAgent({ name: 'weary', status: { drained } }))
      await until('it is drained', async () => at(await agentStatus('weary'), 'state') === 'drained')
      const { status, body } = await api.post('/api/pool/agents/weary/undrain')
      assert.deepEqual([status, at(body, 'agent'), typeof at(body, 'message')], [200, 'weary', 'string'])
      assert.notEqual(at(await agentStatus('weary'), 'state'), 'drained')
      await until(
        'its question is gone',
        async () => at((await api.get('/api/tasks/drainer')).body, 'question') === undefined,
      )
      assert.equal((await api.post('/api/pool/agents/weary/undrain')).status, 200)
      const none = await api.post('/api/pool/agents/nobody/undrain')
      assert.deepEqual([none.status, none.body], [404, { error: 'agent not found' }])
    },
  )

  row('4.agents.status', 'tells of each agent its state, work and queue, and the events of 24 hours', async () => {
    const events = [
      { kind: 'rate_limited' as const, at: ago(30), message: 'too old' },
      { kind: 'rate_limited' as const, at: ago(2), message: 'slow down' },
    ]
    const rateLimitedUntil = ago(-1)
    await api.givenAgent(anAgent({ name: 'limited', status: { events, rateLimitedUntil } }))
    await api.givenAgent(anAgent({ name: 'waiting' }))
    await api.given(
      aTask({
        name: 'queued',
        spec: { agent: { type: 'waiting' } },
        status: { state: 'QUEUED', agent: { type: 'waiting' } },
      }),
    )
    await until('it is limited', async () => at(await agentStatus('limited'), 'state') === 'rate_limited')
    assert.equal(at(await agentStatus('limited'), 'rate_limited_until'), rateLimitedUntil)
    await until('one is queued', async () => at(await agentStatus('waiting'), 'queued') === 1)
    const record = await agentStatus('waiting')
    for (const field of ['agent', 'state', 'queued', 'consecutive_failures', 'credentials'])
      assert.notEqual(at(record, field), undefined, field)
    const { body } = await api.get('/api/agents/status')
    const told = listAt(body, 'events').filter((event) => at(event, 'agent') === 'limited')
    assert.deepEqual(
      told.map((event) => [at(event, 'at'), at(event, 'message')]),
      [[events[1]?.at, 'slow down']],
    )
    assert.equal(typeof at(told[0], 'kind'), 'string')
  })

  row('4.stats', 'gives errors, throughput and billing of the window, zero-filled; another window is 400', async () => {
    await api.givenExecution(
      anExecution({
        name: 'stat-1',
        status: {
          state: 'FAILED',
          error: { category: 'git', message: 'no such branch' },
          startedAt: ago(2),
          finishedAt: ago(1),
          costUSD: 2,
        },
      }),
    )
    await until('it is counted', async () => at((await api.get('/api/stats')).body, ['errors', 'git']) === 1)
    for (const [query, window, hours, days] of [
      ['', '7d', 168, 7],
      ['?window=24h', '24h', 24, 1],
      ['?window=30d', '30d', 720, 30],
    ] as const) {
      const { status, body } = await api.get(`/api/stats${query}`)
      assert.deepEqual([status, at(body, 'window')], [200, window])
      const { failures, ...counts } = at(body, 'errors') as Record<string, unknown>
      assert.deepEqual(counts, { quota: 0, rate_limit: 0, timeout: 0, git: 1, failed: 0 })
      const failure = {
        task_id: 'stat',
        execution_id: 'stat-1',
        category: 'git',
        message: 'no such branch',
        at: ago(1),
      }
      assert.deepEqual({ ...(failures as object[])[0], at: ago(1) }, failure)
      const throughput = listAt(body, 'throughput')
      assert.ok(Math.abs(throughput.length - hours) <= 1, String(throughput.length))
      assert.equal(
        throughput.reduce((sum: number, hour) => sum + Number(at(hour, 'failed')), 0),
        1,
      )
      assert.deepEqual(Object.keys(throughput[0] as object).toSorted(), ['completed', 'failed', 'hour', 'other'])
      const billing = at(body, 'billing')
      assert.deepEqual([at(billing, 'total_7d_usd'), at(billing, 'cost_per_run_usd')], [2, 2])
      assert.ok(Math.abs(Number(at(billing, 'average_per_day_usd')) - 2 / 7) < 0.01)
      assert.ok(Math.abs(listAt(billing, 'daily').length - days) <= 1)
    }
    assert.equal((await api.get('/api/stats?window=1h')).status, 400)
  })

  row('4.version', 'gives version, commit and built_at', async () => {
    const { status, body } = await api.get('/api/version')
    assert.deepEqual([status, body], [200, { version: '1.2.3', commit: COMMIT, built_at: '2026-01-02T03:04:05Z' }])
  })

  row(
    '4.websocket',
    'is /api/ws; ?types= filters, ?since= goes on after a message, an unknown one is told to resync',
    async () => {
      const live = await connectLive(api.url, '?types=task_created')
      await api.post('/api/tasks', { id: 'live-1', name: 'One' })
      await api.post('/api/tasks/live-1/run')
      await api.post('/api/tasks', { id: 'live-2', name: 'Two' })
      await until('both were told', () => live.messages.length >= 2)
      assert.deepEqual(
        live.messages.map(({ type, task_id }) => [type, task_id]),
        [
          ['task_created', 'live-1'],
          ['task_created', 'live-2'],
        ],
      )
      const again = await connectLive(
        api.url,
        `?types=task_created&since=${encodeURIComponent(live.messages[0]?.id ?? '')}`,
      )
      await until('what was missed is told', () => again.types('live-2').length === 1)
      assert.deepEqual(again.types('live-1'), [])
      const lost = await connectLive(api.url, '?since=nonsense')
      await until('it is told to resync', () => lost.types().includes('resync'))
      for (const client of [live, again, lost]) await client.close()
    },
  )

  row(
    '4.cors',
    'every answer names an origin, errors too; loopback is allowed without a token, others see our own',
    async () => {
      const origin = 'http://localhost:5173'
      for (const path of ['/api/tasks', '/api/tasks/none']) {
        const { headers } = await api.get(path, { Origin: origin })
        assert.equal(headers.get('access-control-allow-origin'), origin)
        assert.match(headers.get('vary') ?? '', /Origin/i)
        const exposed = headers.get('access-control-expose-headers') ?? ''
        for (const name of ['ETag', 'Link', 'Location', 'Retry-After']) assert.match(exposed, new RegExp(name, 'i'))
      }
      assert.equal((await api.get('/api/tasks')).headers.get('access-control-allow-origin'), api.url)
    },
  )

  row('4.cors', 'the preflight is 204 listing methods and headers', async () => {
    const asks = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'PUT' }
    const { status, headers } = await api.request('OPTIONS', '/api/stories/x', undefined, asks)
    assert.equal(status, 204)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      assert.match(headers.get('access-control-allow-methods') ?? '', new RegExp(method))
    for (const name of ['Authorization', 'Content-Type', 'If-Match', 'Last-Event-ID', 'X-Request-Id'])
      assert.match(headers.get('access-control-allow-headers') ?? '', new RegExp(name, 'i'))
  })

  row('4.cors', 'with a token any origin may read', async () => {
    const guarded = await startRig({ token: 'a-token-of-the-tests' })
    const { headers } = await guarded.get('/api/tasks', {
      Origin: 'https://board.example',
      Authorization: 'Bearer a-token-of-the-tests',
    })
    assert.equal(headers.get('access-control-allow-origin'), 'https://board.example')
    assert.equal(
      itemsOf((await guarded.get('/api/tasks', { Authorization: 'Bearer a-token-of-the-tests' })).body).length,
      0,
    )
    await guarded.stop()
  })
})
