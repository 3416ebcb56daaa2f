import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import * as fc from 'fast-check'
import {
  type OpenConnection,
  connectionsOverdue,
  connectionsToClose,
  createConnectionBudget,
  peerOf,
} from '../../lib/connection-budget.ts'
import { systemClock } from '../../lib/clock.ts'
import { aCertificate } from '../helpers/certificate.ts'
import { manualClock } from '../helpers/clock.ts'
import { until } from '../helpers/until.ts'

const NOW_MS = 1_000_000
const aConnection = (given: Partial<OpenConnection> = {}): OpenConnection => ({
  peer: '127.0.0.1',
  isKnown: false,
  phase: 'silent',
  sinceMs: NOW_MS - 30_000,
  ...given,
})
const first = (...open: readonly OpenConnection[]): OpenConnection | undefined =>
  connectionsToClose(open, { count: 1, nowMs: NOW_MS })[0]

const anyConnection: fc.Arbitrary<OpenConnection> = fc.record({
  peer: fc.constantFrom('127.0.0.1', '192.0.2.1', '192.0.2.2'),
  isKnown: fc.boolean(),
  phase: fc.constantFrom('silent', 'idle', 'receiving', 'stuck', 'working'),
  sinceMs: fc.integer({ min: NOW_MS - 100_000, max: NOW_MS }),
})
const anyConnections = fc.array(anyConnection, { maxLength: 200 })

describe('the connections that are given up when there are too many', () => {
  const worse: readonly [what: string, given: Partial<OpenConnection>, kept: Partial<OpenConnection>][] = [
    ['a silent one before an idle one', { phase: 'silent' }, { phase: 'idle' }],
    ['an idle one before one whose body arrives', { phase: 'idle' }, { phase: 'receiving' }],
    ['one whose body arrives before one that does not take its answer', { phase: 'receiving' }, { phase: 'stuck' }],
    ['the older of two', { sinceMs: NOW_MS - 40_000 }, { sinceMs: NOW_MS - 30_000 }],
    ['an idle one before one that has just been made', { phase: 'idle' }, { phase: 'silent', sinceMs: NOW_MS - 10 }],
    ["a stranger's before a known one", { phase: 'stuck' }, { phase: 'idle', isKnown: true }],
  ]
  for (const [what, given, kept] of worse) {
    it(`are ${what}`, () => {
      const [lost, stays] = [aConnection(given), aConnection(kept)]
      assert.equal(first(lost, stays), lost)
      assert.equal(first(stays, lost), lost)
    })
  }

  it('are those of the peer that holds most, whatever they do', () => {
    const alone = aConnection({ peer: '192.0.2.1', phase: 'silent' })
    const crowd = [1, 2, 3].map(() => aConnection({ peer: '192.0.2.2', phase: 'stuck' }))
    assert.deepEqual(
      connectionsToClose([alone, ...crowd], { count: 2, nowMs: NOW_MS }).map(({ peer }) => peer),
      ['192.0.2.2', '192.0.2.2'],
    )
  })

  it('are never one that is at work, and no known one while a stranger can go', () => {
    fc.assert(
      fc.property(anyConnections, fc.integer({ min: 1, max: 64 }), (open, count) => {
        const closed = connectionsToClose(open, { count, nowMs: NOW_MS })
        const strangers = open.filter(({ isKnown, phase }) => !isKnown && phase !== 'working')
        const idle = open.filter(({ isKnown, phase }) => isKnown && phase === 'idle')
        assert.ok(closed.every(({ phase }) => phase !== 'working'))
        if (strangers.length > 0) {
          assert.equal(closed.length, Math.min(count, strangers.length))
          assert.ok(closed.every(({ isKnown }) => !isKnown))
        } else {
          assert.equal(closed.length, Math.min(1, idle.length))
          assert.ok(closed.every(({ isKnown, phase }) => isKnown && phase === 'idle'))
        }
        assert.equal(new Set(closed).size, closed.length)
      }),
    )
  })

  it('while nearly full are strangers that were quiet for too long', () => {
    fc.assert(
      fc.property(anyConnections, (open) => {
        for (const { isKnown, phase, sinceMs } of connectionsOverdue(open, 5_000, NOW_MS))
          assert.ok(!isKnown && (phase === 'silent' || phase === 'idle') && sinceMs < NOW_MS - 5_000)
      }),
    )
    assert.equal(connectionsOverdue([aConnection(), aConnection({ sinceMs: NOW_MS })], 5_000, NOW_MS).length, 1)
  })
})

describe('a peer', () => {
  const same: readonly [a: string, b: string][] = [
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0:9:9:9:9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['fe80::1%eth0', 'fe80::2'],
  ]
  for (const [a, b] of same) it(`is the same at ${a} and ${b}`, () => assert.equal(peerOf(a), peerOf(b)))
  const different: readonly [a: string, b: string][] = [
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8:0:1::1', '2001:db8:0:2::1'],
  ]
  for (const [a, b] of different) it(`differs at ${a} and ${b}`, () => assert.notEqual(peerOf(a), peerOf(b)))
})

describe('a server with a budget of connections', () => {
  const cleanups: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup()
  })
  const { certificate, key } = aCertificate('localhost')

  /** Answers every request, over TLS or not; those with a token prove who sends them. */
  const start = async (isTls: boolean, connections: number, clock = systemClock) => {
    let closed = 0
    const budget = createConnectionBudget({ connections, clock, onClosed: (count) => (closed += count) })
    const answer: Parameters<typeof createServer>[1] = (request, response) => {
      if (request.headers.authorization !== undefined) budget.trust(request.socket)
      response.end('ok')
    }
    const server = isTls ? createTlsServer({ cert: certificate, key }, answer) : createServer(answer)
    budget.watch(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sockets: Socket[] = []
    const open = async (): Promise<Socket> => {
      const socket = isTls
        ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
        : connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      sockets.push(socket)
      await once(socket, isTls ? 'secureConnect' : 'connect')
      return socket
    }
    cleanups.push(async () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    })
    return { budget, open, sockets, closed: () => closed }
  }
  const ask = async (socket: Socket, headers = ''): Promise<string> => {
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`)
    const [bytes] = await once(socket, 'data')
    return String(bytes)
  }

  for (const isTls of [false, true]) {
    it(`over ${isTls ? 'TLS' : 'TCP'} keeps whom it knows, answers newcomers, and holds no more than it may`, async () => {
      const { budget, open, sockets, closed } = await start(isTls, 20)
      const known = await open()
      await ask(known, 'Authorization: Bearer it-is-me\r\n')
      for (let i = 0; i < 60; i++) await open()
      assert.match(await ask(await open()), /^HTTP\/1\.1 200 /)
      assert.match(await ask(known), /^HTTP\/1\.1 200 /)
      assert.ok(budget.count() <= 20)
      assert.equal(closed(), 42)
      await until('the others are closed', () => sockets.filter((socket) => !socket.closed).length === 20)
    })
  }

  it('that is nearly full closes strangers after five seconds without a request, and leaves the known', async () => {
    const clock = manualClock()
    const { budget, open, sockets } = await start(false, 20, clock)
    const known = await open()
    await ask(known, 'Authorization: Bearer it-is-me\r\n')
    for (let i = 0; i < 15; i++) await open()
    await clock.advance(4_000)
    assert.equal(budget.count(), 16)
    await clock.advance(4_000)
    await until('strangers are closed', () => sockets.filter((socket) => !socket.closed).length === 1)
    assert.match(await ask(known), /^HTTP\/1\.1 200 /)
  })

  it('counts no connection that its client has closed', async () => {
    const { budget, open } = await start(true, 20)
    const socket = await open()
    assert.equal(budget.count(), 1)
    socket.destroy()
    await until('it is forgotten', () => budget.count() === 0)
  })
})
