import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { type HttpLimits, HTTP_LIMITS } from '../../../api-server/http/server.ts'
import { until } from '../../helpers/until.ts'
import { connectLive } from '../live/live-client.ts'
import { exchange, openSocket, statusesOf } from './raw-http.ts'
import { type Rig, startRig } from '../rig.ts'

const TOKEN = 'a-token-of-the-tests'
const HEAD = 'Host: localhost\r\n'

describe('a server whose connections are all taken by strangers', function () {
  let api: Rig
  let bearer: Record<string, string>
  let strangers: Socket[] = []

  const start = async (token: string | undefined, limits: Partial<HttpLimits> = {}): Promise<void> => {
    api = await startRig({ token, httpLimits: { ...HTTP_LIMITS, ...limits } })
    bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    const task = { id: 'task-a', name: 'A task', repository_url: 'https://git.example/repo.git' }
    assert.equal((await api.post('/api/tasks', task, bearer)).status, 201)
  }
  /** A hundred at a time: the backlog of a listening socket is no longer than 511. */
  const crowd = async (count: number, bytes = ''): Promise<void> => {
    for (let i = 0; i < count; i += 100) {
      const opened = await Promise.all(Array.from({ length: Math.min(100, count - i) }, () => openSocket(api.url)))
      for (const socket of opened) {
        socket.resume()
        if (bytes !== '') socket.write(bytes)
      }
      strangers.push(...opened)
    }
  }
  const stillOpen = (): number => strangers.filter((socket) => !socket.closed).length
  const statusOf = async (request: string): Promise<number[]> =>
    statusesOf(await exchange(api.url, `${request} HTTP/1.1\r\n${HEAD}${headersOf(bearer)}Connection: close\r\n\r\n`))
  const headersOf = (headers: Record<string, string>): string =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')

  afterEach(async () => {
    for (const socket of strangers) socket.destroy()
    strangers = []
    await api.stop()
  })

  it('answers a probe and a cancel when 4,200 say nothing, and holds 4,096', async () => {
    await start(TOKEN)
    await crowd(4_200)
    assert.deepEqual(await statusOf('GET /readyz'), [200])
    assert.deepEqual(await statusOf('POST /api/tasks/task-a/cancel'), [200])
    await until('no more than the limit are open', () => stillOpen() <= 4_096)
  })

  const holds: readonly [what: string, bytes: string][] = [
    ['have asked something', `GET /healthz HTTP/1.1\r\n${HEAD}\r\n`],
    ['never end their headers', `GET /healthz HTTP/1.1\r\n${HEAD}X-A: `],
    [
      'never end their body',
      `POST /api/webhooks/vcshost HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    ],
    ['ask, and have no token', `GET /api/tasks HTTP/1.1\r\n${HEAD}\r\n`],
  ]
  for (const [what, bytes] of holds) {
    it(`answers a cancel when its strangers ${what}`, async () => {
      await start(TOKEN, { connections: 100 })
      await crowd(150, bytes)
      assert.deepEqual(await statusOf('POST /api/tasks/task-a/cancel'), [200])
    })
  }

  for (const token of [TOKEN, undefined]) {
    it(`closes neither a WebSocket nor a log stream for them, ${token === undefined ? 'also without' : 'with'} a token`, async () => {
      await start(token, { connections: 100 })
      // QUEUED, so that its stream stays open.
      assert.equal((await api.post('/api/tasks/task-a/run', undefined, bearer)).status, 202)
      const live = await connectLive(api.url, '', bearer)
      const stream = await fetch(`${api.url}/api/tasks/task-a/logs/stream`, { headers: bearer })
      const reader = stream.body?.getReader()
      let said = ''
      let isOver = false
      const reading = (async () => {
        for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
          said += Buffer.from(part.value).toString()
        isOver = true
      })()
      await crowd(300)
      assert.deepEqual(await statusOf('POST /api/tasks/task-a/cancel'), [200])
      await until('the WebSocket hears of it', () => live.types('task-a').includes('task_updated'))
      await until('the stream ends as it should', () => isOver)
      assert.match(said, /event: end\n/)
      await reading
      await live.close()
    })
  }
})
