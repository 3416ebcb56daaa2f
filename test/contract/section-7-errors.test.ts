/** Section 7, errors over HTTP. */
import assert from 'node:assert/strict'
import { type Rig, startRig } from '../api-server/rig.ts'
import { aTask } from '../helpers/build.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'

describe('the contract, section 7: errors', function () {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const post = async (path: string, body?: unknown) => {
    const answer = await api.post(path, body)
    return [answer.status, answer.body]
  }
  const ready = (name: string) => api.given(aTask({ name, status: { state: 'READY' } }))

  row('7.shape', 'every refusal is {error} with a text and nothing else', async () => {
    const refusals: readonly [method: string, path: string, status: number, body?: unknown, type?: string][] = [
      ['GET', '/api/nowhere', 404],
      ['GET', '/api/tasks/none', 404],
      ['PATCH', '/api/tasks', 405],
      ['POST', '/api/tasks', 400, '{'],
      ['POST', '/api/tasks', 400, '[]'],
      ['POST', '/api/tasks', 413, JSON.stringify({ name: 'x', description: 'x'.repeat(1_100_000) })],
      ['POST', '/api/tasks', 415, '<x/>', 'text/xml'],
      ['GET', '/api/stats?window=1h', 400],
    ]
    for (const [method, path, status, body, type] of refusals) {
      const answer = await api.request(method, path, body, type === undefined ? {} : { 'Content-Type': type })
      assert.equal(answer.status, status, `${method} ${path}`)
      assert.deepEqual(Object.keys(answer.body as object), ['error'])
      assert.ok(textAt(answer.body, 'error').length > 0)
      if (status === 405) assert.match(answer.headers.get('allow') ?? '', /GET.*POST/)
    }
  })

  row('7.success', 'all six actions answer message and task_id and nothing else', async () => {
    const question = { items: [{ text: 'Which?' }], askedAt: '2026-01-02T03:04:05Z' }
    const actions = [
      ['accept', { state: 'READY' }, undefined],
      ['reject', { state: 'READY' }, { comment: 'no' }],
      ['cancel', { state: 'PENDING' }, undefined],
      ['run', { state: 'PENDING' }, undefined],
      ['resume', { state: 'FAILED' }, undefined],
      ['answer', { state: 'BLOCKED', question }, { answer: 'this' }],
    ] as const
    for (const [action, status, body] of actions) {
      await api.given(aTask({ name: `ok-${action}`, status }))
      const [code, answer] = await post(`/api/tasks/ok-${action}/${action}`, body)
      assert.ok(code === 200 || code === 202)
      assert.deepEqual(Object.keys(answer as object).toSorted(), ['message', 'task_id'])
      assert.equal(at(answer, 'task_id'), `ok-${action}`)
    }
  })

  row('7.status.400', 'an unknown state in the filter, and a reject whose body is no JSON', async () => {
    assert.equal((await api.get('/api/tasks?state=DREAMING')).status, 400)
    await ready('no-json')
    for (const body of ['{"comment":', 'no']) {
      const [status, answer] = await post('/api/tasks/no-json/reject', body)
      assert.equal(status, 400)
      assert.match(textAt(answer, 'error'), /^invalid JSON: /)
    }
    assert.equal(at((await api.get('/api/tasks/no-json')).body, 'state'), 'READY')
  })

  row('7.status.404', 'accept and reject of no task', async () => {
    const refused = [404, { error: 'task not found' }]
    assert.deepEqual(await post('/api/tasks/none/accept'), refused)
    assert.deepEqual(await post('/api/tasks/none/reject', { comment: 'no' }), refused)
  })

  row('7.status.409', 'says from which state a task cannot be accepted, rejected or run', async () => {
    await api.given(aTask({ name: 'pending', status: { state: 'PENDING' } }))
    await api.given(aTask({ name: 'completed', status: { state: 'COMPLETED' } }))
    assert.deepEqual(await post('/api/tasks/pending/accept'), [
      409,
      { error: 'task cannot be accepted from state PENDING' },
    ])
    const rejected = await post('/api/tasks/pending/reject', { comment: 'no' })
    assert.deepEqual(rejected, [409, { error: 'task cannot be rejected from state PENDING' }])
    assert.deepEqual(await post('/api/tasks/completed/run'), [
      409,
      { error: 'task cannot be run from state COMPLETED' },
    ])
  })

  row('7.reject-order', 'the task, then its state, then the body', async () => {
    assert.deepEqual(await post('/api/tasks/none/reject', '{'), [404, { error: 'task not found' }])
    await api.given(aTask({ name: 'order', status: { state: 'PENDING' } }))
    const state = [409, { error: 'task cannot be rejected from state PENDING' }]
    assert.deepEqual(await post('/api/tasks/order/reject', '{'), state)
    assert.deepEqual(await post('/api/tasks/order/reject', { comment: 7 }), state)
    await ready('order-ready')
    assert.equal((await post('/api/tasks/order-ready/reject', '{'))[0], 400)
  })

  row('7.story-status', 'an invalid story move is 409, and says from where to where', async () => {
    await api.post('/api/stories', { id: 'still', name: 'Still' })
    const { status, body } = await api.put('/api/stories/still/status', { status: 'DONE' })
    assert.deepEqual([status, body], [409, { error: 'story cannot move from DISCOVERY to DONE' }])
    for (const path of ['stories', 'epics', 'projects', 'agents', 'executions']) {
      const none = await api.get(`/api/${path}/none`)
      assert.deepEqual([none.status, Object.keys(none.body as object)], [404, ['error']])
    }
  })

  row('7.status.500', 'a storage failure is 500 with the underlying text, and it comes back by itself', async () => {
    await ready('stored')
    await api.stopControlPlane()
    const [status, answer] = await post('/api/tasks/stored/accept')
    assert.equal(status, 500)
    assert.deepEqual(Object.keys(answer as object), ['error'])
    assert.match(textAt(answer, 'error'), /ECONNREFUSED|connect|socket|closed/i)
    await api.startControlPlane()
    await until('writes work again', async () => (await post('/api/tasks/stored/accept'))[0] === 200)
  })
})
