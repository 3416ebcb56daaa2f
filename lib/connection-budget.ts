/**
 * Who keeps a connection to an HTTP server when there are more than it holds.
 *
 * A newcomer is always let in, and the connections with the least claim are closed for it: so nobody can close a server
 * to others by holding connections open, and a probe or a cancel needs no room of its own. A connection whose requests
 * proved who sends them is known and outlasts every stranger's; one whose answer is being made, a stream and a WebSocket
 * are never closed (their number is limited where they are served). Among strangers, who holds most connections from one
 * address loses first: that separates peers across a network, while an agent and its user on loopback are one peer.
 *
 * When three quarters are taken, strangers that say nothing are closed after a few seconds already.
 */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from './clock.ts'
import { findOpenFilesLimit } from './open-files.ts'

/** What a connection is doing, in the order in which strangers' connections are given up. */
const PHASES = [
  /** No request yet. */
  'silent',
  /** Between two requests. */
  'idle',
  /** A body is arriving. */
  'receiving',
  /** The client does not take what it is sent. */
  'stuck',
  /** An answer is being made or taken: a handler, a stream, a WebSocket. Never given up. */
  'working',
] as const

export type Phase = (typeof PHASES)[number]

/** One open connection, as the decision sees it. */
export interface OpenConnection {
  /** {@link peerOf} */
  readonly peer: string
  /** Whether a request on it proved who sends it. */
  readonly isKnown: boolean
  readonly phase: Phase
  /** When the phase began, in milliseconds since the epoch. */
  readonly sinceMs: number
}

/** For a first request, and for a body to get going: who has just come is not taken for somebody who holds out. */
const GRACE_MS = 1_000
/** A body that comes faster does not age; what Apache demands of one (mod_reqtimeout, MinRate). */
const BODY_BYTES_PER_MS = 0.5

/**
 * The connections to close for newcomers, those with the least claim first: at most `count` strangers, or, when there is no
 * stranger left to close, one known connection that is idle.
 */
export function connectionsToClose<T extends OpenConnection>(
  open: readonly T[],
  { count, nowMs }: { readonly count: number; readonly nowMs: number },
): T[] {
  const closable = open.filter(({ phase, isKnown }) => (isKnown ? phase === 'idle' : phase !== 'working'))
  const strangers = closable.filter(({ isKnown }) => !isKnown)
  return strangers.length > 0 ? byClaim(strangers, nowMs).slice(0, count) : byClaim(closable, nowMs).slice(0, 1)
}

/** The strangers' connections that have been without a request for longer than `idleMs`. */
export function connectionsOverdue<T extends OpenConnection>(open: readonly T[], idleMs: number, nowMs: number): T[] {
  const isQuiet = ({ phase }: OpenConnection): boolean => phase === 'silent' || phase === 'idle'
  return open.filter((each) => !each.isKnown && isQuiet(each) && nowMs - each.sinceMs > idleMs)
}

/** Least claim first: from the peer with most connections, and of one peer by {@link claim}. */
function byClaim<T extends OpenConnection>(connections: readonly T[], nowMs: number): T[] {
  const byPeer = new Map<string, T[]>()
  for (const connection of connections) {
    const ofPeer = byPeer.get(connection.peer)
    if (ofPeer === undefined) byPeer.set(connection.peer, [connection])
    else ofPeer.push(connection)
  }
  const stronger = (a: T, b: T): number => claim(b, nowMs) - claim(a, nowMs) || b.sinceMs - a.sinceMs
  return [...byPeer.values()]
    .flatMap((ofPeer) => ofPeer.toSorted(stronger).map((connection, depth) => ({ connection, depth })))
    .toSorted((a, b) => b.depth - a.depth || stronger(b.connection, a.connection))
    .map(({ connection }) => connection)
}

function claim({ phase, sinceMs }: OpenConnection, nowMs: number): number {
  const isNew = (phase === 'silent' || phase === 'receiving') && nowMs - sinceMs < GRACE_MS
  return isNew ? PHASES.length : PHASES.indexOf(phase)
}

/** What counts as one peer: an IPv4 address, or the network of 64 bits that one IPv6 host has to itself. */
export function peerOf(address: string): string {
  if (address.includes('.')) return address.replace(/^.*:/, '')
  const [head = '', tail] = address.replace(/%[^]*/, '').split('::')
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : [])
  const [left, right] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}

export interface ConnectionBudgetOptions {
  /** How many connections may be open; fewer where the process may hold few files open. */
  readonly connections: number
  /** Default: what the system says. */
  readonly openFiles?: number | undefined
  readonly clock: Clock
  /** Called with the number of connections that were closed, each time. */
  readonly onClosed?: (count: number) => void
  /** Called with the limit when connections are closed for it, at most once a minute: a flood must not fill the log too. */
  readonly onFull?: (limit: number) => void
}

export interface ConnectionBudget {
  /** Counts the connections of a server that does not listen yet. */
  watch(server: HttpServer | HttpsServer): void
  /** Says that a request on this connection proved who sends it; what else comes on it is trusted to be theirs. */
  trust(socket: Duplex): void
  /** Says that a connection is no longer one of requests, such as a WebSocket: it is never closed for others. */
  exempt(socket: Duplex): void
  /** Open connections. */
  count(): number
}

/** Closed at a time, so that a flood does not have all connections sorted for each of its own. */
const BATCH = 64
const NEARLY_FULL = 0.75
/** For strangers, while nearly full. */
const SHORT_IDLE_MS = 5_000
const SWEEP_MS = 1_000
const FULL_NOTICE_MS = 60_000

interface Tracked {
  readonly socket: Socket
  readonly peer: string
  isKnown: boolean
  isExempt: boolean
  sinceMs: number
  /** The latest request. */
  exchange?: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly bytesBefore: number }
}

/** Connections get this part of the files that the process may open: it can have two servers, and their requests open files. */
const SHARE_OF_FILES = 0.25

export function createConnectionBudget({
  connections,
  openFiles = findOpenFilesLimit(),
  clock,
  onClosed = () => undefined,
  onFull = () => undefined,
}: ConnectionBudgetOptions): ConnectionBudget {
  const limit = Math.min(connections, Math.floor((openFiles ?? Infinity) * SHARE_OF_FILES))
  const open = new Set<Tracked>()
  /** By the sockets that requests come by; with TLS these are not those that were accepted. */
  const bySocket = new WeakMap<Duplex, Tracked>()
  const byAddress = new Map<string, Tracked>()
  let isSweeping = false
  const noticeFull = onceAMinute(clock, () => onFull(limit))

  const now = (): number => clock.now().getTime()
  const snapshot = (): (OpenConnection & { readonly of: Tracked })[] => [...open].map(toOpenConnection)
  const close = (chosen: readonly { readonly of: Tracked }[]): void => {
    for (const { of } of chosen) {
      // Its event `close` comes later, and the next newcomer before it.
      open.delete(of)
      of.socket.destroy()
    }
    if (chosen.length === 0) return
    onClosed(chosen.length)
    noticeFull()
  }
  const makeRoom = (): void => {
    const count = Math.max(1, Math.min(BATCH, Math.floor(limit / BATCH)))
    close(connectionsToClose(snapshot(), { count, nowMs: now() }))
  }
  const sweep = (): void => {
    isSweeping = open.size > limit * NEARLY_FULL
    if (!isSweeping) return
    clock.schedule(SWEEP_MS, sweep)
    close(connectionsOverdue(snapshot(), SHORT_IDLE_MS, now()))
  }
  const accept = (socket: Socket): void => {
    const peer = peerOf(socket.remoteAddress ?? '')
    const tracked = { socket, peer, isKnown: false, isExempt: false, sinceMs: now() }
    const address = addressOf(socket)
    open.add(tracked)
    bySocket.set(socket, tracked)
    byAddress.set(address, tracked)
    socket.once('close', () => {
      open.delete(tracked)
      if (byAddress.get(address) === tracked) byAddress.delete(address)
    })
    if (open.size > limit) makeRoom()
    if (!isSweeping) sweep()
  }
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const tracked = bySocket.get(request.socket)
    if (tracked === undefined) return
    tracked.exchange = { request, response, bytesBefore: request.socket.bytesRead }
    tracked.sinceMs = now()
    response.once('close', () => {
      tracked.sinceMs = now()
    })
  }
  return {
    watch(server) {
      server.on('connection', accept)
      server.on('secureConnection', (socket: Socket) => {
        const tracked = byAddress.get(addressOf(socket))
        if (tracked !== undefined) bySocket.set(socket, tracked)
      })
      server.on('request', begin)
    },
    trust(socket) {
      const tracked = bySocket.get(socket)
      if (tracked !== undefined) tracked.isKnown = true
    },
    exempt(socket) {
      const tracked = bySocket.get(socket)
      if (tracked !== undefined) tracked.isExempt = true
    },
    count: () => open.size,
  }
}

function onceAMinute(clock: Clock, notice: () => void): () => void {
  let quietUntilMs = 0
  return () => {
    const nowMs = clock.now().getTime()
    if (nowMs < quietUntilMs) return
    quietUntilMs = nowMs + FULL_NOTICE_MS
    notice()
  }
}

function toOpenConnection(of: Tracked): OpenConnection & { readonly of: Tracked } {
  const { peer, isKnown, sinceMs, exchange } = of
  const phase = phaseOf(of)
  const bodyBytes = exchange === undefined ? 0 : exchange.request.socket.bytesRead - exchange.bytesBefore
  return {
    of,
    peer,
    isKnown,
    phase,
    sinceMs: phase === 'receiving' ? sinceMs + bodyBytes / BODY_BYTES_PER_MS : sinceMs,
  }
}

function phaseOf({ isExempt, exchange }: Tracked): Phase {
  if (isExempt) return 'working'
  if (exchange === undefined) return 'silent'
  const { request, response } = exchange
  if (response.closed || response.writableFinished) return 'idle'
  if (!request.complete) return 'receiving'
  return response.writableEnded || response.writableNeedDrain ? 'stuck' : 'working'
}

/** What a connection and the TLS on top of it have in common. */
function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
