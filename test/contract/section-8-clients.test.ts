/** Section 8, limits of clients; what needs minutes or a fake clock is in the tests that rows.yaml names beside. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type LiveTestClient, connectLive } from '../api-server/live/live-client.ts'
import { type Rig, startRig } from '../api-server/rig.ts'
import { at } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { row } from './contract.ts'

const CLIENTS = 1000

describe('the contract, section 8: limits of clients', function () {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  row('8.websocket.clients', 'a thousand are taken, the next is refused with 503 before the upgrade', async () => {
    const clients: LiveTestClient[] = []
    try {
      for (let taken = 0; taken < CLIENTS; taken += 100)
        clients.push(...(await Promise.all(Array.from({ length: 100 }, () => connectLive(api.url)))))
      const next = new WebSocket(`${api.url.replace('http', 'ws')}/api/ws`)
      next.on('error', () => undefined)
      const [, response] = await once(next, 'unexpected-response')
      assert.equal(response.statusCode, 503)
      next.terminate()
    } finally {
      for (const { socket } of clients) socket.terminate()
    }
  })

  row(
    '8.websocket.write',
    'a client that is idle is not cut off, and one that reads gets what is written',
    async () => {
      const live = await connectWhenFree(api)
      await api.post('/api/tasks', { id: 'written', name: 'Written' })
      await until('it is told', () => live.types('written').includes('task_created'))
      await live.close()
    },
  )

  row('8.websocket.ping', 'pings are answered on a real connection', async () => {
    const live = await connectWhenFree(api)
    live.socket.ping('are you there')
    assert.equal(String((await once(live.socket, 'pong'))[0]), 'are you there')
    await live.close()
  })

  row('8.token-bucket', 'the sixth validation in a row is 429 with Retry-After', async () => {
    const statuses: number[] = []
    let last = await api.post('/api/tasks/validate', { name: 'x' })
    while (last.status === 200 && statuses.push(last.status) < 10)
      last = await api.post('/api/tasks/validate', { name: 'x' })
    assert.equal(last.status, 429)
    // A slow machine may have got one back meanwhile.
    assert.ok(statuses.length >= 5, `${statuses.length} were answered`)
    const seconds = Number(last.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 12, `${seconds} s`)
    assert.equal(typeof at(last.body, 'error'), 'string')
  })
})

/** Connects once a place is free again. */
async function connectWhenFree(api: Rig): Promise<LiveTestClient> {
  let live: LiveTestClient | undefined
  await until('a place is free', async () => {
    live = await connectLive(api.url).catch(() => undefined)
    return live !== undefined
  })
  assert.ok(live)
  return live
}
