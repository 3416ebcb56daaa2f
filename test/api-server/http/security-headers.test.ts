import assert from 'node:assert/strict'
import { redactToken } from '../../../api-server/http/middleware/access-log.ts'
import { send } from './raw-http.ts'
import { type Rig, startRig } from '../rig.ts'

describe('the headers of every answer', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('forbid scripts from elsewhere, frames, guessing types and telling where one came from, also in refusals', async () => {
    for (const path of ['/api/tasks', '/api/tasks/none', '/healthz', '/api/docs', '/nothing']) {
      const { headers } = await send(`${api.url}${path}`, {})
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /script-src 'self';/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['strict-transport-security'], undefined)
      assert.equal(headers['x-powered-by'], undefined)
    }
  })

  it('let a page of an allowed origin read the API all the same', async () => {
    const { headers } = await send(`${api.url}/api/tasks`, { Origin: 'http://localhost:5173' })
    assert.equal(headers['access-control-allow-origin'], 'http://localhost:5173')
    // It is judged for requests without CORS only.
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(headers['access-control-allow-credentials'], undefined)
  })

  it('allow what the page at /api/docs loads, and no inline script in it', async () => {
    const { text } = await api.get('/api/docs')
    assert.ok(!/<script(?![^>]*\bsrc=)/.test(text))
    for (const [, source] of text.matchAll(/<script[^>]*\bsrc="([^"]+)"/g)) assert.match(source ?? '', /^\//)
  })

  it('ask for https from then on only where the server is reached so', async () => {
    const secure = await startRig({ publicUrl: 'https://slipway.example', token: 'long-enough' })
    const { headers } = await send(`${secure.url}/healthz`, {})
    assert.match(String(headers['strict-transport-security']), /max-age=15552000/)
    assert.match(String(headers['content-security-policy']), /wss:\/\/slipway\.example/)
    await secure.stop()
  })
})

describe('the address in the access log', () => {
  const cases: readonly [string, string][] = [
    ['/api/tasks', '/api/tasks'],
    ['/api/tasks?state=READY', '/api/tasks?state=READY'],
    ['/a?token=secret-1', '/a?token=[redacted]'],
    ['/a?x=1&token=secret-1&y=2', '/a?x=1&token=[redacted]&y=2'],
    ['/a?%74oken=secret-1', '/a?token=[redacted]'],
    ['/a?TOKEN=secret-1', '/a?token=[redacted]'],
    ['/a?token=x?token=secret-1', '/a?token=[redacted]'],
    ['/a?a=1#token=secret-1', '/a?a=1&token=[redacted]'],
  ]
  for (const [url, logged] of cases) {
    it(`of ${url} is ${logged}`, () => assert.equal(redactToken(url), logged))
  }
})
