import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { once } from 'node:events'
import { at, textAt } from '../../helpers/kube-http.ts'
import { type Rig, startRig } from '../rig.ts'

/** fetch neither sets Host nor Origin. */
async function raw(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  const request = httpRequest(url, { headers, method }).end()
  const [response] = await once(request, 'response')
  response.resume()
  await once(response, 'end')
  return { status: response.statusCode, headers: response.headers }
}

describe('HTTP in front of the handlers', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('answers an unknown path with 404, in any case and with a slash too many', async () => {
    for (const path of ['/api/nothing', '/API/tasks', '/api/tasks/', '/nothing']) {
      const { status, headers, body } = await api.get(path)
      assert.deepEqual([status, body], [404, { error: `no such path: ${path}` }])
      assert.equal(headers.get('slipway-error'), 'route_not_found')
    }
  })

  it('answers a wrong method with 405 and the methods that the path has', async () => {
    const { status, headers } = await api.request('PATCH', '/api/tasks/x')
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, PUT, DELETE, HEAD, OPTIONS'])
    assert.equal((await api.request('GET', '/api/tasks/x/accept')).headers.get('allow'), 'POST, OPTIONS')
  })

  it('refuses malformed JSON, a body that is too large and a wrong content type', async () => {
    const malformed = await api.post('/api/tasks', '{"name":')
    assert.equal(malformed.status, 400)
    const endless = await api.post('/api/tasks', '{"name":"x","priority":1e400}')
    assert.deepEqual([endless.status, at(endless.body, 'error')], [400, 'priority: must be a whole number'])
    assert.ok(textAt(malformed.body, 'error').startsWith('invalid JSON: '))
    const large = await api.post('/api/tasks', { name: 'x', description: 'y'.repeat(1024 * 1024) })
    assert.deepEqual([large.status, at(large.body, 'error')], [413, 'the request body is larger than 1048576 bytes'])
    const form = await api.post('/api/tasks', 'name=x', { 'Content-Type': 'application/x-www-form-urlencoded' })
    assert.equal(form.status, 415)
    const shouted = await api.post('/api/tasks', '{"name":"x"}', { 'Content-Type': 'APPLICATION/JSON; charset=UTF-8' })
    assert.equal(shouted.status, 201)
  })

  it('refuses an unknown and a repeated query parameter', async () => {
    const unknown = await api.get('/api/tasks?colour=red')
    assert.deepEqual([unknown.status, at(unknown.body, 'error')], [400, 'colour: unknown field'])
    const repeated = await api.get('/api/tasks?state=READY&state=FAILED')
    assert.deepEqual([repeated.status, at(repeated.body, 'error')], [400, 'state: given more than once'])
    assert.equal((await api.get('/api/tasks?limit=many')).status, 400)
  })

  it('returns the request id of the caller, or one of its own', async () => {
    assert.equal((await api.get('/healthz', { 'X-Request-Id': 'mine-1' })).headers.get('x-request-id'), 'mine-1')
    assert.match((await api.get('/healthz', { 'X-Request-Id': 'a b' })).headers.get('x-request-id') ?? '', /^request-/)
  })

  it('tells version, health and readiness', async () => {
    assert.deepEqual((await api.get('/api/version')).body, { version: '0.0.0-test', commit: '', built_at: '' })
    assert.equal((await api.get('/healthz')).status, 200)
    assert.equal((await api.get('/readyz')).status, 200)
    assert.equal(api.server.isReady(), true)
  })

  it('answers HEAD as GET without the body', async () => {
    const { status, text, headers } = await api.request('HEAD', '/api/tasks')
    assert.deepEqual([status, text], [200, ''])
    assert.notEqual(headers.get('etag'), null)
  })

  const rules: readonly [string, Record<string, string>, number][] = [
    ['the name of this machine', { Host: 'localhost:1' }, 200],
    ['a foreign host name', { Host: 'evil.example' }, 403],
    ['a loopback page', { Origin: 'http://localhost:5173' }, 200],
    ['a foreign page', { Origin: 'https://evil.example' }, 403],
    ['a page without origin', { Origin: 'null' }, 403],
  ]
  for (const [what, headers, status] of rules) {
    it(`answers ${what} with ${status} while no token is set`, async () => {
      assert.equal((await raw(`${api.url}/api/version`, headers)).status, status)
    })
  }

  it('answers probes that come by any address', async () => {
    assert.equal((await raw(`${api.url}/healthz`, { Host: '10.1.2.3:8080' })).status, 200)
  })

  it('names the page that may read an answer: the caller’s when allowed, else its own', async () => {
    const allowed = await raw(`${api.url}/api/version`, { Origin: 'http://localhost:5173' })
    assert.equal(allowed.headers['access-control-allow-origin'], 'http://localhost:5173')
    assert.match(allowed.headers.vary ?? '', /Origin/)
    const refused = await raw(`${api.url}/api/version`, { Origin: 'https://evil.example' })
    assert.equal(refused.headers['access-control-allow-origin'], api.url)
  })

  it('answers a preflight request with 204 and what it allows', async () => {
    const { status, headers } = await raw(`${api.url}/api/tasks`, { Origin: 'http://localhost:1' }, 'OPTIONS')
    assert.equal(status, 204)
    assert.match(headers['access-control-allow-methods'] ?? '', /PUT/)
    assert.match(headers['access-control-allow-headers'] ?? '', /Last-Event-ID/)
  })
})

describe('an API server with a token', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ token: 'secret', publicUrl: 'https://slipway.example' })
  })
  after(() => api.stop())
  const authorized = { Authorization: 'Bearer secret' }

  it('refuses requests without it, and with a wrong one, with 401', async () => {
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: 'Basic c2VjcmV0' }]) {
      const { status, headers: answered, body } = await api.get('/api/tasks', headers)
      assert.deepEqual([status, answered.get('www-authenticate')], [401, 'Bearer'])
      assert.equal(typeof at(body, 'error'), 'string')
    }
    assert.equal((await api.get('/api/tasks', authorized)).status, 200)
  })

  it('needs none for health and preflight', async () => {
    assert.equal((await api.get('/healthz')).status, 200)
    assert.equal((await api.get('/readyz')).status, 200)
    assert.equal((await api.request('OPTIONS', '/api/tasks')).status, 204)
  })

  it('takes it in the query for log streams only', async () => {
    assert.equal((await api.get('/api/tasks/x/logs/stream?token=secret')).status, 404)
    assert.equal((await api.get('/api/tasks?token=secret')).status, 401)
  })

  it('writes the name of the caller into decisions', async () => {
    const { body } = await api.post('/api/tasks', { name: 'x' }, authorized)
    await api.post(`/api/tasks/${textAt(body, 'id')}/run`, undefined, authorized)
    const decided = await api.get(`/api/tasks/${textAt(body, 'id')}`, authorized)
    assert.equal(at(decided.body, 'decisions.0.by'), 'api')
  })

  it('answers by its public name, and lets any page read that has the token', async () => {
    const headers = { ...authorized, Host: 'slipway.example', Origin: 'https://tool.example' }
    const { status, headers: answered } = await raw(`${api.url}/api/tasks`, headers)
    assert.deepEqual([status, answered['access-control-allow-origin']], [200, 'https://tool.example'])
  })
})
