/**
 * /api/ws: live messages over WebSocket (specification §10.1, §12.1).
 *
 * Who may not connect is refused before the upgrade, with a status and `{error}` as everywhere.
 */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { VerifyClientCallbackAsync, WebSocket } from 'ws'
import { ERROR_HEADER, apiError } from '../../core/errors.ts'
import { type LiveMessageType, isLiveMessageType } from '../../core/rest/messages.ts'
import { LiveQuery } from '../../core/rest/requests/server.ts'
import type { Clock } from '../../lib/clock.ts'
import { compileCheck, formatProblemsMessage } from '../../lib/validate.ts'
import { type Access, type Caller, type PresentedTokens, requireOneHost } from '../auth/access.ts'
import { audienceOf } from '../auth/audience.ts'
import type { Authorization } from '../auth/authorization.ts'
import { toApiError } from '../refusal.ts'
import { type LiveClient, type LiveFilter, serveClient } from './client.ts'
import type { Hub } from './hub.ts'

const LIVE_PATH = '/api/ws'
/** The contract, section 8. */
export const MAX_CLIENTS = 1000
const TICK_MS = 500
const PROTOCOL_PREFIX = 'bearer.'

type VerifyCallback = Parameters<VerifyClientCallbackAsync>[1]

export interface LiveConnections {
  /** Decides before the upgrade; for `verifyClient` of ws. */
  readonly verifyClient: VerifyClientCallbackAsync
  /** Confirms the subprotocol that carries the token: browsers drop a connection that does not. */
  readonly handleProtocols: (protocols: Set<string>) => string | false
  /** Answers a handshake that is none; for `wsClientError` of ws. */
  refuse(error: Error, connection: Duplex, request: IncomingMessage): void
  accept(socket: WebSocket, request: IncomingMessage): void
  /** For the metrics. */
  counts(): LiveCounts
  /** Says goodbye to all clients; after two seconds those that do not answer are cut off. */
  close(): void
}

export interface LiveCounts {
  /** Connected now. */
  readonly clients: number
  /** Closed for taking nothing, since the start. */
  readonly dropped: number
}

export interface LiveConnectionOptions {
  readonly access: Access
  readonly authorization: Pick<Authorization, 'admit'>
  readonly hub: Hub
  readonly clock: Clock
}

export function createLiveConnections({ access, authorization, hub, clock }: LiveConnectionOptions): LiveConnections {
  const clients = new Set<LiveClient>()
  let dropped = 0
  let isClosed = false
  let isTicking = false
  /** Who was let in, until the upgrade is done. */
  const callers = new WeakMap<IncomingMessage, Caller>()

  const verify = async (request: IncomingMessage): Promise<void> => {
    const url = urlOf(request)
    requireOneHost(request)
    access.checkOrigin(request)
    if (url.pathname !== LIVE_PATH) throw apiError('route_not_found', url.pathname)
    const caller = await access.authenticate(request, presentedTokens(request, url))
    callers.set(request, await authorization.admit(caller, 'openLiveConnection'))
    readFilter(url)
    // HTTP/1.0 has no upgrade (RFC 9110 §7.8); ws does not ask.
    if (request.httpVersion === '1.0') throw apiError('invalid_request', 'a WebSocket needs HTTP/1.1')
  }
  const requireRoom = (): void => {
    if (isClosed || clients.size >= MAX_CLIENTS)
      throw apiError('unavailable', `more than ${MAX_CLIENTS} clients are connected`)
  }
  const answer = async (request: IncomingMessage, callback: VerifyCallback): Promise<void> => {
    try {
      await verify(request)
      // Counted and accepted in one turn of the event loop, so that clients that come together cannot pass together.
      requireRoom()
    } catch (error) {
      const { status, body, headers } = toRefusal(error)
      callback(false, status, body, headers)
      return
    }
    callback(true)
  }
  /** One timer for all, and none while nobody is connected. */
  const tick = (): void => {
    isTicking = clients.size > 0
    if (!isTicking) return
    clock.schedule(TICK_MS, tick)
    const nowMs = clock.now().getTime()
    for (const client of clients) client.tick(nowMs)
  }
  return {
    verifyClient: ({ req }, callback) => void answer(req, callback),
    handleProtocols: (protocols) => [...protocols].find((name) => name.startsWith(PROTOCOL_PREFIX)) ?? false,
    refuse(error, connection, request) {
      const { status, body, headers } = toRefusal(judgeHandshake(error, request))
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const length = Buffer.byteLength(body)
      connection.once('finish', () => connection.destroy())
      connection.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: ${length}\r\n${lines.join('')}\r\n${body}`,
      )
    },
    accept(socket, request) {
      const filter = { ...readFilter(urlOf(request)), audience: audienceOf(callers.get(request)) }
      const client = serveClient(socket, request.socket, hub, filter, clock.now().getTime())
      clients.add(client)
      if (!isTicking) {
        isTicking = true
        clock.schedule(TICK_MS, tick)
      }
      socket.once('close', () => {
        client.end()
        clients.delete(client)
        if (client.isDropped()) dropped += 1
      })
    },
    counts: () => ({ clients: clients.size, dropped }),
    close() {
      isClosed = true
      for (const client of clients) client.sayGoodbye()
    },
  }
}

function toRefusal(error: unknown) {
  const { status, message, headers, code } = toApiError(error)
  return {
    status,
    body: JSON.stringify({ error: message }),
    headers: { 'Content-Type': 'application/json', ...headers, [ERROR_HEADER]: code },
  }
}

/** What a handshake that ws did not understand means to its sender. */
function judgeHandshake(error: Error, request: IncomingMessage): Error {
  const { pathname } = urlOf(request)
  if (pathname !== LIVE_PATH) return apiError('route_not_found', pathname)
  if (request.method !== 'GET') return apiError('method_not_allowed', request.method ?? '', ['GET'])
  return apiError('invalid_request', error.message).causedBy(error)
}

const checkQuery = compileCheck(LiveQuery)

/** @throws ApiError `invalid_request` naming a parameter or a message type that does not exist */
function readFilter({ searchParams }: Address): Pick<LiveFilter, 'types' | 'since'> {
  const names = [...searchParams.keys()].filter((name) => name !== 'token')
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw apiError('invalid_request', `${twice}: given more than once`)
  const query = checkQuery(Object.fromEntries(names.map((name) => [name, searchParams.get(name)])))
  if (!query.ok) throw apiError('invalid_request', formatProblemsMessage(query.problems))
  return { types: readTypes(query.value.types), since: query.value.since }
}

/** @throws ApiError `invalid_request` naming a type that does not exist */
function readTypes(text: string | undefined): ReadonlySet<LiveMessageType> | undefined {
  const names = text?.split(',') ?? []
  const unknown = names.find((name) => !isLiveMessageType(name))
  if (unknown !== undefined) throw apiError('invalid_request', `types: unknown message type ${unknown}`)
  return names.length === 0 ? undefined : new Set(names.filter(isLiveMessageType))
}

/** A browser's WebSocket can send no header of its own: the token may come as subprotocol or in the query. */
function presentedTokens(request: IncomingMessage, url: Address): PresentedTokens {
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const inProtocol = protocols.filter((name) => name.startsWith(PROTOCOL_PREFIX))
  const inHeader = inProtocol.map((name) => name.slice(PROTOCOL_PREFIX.length))
  return { inHeader, inQuery: url.searchParams.getAll('token') }
}

type Address = Pick<URL, 'pathname' | 'searchParams'>

/** By hand: to URL, `//` would be the beginning of another host's name. */
function urlOf({ url = '/' }: IncomingMessage): Address {
  const [pathname = ''] = url.split('?', 1)
  return { pathname, searchParams: new URLSearchParams(url.slice(pathname.length)) }
}
