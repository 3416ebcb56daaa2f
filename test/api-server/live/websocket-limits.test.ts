import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { MAX_IN_FLIGHT_BYTES } from '../../../api-server/live/client.ts'
import { createHub } from '../../../api-server/live/hub.ts'
import { type LiveConnections, createLiveConnections, MAX_CLIENTS } from '../../../api-server/live/websocket.ts'
import { manualClock } from '../../helpers/clock.ts'
import { openAccess, scopesOnly } from '../../helpers/open-access.ts'

/** A client that takes nothing until it is told to: sends are not confirmed before. */
class StuckSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  closedWith: number | undefined
  isTerminated = false
  pings = 0
  taken: string[] = []
  private waiting: { bytes: Buffer; done: () => void }[] = []
  send(bytes: Buffer, _: object, done: () => void): void {
    this.bufferedAmount += bytes.length
    this.waiting.push({ bytes, done })
  }
  take(count = this.waiting.length): void {
    for (const { bytes, done } of this.waiting.splice(0, count)) {
      this.bufferedAmount -= bytes.length
      this.taken.push(bytes.toString())
      done()
    }
  }
  close(code: number): void {
    this.closedWith = code
    this.readyState = 2
  }
  ping(): void {
    this.pings += 1
  }
  terminate(): void {
    this.isTerminated = true
    this.emit('close')
  }
}

const wire = { cork: () => undefined, uncork: () => undefined }
const request = {
  url: '/api/ws',
  headers: { host: 'localhost' },
  rawHeaders: [],
  socket: wire,
} as unknown as IncomingMessage

describe('the limits of live connections', () => {
  const setUp = () => {
    const clock = manualClock()
    const hub = createHub({ clock, epoch: 'e', limits: { items: 100, bytes: 8_000_000 } })
    const live = createLiveConnections({ access: openAccess(), authorization: scopesOnly(), hub, clock })
    const publish = async (text: string): Promise<void> => {
      hub.publish('task_updated', {}, JSON.stringify(text))
      for (let i = 0; i < 3; i++) await setImmediate()
    }
    const connect = (): StuckSocket => {
      const socket = new StuckSocket()
      live.accept(socket as unknown as WebSocket, request)
      return socket
    }
    return { clock, live, publish, connect }
  }
  const verify = (live: LiveConnections): Promise<number> =>
    new Promise((resolve) => {
      live.verifyClient({ req: request, origin: '', secure: false }, (isAllowed, status) =>
        resolve(isAllowed ? 101 : (status ?? 0)),
      )
    })

  it('lets a thousand clients in and refuses the next with 503, until one leaves', async () => {
    const { live, connect } = setUp()
    const sockets = Array.from({ length: MAX_CLIENTS - 1 }, connect)
    assert.equal(await verify(live), 101)
    connect()
    assert.equal(await verify(live), 503)
    sockets[0]?.emit('close')
    assert.equal(await verify(live), 101)
  })

  it('closes a client that takes nothing for ten seconds with 1013, and cuts it off before fifteen', async () => {
    const { clock, live, publish, connect } = setUp()
    const socket = connect()
    await publish('x')
    await clock.advance(9_999)
    assert.equal(socket.closedWith, undefined)
    await clock.advance(1_501)
    assert.equal(socket.closedWith, 1013)
    await clock.advance(3_000)
    assert.equal(socket.isTerminated, true)
    assert.deepEqual(live.counts(), { clients: 0, dropped: 1 })
  })

  it('does not close a client that takes a little every nine seconds', async () => {
    const { clock, publish, connect } = setUp()
    const socket = connect()
    for (let i = 0; i < 20; i++) await publish('x')
    for (let i = 0; i < 5; i++) {
      await clock.advance(9_000)
      socket.emit('pong')
      socket.take(1)
    }
    assert.equal(socket.closedWith, undefined)
  })

  it('hands a client only a little at a time, and the rest in order as it takes that', async () => {
    const { publish, connect } = setUp()
    const socket = connect()
    for (let i = 0; i < 100; i++) await publish(`${i}:${'x'.repeat(10_000)}`)
    assert.ok(socket.bufferedAmount < MAX_IN_FLIGHT_BYTES + 11_000, `${socket.bufferedAmount} bytes are in flight`)
    for (let i = 0; i < 100; i++) {
      socket.take()
      await setImmediate()
      await setImmediate()
    }
    const numbers = socket.taken.map((text) => Number(/"task":"(\d+):/.exec(text)?.[1]))
    assert.deepEqual(numbers, [...Array(100).keys()])
  })

  it('pings every thirty seconds and ends a connection that does not answer', async () => {
    const { clock, live, connect } = setUp()
    const [alive, dead] = [connect(), connect()]
    await clock.advance(30_000)
    assert.deepEqual([alive.pings, dead.pings], [1, 1])
    alive.emit('pong')
    await clock.advance(8_000)
    assert.equal(dead.isTerminated, false)
    await clock.advance(2_000)
    assert.deepEqual([alive.isTerminated, dead.isTerminated], [false, true])
    await clock.advance(20_000)
    assert.deepEqual([alive.pings, alive.isTerminated], [2, false])
    assert.equal(live.counts().clients, 1)
  })

  it('says 1001 when the server stops, and cuts off who does not answer', async () => {
    const { clock, live, connect } = setUp()
    const socket = connect()
    live.close()
    assert.deepEqual([socket.closedWith, await verify(live)], [1001, 503])
    await clock.advance(4_000)
    assert.equal(socket.isTerminated, true)
  })
})
