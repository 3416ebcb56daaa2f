import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type HttpLimits, HTTP_LIMITS } from '../../../api-server/http/server.ts'
import { until } from '../../helpers/until.ts'
import { exchange, openSocket, readToEnd, statusesOf } from './raw-http.ts'
import { type Rig, startRig } from '../rig.ts'

const HEAD = 'Host: localhost\r\n'
const json = `${HEAD}Content-Type: application/json\r\n`

/** The body of every error, Node's own included (specification §11.1). */
function assertErrorBody(answer: string): void {
  assert.match(answer, /^Content-Type: application\/json(; charset=utf-8)?\r$/im)
  assert.match(answer, /^Slipway-Error: [a-z_]+\r$/im)
  assert.match(answer, /\r\n\r\n\{"error":"[^"]+"\}$/)
}

describe('a connection that is up to no good', () => {
  let api: Rig
  before(async () => {
    // Only what comes behind an answer is hurried here: a machine that stops for a moment must not look like a client that does.
    api = await startRig({ httpLimits: { ...HTTP_LIMITS, idleMs: 300, checkMs: 50 } })
  })
  after(() => api.stop())

  const refusals: readonly [what: string, bytes: string, status: number][] = [
    [
      'both lengths of a body',
      `POST /api/tasks HTTP/1.1\r\n${json}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'two lengths of a body',
      `POST /api/tasks HTTP/1.1\r\n${json}Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}`,
      400,
    ],
    ['a length that is no number', `POST /api/tasks HTTP/1.1\r\n${json}Content-Length: +2\r\n\r\n{}`, 400],
    [
      'a coding behind chunked',
      `POST /api/tasks HTTP/1.1\r\n${json}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a chunk size that is none', `POST /api/tasks HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, 400],
    ['a space before the colon', `GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n`, 400],
    ['a folded header', `GET /healthz HTTP/1.1\r\n${HEAD}X-A: b\r\n c: d\r\nX-Bad\u0000: x\r\n\r\n`, 400],
    ['a line feed alone', `GET /healthz HTTP/1.1\r\n${HEAD}X-A: b\nX-B: c\r\n\r\n`, 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', `GET /healthz HTTP/1.1\r\n${HEAD}HOST: evil.example\r\nConnection: close\r\n\r\n`, 400],
    ['the same Host twice', `GET /healthz HTTP/1.0\r\n${HEAD}${HEAD}\r\n`, 400],
    ['a Host that is none', 'GET /healthz HTTP/1.1\r\nHost: a@localhost\r\nConnection: close\r\n\r\n', 400],
    ['a target at another host', `GET http://evil.example/healthz HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`, 400],
    [
      'a target and a Host of another host',
      'GET http://evil.example/api/tasks HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      403,
    ],
    [
      'two Hosts for a WebSocket',
      `GET /api/ws HTTP/1.1\r\n${HEAD}${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      400,
    ],
    ['something else than HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 400],
    ['another HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a header that is too long', `GET /healthz HTTP/1.1\r\n${HEAD}X-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['10,000 headers', `GET /healthz HTTP/1.1\r\n${HEAD}${'a:b\r\n'.repeat(10_000)}\r\n`, 431],
    ['200 headers', `GET /healthz HTTP/1.1\r\n${HEAD}Connection: close\r\n${'a:b\r\n'.repeat(200)}\r\n`, 431],
    [
      'an address that is too long',
      `GET /api/tasks?state=${'A'.repeat(9000)} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`,
      414,
    ],
    ['the wish to be connected elsewhere', `CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n`, 405],
    [
      'an expectation that nobody knows',
      `POST /api/tasks HTTP/1.1\r\n${json}Expect: 200-maybe\r\nConnection: close\r\n\r\n`,
      417,
    ],
  ]
  for (const [what, bytes, status] of refusals) {
    it(`with ${what} is answered ${status} once, and closed`, async () => {
      const answer = await exchange(api.url, bytes)
      assert.deepEqual(statusesOf(answer), [status], answer)
      assertErrorBody(answer)
    })
  }

  it('may name its own host in the target, as a request to a proxy does', async () => {
    for (const target of ['http://localhost/healthz', 'HTTP://LOCALHOST/healthz?x=1'])
      assert.match(
        await exchange(api.url, `GET ${target} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`),
        target.includes('?') ? /x: unknown field/ : /\{"status":"ok"\}$/,
      )
  })

  it('of HTTP/1.0 needs no Host for what anybody may ask', async () => {
    assert.deepEqual(statusesOf(await exchange(api.url, 'GET /healthz HTTP/1.0\r\n\r\n')), [200])
  })

  it('that is idle after a request is closed', async () => {
    const socket = await openSocket(api.url)
    socket.write(`GET /healthz HTTP/1.1\r\n${HEAD}\r\n`)
    assert.deepEqual(statusesOf(await readToEnd(socket)), [200])
  })

  it('with nonsense behind a request gets its answer whole, and is closed', async () => {
    const answer = await exchange(api.url, `GET /healthz HTTP/1.1\r\n${HEAD}\r\nnonsense\r\n\r\n`)
    assert.deepEqual(statusesOf(answer), [200])
    assert.match(answer, /\r\n\r\n\{"status":"ok"\}$/)
  })

  it('is told to go on with its body when it expects that', async () => {
    const socket = await openSocket(api.url)
    socket.write(
      `POST /api/tasks HTTP/1.1\r\n${json}Expect: 100-continue\r\nConnection: close\r\nContent-Length: 12\r\n\r\n`,
    )
    const [first] = await once(socket, 'data')
    assert.equal(String(first), 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('{"name":"x"}')
    assert.deepEqual(statusesOf(await readToEnd(socket)), [201])
  })

  for (const method of ['TRACE', 'PROPFIND', 'PATCH']) {
    it(`that tries ${method} is answered 405 without an echo`, async () => {
      const answer = await exchange(
        api.url,
        `${method} /api/tasks HTTP/1.1\r\n${HEAD}X-Mine: echo\r\nConnection: close\r\n\r\n`,
      )
      assert.deepEqual(statusesOf(answer), [405])
      assert.ok(!answer.includes('echo'))
    })
  }
})

describe('a connection that dawdles', () => {
  const started: Rig[] = []
  afterEach(async () => {
    for (const api of started.splice(0)) await api.stop()
  })

  /** Only the time that a test is about is short. */
  const hurried = async (limits: Partial<HttpLimits>): Promise<Rig> => {
    const api = await startRig({ httpLimits: { ...HTTP_LIMITS, checkMs: 50, ...limits } })
    started.push(api)
    return api
  }

  it('with headers that never end is answered 408', async () => {
    const api = await hurried({ headersMs: 300 })
    const socket = await openSocket(api.url)
    socket.write(`GET /healthz HTTP/1.1\r\n${HEAD}X-A: `)
    const answer = await readToEnd(socket)
    assert.deepEqual(statusesOf(answer), [408])
    assertErrorBody(answer)
  })

  it('by saying nothing at all is closed', async () => {
    const api = await hurried({ headersMs: 300 })
    await readToEnd(await openSocket(api.url))
  })

  for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
    it(`with a body that stops half way is answered 408 (${framing})`, async () => {
      const api = await hurried({ pauseMs: 300 })
      const socket = await openSocket(api.url)
      socket.write(`POST /api/tasks HTTP/1.1\r\n${json}${framing}\r\n\r\n`)
      const answer = await readToEnd(socket)
      assert.deepEqual(statusesOf(answer), [408])
      assertErrorBody(answer)
    })
  }

  it('with an upload that stops half way is answered 408, and leaves nothing behind', async () => {
    const api = await hurried({ pauseMs: 300 })
    const socket = await openSocket(api.url)
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\nhalf'
    socket.write(
      `POST /api/drops HTTP/1.1\r\n${HEAD}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9999\r\n\r\n${part}`,
    )
    assert.deepEqual(statusesOf(await readToEnd(socket)), [408])
    assert.deepEqual((await api.get('/api/drops')).body, [])
  })
})

describe('bodies that wait for their end', () => {
  const MEBIBYTE = 1024 * 1024
  let api: Rig
  before(async () => {
    api = await startRig({
      webhookSecret: 'a-secret-of-the-hook',
      httpLimits: { ...HTTP_LIMITS, bodiesBytes: MEBIBYTE },
    })
  })
  after(() => api.stop())

  it('share the memory for them: what does not fit is refused with 503 until the others have gone', async function () {
    const post = (path: string, sizeBytes: number): string =>
      `POST ${path} HTTP/1.1\r\n${json}Connection: close\r\nContent-Length: ${sizeBytes}\r\n\r\n`
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(api.url)))
    const refused: string[] = []
    for (const socket of sockets) {
      socket.on('data', (bytes) => refused.push(bytes.toString()))
      // Nobody has said yet who they are: a webhook does by its signature, over all of it.
      socket.write(`${post('/api/webhooks/vcshost', MEBIBYTE)}${'a'.repeat(600_000)}`)
    }
    await until('one of three is left', () => refused.join('').match(/too many bodies/g)?.length === 2)
    assert.deepEqual(statusesOf(refused.join('\n')), [503, 503])
    for (const socket of sockets) socket.destroy()
    const create = async (): Promise<number[]> =>
      statusesOf(await exchange(api.url, `${post('/api/tasks', 900_000)}${'a'.repeat(900_000)}`))
    await until('the room is free again', async () => (await create())[0] === 400)
  })
})
