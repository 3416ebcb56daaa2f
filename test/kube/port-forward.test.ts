import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { loadKubeConfig } from '../../kube/config.ts'
import { forwardPort } from '../../kube/port-forward.ts'
import { manualClock } from '../helpers/clock.ts'
import { portOf, startFakeCluster } from '../helpers/port-forward.ts'

describe('a forwarded port', () => {
  const ending: (() => Promise<unknown>)[] = []
  const clock = manualClock()
  afterEach(async () => {
    for (const end of ending.splice(0)) await end()
  })

  /** A connection to a pod that sends back what it gets. */
  async function forward(signal: AbortSignal, answersPings = true): Promise<Duplex> {
    const echo = createServer((socket) => socket.pipe(socket))
    await once(echo.listen(0, '127.0.0.1'), 'listening')
    const cluster = await startFakeCluster(answersPings)
    ending.push(cluster.close, () => once(echo.close(), 'close'))
    cluster.pods = [{ name: 'a', isReady: true, port: portOf(echo.address()) }]
    const config = await loadKubeConfig({ kind: 'content', content: cluster.kubeconfig })
    const pod = { namespace: 'ns', name: 'a' }
    return forwardPort(config, { pod, port: 8080, userAgent: 'slipway-test/1', clock, signal })
  }

  async function echoes(connection: Duplex, text: string): Promise<void> {
    connection.write(text)
    const [bytes]: unknown[] = await once(connection, 'data')
    assert.equal(String(bytes), text)
  }

  it('stays open for as long as pings are answered', async () => {
    const connection = await forward(new AbortController().signal)
    for (const text of ['one', 'two', 'three']) {
      await clock.advance(20_000)
      await echoes(connection, text)
    }
    connection.destroy()
  })

  it('ends when the node behind it is gone without a word', async () => {
    const connection = await forward(new AbortController().signal, false)
    const ended = once(connection.resume(), 'close')
    await clock.advance(20_000)
    assert.equal(connection.destroyed, false)
    await clock.advance(20_000)
    await ended
  })

  it('ends when it is aborted, also while it is being opened', async () => {
    const ended = new AbortController()
    const connection = await forward(ended.signal)
    const closed = once(connection.resume(), 'close')
    ended.abort()
    await closed
    await assert.rejects(forward(ended.signal), { name: 'AbortError' })
  })
})
