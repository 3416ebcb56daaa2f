import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createApiMetrics } from '../../api-server/metrics.ts'
import { PROJECTS, TASKS } from '../../kube/resources.ts'
import { type MetricsRegistry, openMetrics } from '../../lib/metrics.ts'
import { type Rig, startRig } from '../api-server/rig.ts'
import { connectLive } from '../api-server/live/live-client.ts'
import { aProject, aTask } from '../helpers/build.ts'
import { heldMiB } from '../helpers/memory.ts'
import { until } from '../helpers/until.ts'

const CLIENTS = 1000
const EVENTS = 1000
const STOPPED = 10
const AUDIENCE = fileURLToPath(new URL('../helpers/live-audience.js', import.meta.url))
/** Much longer than it takes; for a machine that does much else. */
const PATIENCE_MS = 120_000

/** Creates many projects, some at a time so that the store writes them together. */
async function createProjects(api: Rig, prefix: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => `${prefix}-${i}`)
  for (let i = 0; i < count; i += 50)
    await Promise.all(
      names.slice(i, i + 50).map((name) => {
        const { spec, kind, apiVersion } = aProject()
        return api.client.create(PROJECTS, { apiVersion, kind, spec, metadata: { name, namespace: api.namespace } })
      }),
    )
  return names
}

describe('a thousand live clients', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('in another process get every one of a thousand events, in order', async () => {
    const url = `${api.url.replace('http', 'ws')}/api/ws?types=project_updated`
    const child = spawn(process.execPath, [AUDIENCE, url, String(CLIENTS), String(EVENTS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      assert.equal((await lines.next()).value, 'ready')
      const names = await createProjects(api, 'event', EVENTS)
      const { counts, digests, ids } = JSON.parse(String((await lines.next()).value))
      assert.deepEqual(counts, Array(CLIENTS).fill(EVENTS))
      assert.equal(digests, 1, 'not all clients got the same messages in the same order')
      assert.deepEqual(new Set(ids), new Set(names))
    } finally {
      child.kill()
      await exited
    }
  }).timeout(2 * PATIENCE_MS)
})

/** A client that connects, reads nothing from then on, and keeps the connection. */
async function connectStopped(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => socket.destroy())
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13'
  socket.write(`GET /api/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`)
  await once(socket, 'data')
  return socket.pause()
}

describe('live clients that stop reading', () => {
  const LARGE = 'x'.repeat(120_000)
  const MESSAGES = 100
  let api: Rig
  let registry: MetricsRegistry
  const stopped: Socket[] = []
  before(async () => {
    registry = await openMetrics()
    api = await startRig({ metrics: createApiMetrics(registry) })
  })
  after(async () => {
    for (const socket of stopped) socket.destroy()
    await api.stop()
  })

  const clients = async (): Promise<number> =>
    Number(/^slipway_websocket_clients (\d+)/m.exec(await registry.text())?.[1])

  // How soon is told by a clock of the test's own: test/api-server/live/websocket-limits.test.ts.
  it('cost little memory, are closed, and disturb nobody', async () => {
    const reader = await connectLive(api.url, '?types=task_created')
    for (let i = 0; i < STOPPED; i++) stopped.push(await connectStopped(api.url))
    assert.equal(await clients(), 1 + STOPPED)
    const before = heldMiB().buffers
    for (let i = 0; i < MESSAGES; i += 10) {
      await Promise.all(
        Array.from({ length: 10 }, (_, k) => {
          const { apiVersion, kind, spec } = aTask({ spec: { description: LARGE } })
          const metadata = { name: `large-${i + k}`, namespace: api.namespace }
          return api.client.create(TASKS, { apiVersion, kind, spec, metadata })
        }),
      )
      await until('the reader has all', () => reader.messages.length === i + 10, PATIENCE_MS)
    }
    // Ten queues of their own would hold 115 MiB by now.
    const grown = heldMiB().buffers - before
    assert.ok(grown < 64, `${grown.toFixed(1)} MiB more are held`)
    await until('those that stopped are gone', async () => (await clients()) === 1, PATIENCE_MS)
    assert.match(await registry.text(), new RegExp(`^slipway_websocket_dropped_total ${STOPPED}$`, 'm'))
    assert.equal(new Set(reader.messages.map(({ task_id }) => task_id)).size, MESSAGES)
    await reader.close()
  }).timeout(2 * PATIENCE_MS)
})
