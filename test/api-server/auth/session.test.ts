import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { SESSION_MS } from '../../../api-server/auth/sessions.ts'
import { systemClock } from '../../../lib/clock.ts'
import { at } from '../../helpers/kube-http.ts'
import { send } from '../http/raw-http.ts'
import { type Rig, startRig } from '../rig.ts'

const TOKENS = [{ name: 'alice', token: 'token-of-alice', scopes: ['read', 'decide'] }] as const
const json = { 'Content-Type': 'application/json' }

describe('a session', () => {
  let api: Rig
  let passed = 0
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + passed) }
  before(async () => {
    api = await startRig({ tokens: TOKENS, clock })
  })
  after(() => api.stop())
  beforeEach(() => (passed = 0))

  const begin = async (): Promise<{ cookie: string; all: string }> => {
    const { status, headers } = await send(
      `${api.url}/api/session`,
      { ...json, Origin: api.url },
      'POST',
      '{"token":"token-of-alice"}',
    )
    assert.equal(status, 200)
    const all = headers['set-cookie']?.[0] ?? ''
    return { cookie: all.split(';')[0] ?? '', all }
  }

  it('begins with a token in the body or in Authorization, and says who one is', async () => {
    const { body } = await api.post('/api/session', { token: 'token-of-alice' })
    assert.deepEqual([at(body, 'name'), at(body, 'scopes')], ['alice', ['read', 'decide']])
    assert.equal(typeof at(body, 'expires_at'), 'string')
    const byHeader = await api.post('/api/session', undefined, { Authorization: 'Bearer token-of-alice' })
    assert.match(byHeader.headers.get('set-cookie') ?? '', /^slipway-session=v1\.alice\./)
    assert.deepEqual((await api.post('/api/session', { token: 'token-of-eve' })).status, 401)
  })

  it('is a cookie that no script reads, no other site sends, and that does not hold the token', async () => {
    const { all } = await begin()
    assert.match(all, /; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.ok(!all.includes('token-of-alice'))
  })

  it('reads without Origin, and changes things from our own page only', async () => {
    const { cookie: Cookie } = await begin()
    assert.equal((await send(`${api.url}/api/tasks`, { Cookie })).status, 200)
    const create = (headers: Record<string, string>) =>
      send(`${api.url}/api/tasks`, { ...json, Cookie, ...headers }, 'POST', '{"name":"x"}')
    assert.equal((await create({ Origin: api.url })).status, 201)
    const foreign = [{}, { Origin: 'null' }, { Origin: 'https://evil.example' }, { Origin: 'http://127.0.0.1:1' }]
    for (const headers of foreign) assert.equal((await create(headers)).status, 403, JSON.stringify(headers))
  })

  it('counts less than a token: with a wrong one the request is refused', async () => {
    const { cookie: Cookie } = await begin()
    assert.equal((await send(`${api.url}/api/tasks`, { Cookie, Authorization: 'Bearer wrong-token' })).status, 401)
  })

  it('opens a WebSocket from our own page only', async () => {
    const { cookie: Cookie } = await begin()
    const open = async (headers: Record<string, string>): Promise<number> => {
      const socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/ws`, { headers: { Cookie, ...headers } })
      socket.on('error', () => undefined)
      const status = await Promise.race([
        once(socket, 'open').then(() => 101),
        once(socket, 'unexpected-response').then(([, response]) => Number(response.statusCode)),
      ])
      socket.terminate()
      return status
    }
    assert.equal(await open({ Origin: api.url }), 101)
    assert.equal(await open({ Origin: 'https://evil.example' }), 403)
    assert.equal(await open({}), 403)
  })

  it('cannot be made up, lengthened, or carried over to another name', async () => {
    const { cookie } = await begin()
    const [, end = '', mac = ''] = /alice\.(\d+)\.(.+)$/.exec(cookie) ?? []
    const forged = [
      `v1.alice.${Number(end) + 1}.${mac}`,
      `v1.api.${end}.${mac}`,
      `v1.alice.${end}.${mac.slice(1)}A`,
      `v1.alice.${end}.`,
      `v1.__proto__.${end}.${mac}`,
      '',
      'token-of-alice',
    ]
    for (const value of forged) {
      assert.equal((await send(`${api.url}/api/tasks`, { Cookie: `slipway-session=${value}` })).status, 401, value)
    }
  })

  it('ends after a week', async () => {
    const { cookie: Cookie } = await begin()
    passed = SESSION_MS - 60_000
    assert.equal((await send(`${api.url}/api/tasks`, { Cookie })).status, 200)
    passed = SESSION_MS
    assert.equal((await send(`${api.url}/api/tasks`, { Cookie })).status, 401)
  })

  it('ends in the browser when it is deleted', async () => {
    const { status, headers } = await send(`${api.url}/api/session`, { Origin: api.url }, 'DELETE')
    assert.equal(status, 204)
    assert.match(headers['set-cookie']?.[0] ?? '', /^slipway-session=; Max-Age=0; Path=\//)
  })

  it('is neither begun nor ended by a foreign page', async () => {
    const headers = { ...json, Origin: 'https://evil.example' }
    const begun = await send(`${api.url}/api/session`, headers, 'POST', '{"token":"token-of-alice"}')
    const ended = await send(`${api.url}/api/session`, headers, 'DELETE')
    assert.deepEqual([begun.status, ended.status], [403, 403])
  })

  it('says who the caller is, and when that ends', async () => {
    const { cookie: Cookie } = await begin()
    const { body } = await send(`${api.url}/api/session`, { Cookie })
    assert.deepEqual([at(body, 'name'), typeof at(body, 'expires_at')], ['alice', 'string'])
    const byToken = await api.get('/api/session', { Authorization: 'Bearer token-of-alice' })
    assert.deepEqual(byToken.body, { name: 'alice', scopes: ['read', 'decide'] })
  })

  it('outlives a restart of the server, and ends when its token changes', async () => {
    const { cookie: Cookie } = await begin()
    const again = await startRig({ tokens: TOKENS })
    assert.equal((await send(`${again.url}/api/tasks`, { Cookie })).status, 200)
    await again.stop()
    const changed = await startRig({ tokens: [{ ...TOKENS[0], token: 'another-token' }] })
    assert.equal((await send(`${changed.url}/api/tasks`, { Cookie })).status, 401)
    await changed.stop()
  })

  it('is sent over https only where the server is reached so', async () => {
    const secure = await startRig({ tokens: TOKENS, publicUrl: 'https://slipway.example' })
    const { headers } = await secure.post('/api/session', { token: 'token-of-alice' })
    assert.match(headers.get('set-cookie') ?? '', /^__Host-slipway-session=.*; Secure$/)
    await secure.stop()
  })

  it('is not needed while no token is set', async () => {
    const open = await startRig()
    const { status, body, headers } = await open.post('/api/session')
    assert.deepEqual([status, at(body, 'name'), headers.get('set-cookie')], [200, 'anonymous', null])
    await open.stop()
  })
})
