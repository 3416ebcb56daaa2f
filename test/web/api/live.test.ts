import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type LiveSocket, type LiveState, startLive } from '../../../web/api/live.ts'
import { reconnectDelay } from '../../../core/reconnect.ts'

/** Sockets that the test opens, fills and cuts, and timers that it lets pass. */
function startHeld() {
  const sockets: (LiveSocket & { readonly since: string | undefined })[] = []
  const timers: { readonly delayMs: number; readonly what: () => void; isCancelled: boolean }[] = []
  const states: LiveState[] = []
  const received: string[][] = []
  const live = startLive({
    connect(since) {
      const socket: LiveSocket & { readonly since: string | undefined } = {
        since,
        onopen: null,
        onmessage: null,
        onclose: null,
        close: () => socket.onclose?.(),
      }
      sockets.push(socket)
      return socket
    },
    schedule(delayMs, what) {
      const timer = { delayMs, what, isCancelled: false }
      timers.push(timer)
      return () => (timer.isCancelled = true)
    },
    random: () => 0.5,
    onMessages: (messages) => received.push(messages.map(({ id }) => id)),
    onState: (state) => states.push(state),
  })
  const pass = (): void => timers.splice(0).forEach(({ what, isCancelled }) => isCancelled || what())
  return { live, sockets, timers, states, received, pass }
}

const say = (socket: LiveSocket | undefined, id: string): void =>
  socket?.onmessage?.({ data: JSON.stringify({ id, type: 'resync', at: '' }) })

describe('the live connection', () => {
  it('hands messages on in batches', () => {
    const { sockets, received, pass } = startHeld()
    sockets[0]?.onopen?.()
    say(sockets[0], 'r-1')
    say(sockets[0], 'r-2')
    assert.deepEqual(received, [])
    pass()
    assert.deepEqual(received, [['r-1', 'r-2']])
  })

  it('connects again behind the last message, later each time, and says so', () => {
    const { sockets, timers, states, pass } = startHeld()
    sockets[0]?.onopen?.()
    say(sockets[0], 'r-7')
    pass()
    sockets[0]?.onclose?.()
    const first = timers.at(-1)
    pass()
    assert.equal(sockets[1]?.since, 'r-7')
    sockets[1]?.onclose?.()
    assert.ok((timers.at(-1)?.delayMs ?? 0) > (first?.delayMs ?? 0))
    pass()
    sockets[2]?.onopen?.()
    assert.deepEqual(
      states.map(({ phase, failures }) => `${phase} ${failures}`),
      ['live 0', 'away 1', 'away 2', 'live 0'],
    )
  })

  it('gives up a connection that is never answered, and tries again', () => {
    const { sockets, timers, states, pass } = startHeld()
    assert.equal(timers[0]?.delayMs, 20_000)
    pass()
    assert.deepEqual(states, [{ phase: 'away', failures: 1 }])
    pass()
    sockets[1]?.onopen?.()
    pass()
    assert.deepEqual([sockets.length, states.at(-1)], [2, { phase: 'live', failures: 0 }])
  })

  it('tries at once when told to, and only once', () => {
    const { live, sockets, pass } = startHeld()
    sockets[0]?.onclose?.()
    live.retryNow()
    live.retryNow()
    pass()
    assert.equal(sockets.length, 2)
  })

  it('does nothing any more once it is stopped', () => {
    const { live, sockets, pass } = startHeld()
    live.stop()
    sockets[0]?.onclose?.()
    pass()
    assert.equal(sockets.length, 1)
  })

  it('waits between half a second and twenty, however often it failed and whatever chance says', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 10_000 }),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (n, random) => {
          const delay = reconnectDelay(n, random)
          assert.ok(delay >= 250 && delay <= 20_000)
        },
      ),
    )
  })
})
