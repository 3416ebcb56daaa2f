/**
 * /api/ws: live messages over WebSocket (interface specification, sections 6 and 8; decisions, section 5).
 *
 * Who may not connect is refused before the upgrade, with a status and `{error}` as everywhere. A client that does not
 * take what it is sent is closed after ten seconds, or earlier when more waits for it than memory should hold; it
 * comes back with `?since=` and misses nothing.
 */
import type { IncomingMessage } from 'node:http'
import type { VerifyClientCallbackAsync, WebSocket } from 'ws'
import { InvalidRequest, RouteNotFound, Unavailable } from '../../core/errors.ts'
import type { LiveMessageType } from '../../core/rest/messages.ts'
import { isLiveMessageType } from '../../core/rest/messages.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Access } from '../access.ts'
import { demandScope } from '../access.ts'
import { toApiError } from '../middleware/errors.ts'
import type { Hub } from './hub.ts'

export const LIVE_PATH = '/api/ws'
export const MAX_CLIENTS = 1000
const PING_MS = 30_000
const WRITE_DEADLINE_MS = 10_000
const MAX_QUEUED_BYTES = 8 * 1024 * 1024
/** RFC 6455 §7.4.1 and the IANA registry. */
const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013
const PROTOCOL_PREFIX = 'bearer.'

export interface LiveConnections {
  /** Decides before the upgrade; for `verifyClient` of ws. */
  readonly verifyClient: VerifyClientCallbackAsync
  /** Confirms the subprotocol that carries the token: browsers drop a connection that does not. */
  readonly handleProtocols: (protocols: Set<string>) => string | false
  accept(socket: WebSocket, request: IncomingMessage): void
  /** Says goodbye to all clients. */
  close(): void
}

export interface LiveConnectionOptions {
  readonly access: Access
  readonly hub: Hub
  readonly clock: Clock
}

export function createLiveConnections({ access, hub, clock }: LiveConnectionOptions): LiveConnections {
  const sockets = new Set<WebSocket>()
  let isClosed = false

  const verify = (request: IncomingMessage): void => {
    const url = urlOf(request)
    access.checkOrigin(request)
    if (url.pathname !== LIVE_PATH) throw new RouteNotFound(url.pathname)
    demandScope(access.authenticate(request, presentedTokens(request, url)), 'read')
    readTypes(url)
    if (isClosed || sockets.size >= MAX_CLIENTS) throw new Unavailable(`more than ${MAX_CLIENTS} clients are connected`)
  }
  return {
    verifyClient({ req }, callback) {
      try {
        verify(req)
        callback(true)
      } catch (error) {
        const { status, message, headers } = toApiError(error)
        callback(false, status, JSON.stringify({ error: message }), { 'Content-Type': 'application/json', ...headers })
      }
    },
    handleProtocols: (protocols) => [...protocols].find((name) => name.startsWith(PROTOCOL_PREFIX)) ?? false,
    accept(socket, request) {
      const url = urlOf(request)
      sockets.add(socket)
      const end = serve(socket, hub, clock, {
        types: readTypes(url),
        since: url.searchParams.get('since') ?? undefined,
      })
      socket.once('close', () => {
        end()
        sockets.delete(socket)
      })
    },
    close() {
      isClosed = true
      for (const socket of sockets) socket.close(GOING_AWAY, 'the server is stopping')
    },
  }
}

interface Subscription {
  /** Undefined: all. */
  readonly types: ReadonlySet<LiveMessageType> | undefined
  readonly since: string | undefined
}

/** Sends to one client until it is gone; returns what ends it. */
function serve(socket: WebSocket, hub: Hub, clock: Clock, { types, since }: Subscription): () => void {
  let isAlive = true
  let cancelDeadline: (() => void) | undefined
  let cancelPing: () => void = () => undefined

  // The closing frame waits behind what the client has not taken; ws cuts the connection 30 s later if it never does.
  const drop = (): void => socket.close(TRY_AGAIN_LATER, 'too slow')
  const taken = (): void => {
    cancelDeadline?.()
    cancelDeadline = socket.bufferedAmount === 0 ? undefined : clock.schedule(WRITE_DEADLINE_MS, drop)
  }
  const ping = (): void => {
    if (!isAlive) socket.terminate()
    isAlive = false
    socket.ping()
    cancelPing = clock.schedule(PING_MS, ping)
  }
  socket.on('pong', () => (isAlive = true))
  // What goes wrong on the connection ends in `close`, which is where it is handled.
  socket.on('error', () => socket.terminate())
  cancelPing = clock.schedule(PING_MS, ping)
  const unlisten = hub.listen((message) => {
    if (socket.readyState !== socket.OPEN) return
    if (types !== undefined && message.type !== 'resync' && !types.has(message.type)) return
    if (socket.bufferedAmount > MAX_QUEUED_BYTES) return drop()
    socket.send(message.text, taken)
    cancelDeadline ??= clock.schedule(WRITE_DEADLINE_MS, drop)
  }, since)
  return () => {
    unlisten()
    cancelPing()
    cancelDeadline?.()
  }
}

/** @throws InvalidRequest naming a type that does not exist */
function readTypes(url: Address): ReadonlySet<LiveMessageType> | undefined {
  const names = url.searchParams.get('types')?.split(',') ?? []
  const unknown = names.find((name) => !isLiveMessageType(name))
  if (unknown !== undefined) throw new InvalidRequest(`types: unknown message type ${unknown}`)
  return names.length === 0 ? undefined : new Set(names.filter(isLiveMessageType))
}

/** A browser's WebSocket can send no header of its own: the token may come as subprotocol or in the query. */
function presentedTokens(request: IncomingMessage, url: Address): string[] {
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const inProtocol = protocols.filter((name) => name.startsWith(PROTOCOL_PREFIX))
  return [...inProtocol.map((name) => name.slice(PROTOCOL_PREFIX.length)), ...url.searchParams.getAll('token')]
}

type Address = Pick<URL, 'pathname' | 'searchParams'>

/** By hand: to URL, `//` would be the beginning of another host's name. */
function urlOf({ url = '/' }: IncomingMessage): Address {
  const [pathname = ''] = url.split('?', 1)
  return { pathname, searchParams: new URLSearchParams(url.slice(pathname.length)) }
}
