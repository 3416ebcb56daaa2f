// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { WebSocket } from 'ws'
import { MAX_CLIENTS } from '../../../api-server/live/websocket.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

describe('the handshake of live connections', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const refusals: readonly [string, string, Record<string, string>, number][] = [
    ['an unknown type', '/api/ws?types=task_exploded', {}, 400],
    ['a type that is empty', '/api/ws?types=', {}, 400],
    ['an unknown parameter', '/api/ws?type=task_created', {}, 400],
    ['a parameter given twice', '/api/ws?since=a&since=b', {}, 400],
    ['another path', '/api/tasks', {}, 404],
    ['a path that could be read as a host', '//', {}, 404],
    ['the path behind a host', '//other/api/ws', {}, 404],
    ['the path with a slash behind', '/api/ws/', {}, 404],
    ['a foreign page', '/api/ws', { Origin: 'https://evil.example' }, 403],
  ]
  for (const [what, path, headers, status] of refusals) {
    it(`refuses ${what} with ${status} before the upgrade`, async () => {
      const socket = new WebSocket(`${api.url.replace('http', 'ws')}${path}`, { headers })
      const [, response] = await once(socket, 'unexpected-response')
      assert.equal(response.statusCode, status)
      assert.match(response.headers['slipway-error'], /^[a-z_]+$/)
      const [chunk] = await once(response, 'data')
      assert.ok('error' in JSON.parse(String(chunk)))
      socket.on('error', () => undefined).terminate()
    })
  }

  /** The answer to a request written by hand, as long as the server lets it come. */
  const speak = async (requestLine: string, headers: Record<string, string>): Promise<string> => {
    const { hostname, port } = new URL(api.url)
    const socket = connectTcp(Number(port), hostname)
    const all = { Host: 'localhost', Connection: 'Upgrade', Upgrade: 'websocket', ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
    socket.write(`${[requestLine, ...lines].join('\r\n')}\r\n\r\n`)
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await once(socket, 'close')
    return text
  }
  const good = { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version': '13' }
  const malformed: readonly [string, string, Record<string, string>, number, RegExp][] = [
    ['a key that is none', 'GET /api/ws HTTP/1.1', { ...good, 'Sec-WebSocket-Key': 'x' }, 400, /Sec-WebSocket-Key/],
    ['no key', 'GET /api/ws HTTP/1.1', { 'Sec-WebSocket-Version': '13' }, 400, /Sec-WebSocket-Key/],
    ['another version', 'GET /api/ws HTTP/1.1', { ...good, 'Sec-WebSocket-Version': '7' }, 400, /Version/],
    ['another protocol', 'GET /api/ws HTTP/1.1', { ...good, Upgrade: 'h2c' }, 400, /Upgrade/],
    ['HTTP/1.0', 'GET /api/ws HTTP/1.0', good, 400, /HTTP\/1.1/],
    ['another method', 'POST /api/ws HTTP/1.1', good, 405, /POST/],
    ['another path, however malformed', 'GET /api/tasks HTTP/1.1', { Upgrade: 'h2c' }, 404, /no such path/],
  ]
  for (const [what, requestLine, headers, status, message] of malformed) {
    it(`answers ${what} with ${status} and {error}`, async () => {
      const [head = '', body = ''] = (await speak(requestLine, headers)).split('\r\n\r\n')
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
      assert.match(head, /content-type: application\/json/i)
      assert.match(JSON.parse(body).error, message)
    })
  }

  const answerTo = (socket: WebSocket): Promise<number> =>
    new Promise((resolve) => {
      socket.on('open', () => resolve(101))
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
      socket.on('error', () => resolve(0))
    })

  it('answers a plain GET with 426', async () => {
    assert.equal((await api.get('/api/ws')).status, 426)
  })

  it('lets exactly a thousand in when 100 come at once for the last 50 places, and refuses the others with 503', async () => {
    const sockets: WebSocket[] = []
    const come = async (count: number): Promise<number[]> => {
      const some = Array.from({ length: count }, () => new WebSocket(`${api.url.replace('http', 'ws')}/api/ws`))
      sockets.push(...some)
      return Promise.all(some.map(answerTo))
    }
    try {
      const answers: number[] = []
      // At a time no more than the listen queue of the server holds, from which a slow machine would drop them.
      while (answers.length < MAX_CLIENTS - 50) answers.push(...(await come(50)))
      answers.push(...(await come(100)))
      const of = (status: number) => answers.filter((answer) => answer === status).length
      assert.deepEqual([of(101), of(503)], [1000, 50])
    } finally {
      for (const socket of sockets) socket.terminate()
    }
    await until('a place is free again', async () => {
      const socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/ws`)
      socket.on('error', () => undefined)
      const [what] = await Promise.race([
        once(socket, 'open').then(() => ['open']),
        once(socket, 'unexpected-response').then(() => ['refused']),
      ])
      socket.terminate()
      return what === 'open'
    })
  })
})
