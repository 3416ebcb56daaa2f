import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { LiveText } from '../../api-server/live/hub.ts'
import { createRing } from '../../api-server/live/ring.ts'
import type { LiveConnections } from '../../api-server/live/websocket.ts'
import { createLiveConnections, MAX_CLIENTS } from '../../api-server/live/websocket.ts'
import { manualClock } from '../helpers/clock.ts'
import { openAccess } from '../helpers/open-access.ts'

/** A client that takes nothing: sends are never confirmed. */
class StuckSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  closedWith: number | undefined
  isTerminated = false
  pings = 0
  send(text: string): void {
    this.bufferedAmount += text.length
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
  }
}

const request = { url: '/api/ws', headers: { host: 'localhost' } } as IncomingMessage

describe('the limits of live connections', () => {
  const setUp = () => {
    const clock = manualClock()
    const listeners = new Set<(message: LiveText) => void>()
    const hub = {
      start: () => undefined,
      listen: (listener: (message: LiveText) => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    }
    const live = createLiveConnections({ access: openAccess(), hub, clock })
    const broadcast = (text: string) => listeners.forEach((listener) => listener({ type: 'task_updated', text }))
    const connect = (): StuckSocket => {
      const socket = new StuckSocket()
      live.accept(socket as unknown as WebSocket, request)
      return socket
    }
    return { clock, live, broadcast, connect, listeners }
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

  it('closes a client that takes nothing for ten seconds with 1013', async () => {
    const { clock, broadcast, connect } = setUp()
    const socket = connect()
    broadcast('x')
    await clock.advance(9_999)
    assert.equal(socket.closedWith, undefined)
    await clock.advance(1)
    assert.equal(socket.closedWith, 1013)
  })

  it('closes a client for whom too much waits at once, and sends it no more', () => {
    const { broadcast, connect } = setUp()
    const socket = connect()
    for (let i = 0; i < 20; i++) broadcast('x'.repeat(1024 * 1024))
    assert.equal(socket.closedWith, 1013)
    assert.ok(socket.bufferedAmount < 10 * 1024 * 1024)
  })

  it('pings every thirty seconds and ends a connection that does not answer', async () => {
    const { clock, connect, listeners } = setUp()
    const [alive, dead] = [connect(), connect()]
    await clock.advance(30_000)
    assert.deepEqual([alive.pings, dead.pings], [1, 1])
    alive.emit('pong')
    await clock.advance(30_000)
    assert.deepEqual([alive.isTerminated, dead.isTerminated], [false, true])
    dead.emit('close')
    assert.equal(listeners.size, 1)
  })
})

describe('the ring of past messages', () => {
  it('gives what came after an id, and nothing when that is forgotten or foreign', () => {
    const ring = createRing<number>(3, 'e')
    const ids = [1, 2, 3, 4, 5].map((item) => {
      const id = ring.nextId()
      ring.push(item)
      return id
    })
    const since = ids.map((id) => ring.since(id))
    assert.deepEqual(since, [undefined, [3, 4, 5], [4, 5], [5], []])
    assert.equal(ring.since('f-5'), undefined)
    assert.equal(ring.since('e-6'), undefined)
  })
})
