import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Scope } from '../../../core/rest/route.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type LiveTestClient, connectLive } from '../live/live-client.ts'
import { type Rig, idsOf, itemsOf, startRig } from '../rig.ts'

const TOKENS = [
  { name: 'board', token: 'token-of-board', scopes: ['read'] },
  { name: 'alice', token: 'token-of-alice', scopes: ['read', 'decide'] },
  { name: 'ci', token: 'token-of-ci', scopes: ['decide'] },
  { name: 'ops', token: 'token-of-ops', scopes: ['admin'] },
] as const satisfies { name: string; token: string; scopes: Scope[] }[]

const as = (name: string): Record<string, string> => ({ Authorization: `Bearer token-of-${name}` })

describe('tokens with scopes', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ token: 'token-of-all', tokens: TOKENS })
  })
  after(() => api.stop())

  const uses: readonly [method: string, path: string, scope: Scope][] = [
    ['GET', '/api/tasks', 'read'],
    ['HEAD', '/api/tasks', 'read'],
    ['POST', '/api/tasks/none/accept', 'decide'],
    ['DELETE', '/api/tasks/none', 'admin'],
    ['POST', '/api/projects', 'admin'],
    ['PUT', '/api/projects/none', 'admin'],
    ['POST', '/api/pool/agents/none/undrain', 'admin'],
    ['POST', '/api/push/subscribe', 'decide'],
    ['DELETE', '/api/push/subscribe', 'decide'],
  ]
  for (const [method, path, scope] of uses) {
    it(`let ${method} ${path} through with ${scope} only`, async () => {
      for (const { name, scopes } of TOKENS) {
        const isAllowed = scopes.some((own: Scope) => own === scope)
        const { status, body, headers } = await api.request(method, path, undefined, as(name))
        assert.equal(status === 403, !isAllowed, `${name}: ${status}`)
        assert.notEqual(status, 401)
        if (isAllowed) continue
        if (method !== 'HEAD') assert.deepEqual(body, { error: `${name} lacks the scope ${scope}` })
        assert.equal(headers.get('www-authenticate'), `Bearer error="insufficient_scope", scope="${scope}"`)
      }
      assert.ok(![401, 403].includes((await api.request(method, path, undefined, as('all'))).status))
    })
  }

  it('are refused when they are wrong, of another scheme, cut short or empty, with 401', async () => {
    const wrong = ['Bearer token-of-nobody', 'Bearer token-of-boar', 'Bearer ', 'Basic token-of-all', 'token-of-all']
    for (const Authorization of wrong) {
      const { status, headers, body } = await api.get('/api/tasks', { Authorization })
      assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer'], Authorization)
      assert.equal(typeof at(body, 'error'), 'string')
    }
  })

  it('see over WebSocket, as over REST, the actions that they may take', async () => {
    const [board, alice] = await Promise.all(
      ['board', 'alice'].map((name) => connectLive(api.url, `?types=task_created&token=token-of-${name}`)),
    )
    await api.post('/api/tasks', { id: 'watched', name: 'x' }, as('alice'))
    const actionsOf = (client: LiveTestClient | undefined) => at(client?.messages[0]?.task, 'actions')
    await until('both were told', () => board?.messages.length === 1 && alice?.messages.length === 1)
    assert.deepEqual(actionsOf(board), [])
    assert.deepEqual(actionsOf(alice), at((await api.get('/api/tasks/watched', as('alice'))).body, 'actions'))
    await Promise.all([board?.close(), alice?.close()])
  })

  it('are asked for below /api also where nothing is, so that nobody learns what is there', async () => {
    assert.equal((await api.get('/api/nothing')).status, 401)
    assert.equal((await api.get('/API/tasks')).status, 401)
    assert.equal((await api.get('//api/tasks')).status, 401)
    assert.equal((await api.get('/api/nothing', as('board'))).status, 404)
  })

  it('are not asked for by probes, preflight and what is no API', async () => {
    assert.deepEqual([(await api.get('/healthz')).status, (await api.get('/readyz')).status], [200, 200])
    assert.equal((await api.request('OPTIONS', '/api/tasks')).status, 204)
    assert.equal((await api.get('/somewhere')).status, 404)
  })

  it('write their names into decisions', async () => {
    await api.post('/api/tasks', { id: 'named', name: 'x' }, as('alice'))
    assert.equal((await api.post('/api/tasks/named/run', undefined, as('alice'))).status, 202)
    assert.equal((await api.post('/api/tasks/named/cancel', undefined, as('ci'))).status, 200)
    const { body } = await api.get('/api/tasks/named', as('board'))
    const who = itemsOf(at(body, 'decisions')).map((decision) => [at(decision, 'action'), at(decision, 'by')])
    assert.deepEqual(who, [
      ['run', 'alice'],
      ['cancel', 'ci'],
    ])
  })

  it('without decide see no action on any task, those with it see what is allowed', async () => {
    const { body: created } = await api.post('/api/tasks', { name: 'x' }, as('alice'))
    assert.deepEqual(at(created, 'actions'), ['run', 'cancel'])
    const path = `/api/tasks/${textAt(created, 'id')}`
    for (const [name, actions] of [
      ['board', []],
      ['alice', ['run', 'cancel']],
    ] as const) {
      assert.deepEqual(at((await api.get(path, as(name))).body, 'actions'), actions)
      const list = await api.get('/api/tasks?state=PENDING', as(name))
      const shown = itemsOf(list.body)[idsOf(list.body).indexOf(textAt(created, 'id'))]
      assert.deepEqual(at(shown, 'actions'), actions)
    }
  })

  it('without decide see no action on a story either', async () => {
    await api.post('/api/stories', { id: 'seen', name: 's' }, as('alice'))
    for (const path of ['/api/stories', '/api/stories/seen']) {
      const [reader, decider] = [await api.get(path, as('board')), await api.get(path, as('alice'))]
      const actionsOf = (answer: typeof reader) => at(answer.body, path.endsWith('seen') ? 'actions' : '0.actions')
      assert.deepEqual(actionsOf(reader), [])
      assert.notDeepEqual(actionsOf(decider), [])
      assert.notEqual(reader.headers.get('etag'), decider.headers.get('etag'))
    }
  })

  it('get answers that are not taken for one another by If-None-Match', async () => {
    for (const path of [
      '/api/tasks',
      `/api/tasks/${textAt((await api.get('/api/tasks', as('board'))).body, '0.id')}`,
    ]) {
      const etag = (await api.get(path, as('alice'))).headers.get('etag') ?? ''
      assert.equal((await api.get(path, { ...as('alice'), 'If-None-Match': etag })).status, 304)
      assert.equal((await api.get(path, { ...as('board'), 'If-None-Match': etag })).status, 200)
    }
  })

  it('open a WebSocket with read only, by header, subprotocol or query', async () => {
    const open = async (query: string, options: { headers?: Record<string, string>; protocol?: string }) => {
      const socket = new WebSocket(
        `${api.url.replace('http', 'ws')}/api/ws${query}`,
        options.protocol === undefined ? [] : [options.protocol],
        { headers: options.headers ?? {} },
      )
      socket.on('error', () => undefined)
      const status = await Promise.race([
        once(socket, 'open').then(() => 101),
        once(socket, 'unexpected-response').then(([, response]) => Number(response.statusCode)),
      ])
      socket.terminate()
      return status
    }
    assert.equal(await open('', { headers: as('board') }), 101)
    assert.equal(await open('', { protocol: 'bearer.token-of-board' }), 101)
    assert.equal(await open('?token=token-of-board', {}), 101)
    assert.equal(await open('', { headers: as('ci') }), 403)
    assert.equal(await open('', {}), 401)
  })
})
