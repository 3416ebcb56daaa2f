import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { serveHealth } from '../../cli/health.ts'
import { until } from '../helpers/until.ts'

/** A port that was free a moment ago: probes are configured by number, so the server takes none of its own choice. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

describe('the probes of the operator', () => {
  let url: string
  let isReady: boolean
  let stop: () => Promise<void>

  beforeEach(async () => {
    const port = await freePort()
    isReady = false
    url = `http://127.0.0.1:${port}`
    stop = await serveHealth('127.0.0.1', port, () => isReady)
  })
  afterEach(() => stop())

  const status = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status

  it('say ready only while the caches are, and alive all the time', async () => {
    assert.deepEqual([await status('/readyz'), await status('/healthz')], [503, 200])
    isReady = true
    assert.deepEqual([await status('/readyz'), await status('/healthz')], [200, 200])
    isReady = false
    assert.equal(await status('/readyz'), 503)
  })

  it('answer 404 to anything else', async () => {
    assert.equal(await status('/metrics'), 404)
  })

  it('answer while somebody holds connections open, and hold 64 of them at most', async () => {
    const sockets = Array.from({ length: 100 }, () => connect(Number(new URL(url).port), '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => undefined).resume()
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    assert.equal(await status('/healthz'), 200)
    await until('no more are open', () => sockets.filter((socket) => !socket.closed).length <= 64)
    for (const socket of sockets) socket.destroy()
  })
})
