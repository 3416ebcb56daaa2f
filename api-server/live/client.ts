/**
 * One WebSocket client: sends it what it has not read, as fast as it takes it.
 *
 * Not more than {@link MAX_IN_FLIGHT_BYTES} are handed to the connection before the client has taken what was handed
 * before, and those bytes are the hub's own, shared by all clients. A client that takes nothing for ten seconds is told
 * 1013 behind what it has in flight; it can come back with `?since=` and miss nothing.
 */
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { LiveMessageType } from '../../core/rest/messages.ts'
import type { Audience } from '../auth/audience.ts'
import type { Hub } from './hub.ts'

/** Small enough that a slow client makes visible progress within the write deadline. */
export const MAX_IN_FLIGHT_BYTES = 64 * 1024
/** The contract, section 8. */
const PING_MS = 30_000
const WRITE_DEADLINE_MS = 10_000
/** For the answer to a ping: what a client that reads nothing is sent meanwhile may all fit into the system's buffers. */
const PONG_MS = 9_000
/** From the closing frame until the connection is cut: one that takes nothing never takes that frame either. */
const FAREWELL_MS = 2000
/** RFC 6455 §7.4.1 and the IANA registry. */
const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013

/** The methods used of the connection below a WebSocket. */
export type Wire = Pick<Socket, 'cork' | 'uncork'>

/** What a client asked for. */
export interface LiveFilter {
  /** Undefined: all. */
  readonly types: ReadonlySet<LiveMessageType> | undefined
  readonly since: string | undefined
  /** For whom the records are made. */
  readonly audience: Audience
}

export interface LiveClient {
  /** To be called about every half second: pings, and ends what has stopped taking or answering. */
  tick(nowMs: number): void
  /** Says that the server stops. */
  sayGoodbye(): void
  /** True once it was closed for taking nothing. */
  isDropped(): boolean
  /** The connection is gone. */
  end(): void
}

/** Begins to send at once what the client missed. */
export function serveClient(socket: WebSocket, wire: Wire, hub: Hub, filter: LiveFilter, nowMs: number): LiveClient {
  const { types, since, audience } = filter
  let pingedAtMs = nowMs
  let isAnswering = true
  /** When it was first seen with something to take; undefined since it last took something. */
  let stuckSinceMs: number | undefined
  let isLeaving = false
  let leavingSinceMs: number | undefined
  let isDropped = false
  /** It was given as much as it may have at a time; the rest follows when it has taken that. */
  let hasMore = false

  const isWanted = (type: LiveMessageType): boolean => types === undefined || type === 'resync' || types.has(type)
  const isFull = (): boolean => socket.bufferedAmount >= MAX_IN_FLIGHT_BYTES
  const pump = (): void => {
    if (socket.readyState !== socket.OPEN) return
    // Together: one system call for what came together.
    wire.cork()
    for (hasMore = isFull(); !hasMore; hasMore = isFull()) {
      const message = subscription.next()
      if (message === undefined) break
      if (isWanted(message.type))
        socket.send(audience === 'readers' ? message.forReaders() : message.bytes, TEXT, taken)
    }
    wire.uncork()
  }
  const taken = (): void => {
    stuckSinceMs = undefined
    if (!hasMore || isFull()) return
    hasMore = false
    // A turn later: a client that takes everything at once must not hold up the others.
    setImmediate(pump)
  }
  const leave = (code: number, reason: string): void => {
    isLeaving = true
    subscription.end()
    socket.close(code, reason)
  }
  socket.on('pong', () => (isAnswering = true))
  // What goes wrong on the connection ends in `close`, which is where it is handled.
  socket.on('error', () => socket.terminate())
  const subscription = hub.subscribe(pump, since)
  pump()
  return {
    tick(nowMs) {
      if (isLeaving) {
        leavingSinceMs ??= nowMs
        if (nowMs - leavingSinceMs >= FAREWELL_MS) socket.terminate()
        return
      }
      stuckSinceMs = socket.bufferedAmount === 0 ? undefined : (stuckSinceMs ?? nowMs)
      if (stuckSinceMs !== undefined && nowMs - stuckSinceMs >= WRITE_DEADLINE_MS) {
        isDropped = true
        leave(TRY_AGAIN_LATER, 'too slow')
      } else if (!isAnswering && nowMs - pingedAtMs >= PONG_MS) {
        isDropped = true
        socket.terminate()
      } else if (nowMs - pingedAtMs >= PING_MS) {
        pingedAtMs = nowMs
        isAnswering = false
        socket.ping()
      }
    },
    sayGoodbye: () => leave(GOING_AWAY, 'the server is stopping'),
    isDropped: () => isDropped,
    end: () => subscription.end(),
  }
}

/** Bytes of JSON in a text frame, as they are: one compressed for each client would cost a deflate state per client. */
const TEXT = { binary: false, compress: false } as const
