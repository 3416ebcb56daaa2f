/**
 * Connections to a port of a pod through the Kubernetes API, as `kubectl port-forward` makes them.
 *
 * Each is a WebSocket of its own to `pods/portforward`, with the subprotocol that every kubelet knows
 * (`v4.channel.k8s.io`). The first byte of a message is its channel: 0 has the bytes, 1 an error of the kubelet, as text.
 * The first message of each channel repeats the port, in two bytes. No side can end its half alone: the end of either
 * is the end of both. Pings show that the way to the node still exists; the API server itself may be well while it does not.
 */
import type { RequestOptions } from 'node:https'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ClientOptions, WebSocket } from 'ws'
import { trimEndOf } from '../core/trim.ts'
import type { Clock } from '../lib/clock.ts'
import { type LoginSource, currentCluster, toHeaders } from './credentials.ts'
import { objectPath, withQuery } from './paths.ts'
import { PODS } from './resources.ts'
import { toKubeError } from './status.ts'
import type { ObjectKey } from './types.ts'

const PROTOCOL = 'v4.channel.k8s.io'
const DATA_CHANNEL = 0
const ERROR_CHANNEL = 1
const PORT_BYTES = 2
const HANDSHAKE_TIMEOUT_MS = 10_000
/** Load balancers drop a connection that is idle for 60 s. */
const PING_MS = 20_000

export interface ForwardOptions {
  readonly pod: ObjectKey
  /** A container's port. */
  readonly port: number
  /** As of {@link createClient}. */
  readonly userAgent: string
  readonly clock: Clock
  /** Aborting ends the connection, also one that is being opened. */
  readonly signal: AbortSignal
}

/**
 * Opens one connection. It ends when the pod, its port, or the way to it goes away.
 *
 * @throws KubeError for an answer of the API server that is no success: the pod does not exist, or we have no right to
 *   `get` and `create` (both are asked for by newer servers) `pods/portforward`
 */
export async function forwardPort(login: LoginSource, options: ForwardOptions): Promise<Duplex> {
  const { signal, clock } = options
  const given: RequestOptions = {}
  await login.applyToHTTPSOptions(given)
  signal.throwIfAborted()
  const socket = new WebSocket(urlOf(login, options), PROTOCOL, toClientOptions(given, options.userAgent))
  const end = (): void => socket.terminate()
  signal.addEventListener('abort', end, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', end))
  return opened(socket, clock)
}

function urlOf(login: LoginSource, { pod, port }: ForwardOptions): string {
  const path = withQuery(objectPath(PODS, pod, 'portforward'), { ports: port })
  // From http and https to ws and wss.
  return `${trimEndOf(currentCluster(login).server, '/')}${path}`.replace(/^http/, 'ws')
}

function toClientOptions(given: RequestOptions, userAgent: string): ClientOptions {
  return {
    // KubeConfig's own has the certificates, and knows the proxy.
    ...(given.agent === undefined || typeof given.agent === 'boolean' ? {} : { agent: given.agent }),
    headers: { ...toHeaders(given), 'user-agent': userAgent },
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    perMessageDeflate: false,
  }
}

function opened(socket: WebSocket, clock: Clock): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('open', () => {
      pingAtTimes(socket, clock)
      // Here and not later: messages may follow at once.
      resolve(toDuplex(socket))
    })
    socket.once('unexpected-response', (request, response) => {
      void text(response)
        .then((body) => reject(toKubeError(response.statusCode ?? 0, body)), reject)
        .finally(() => request.destroy())
    })
  })
}

/** The bytes of the data channel; an error of the kubelet destroys it. */
function toDuplex(socket: WebSocket): Duplex {
  const connection = new Duplex({
    allowHalfOpen: false,
    read: () => socket.resume(),
    write: (chunk: Buffer, _, done) => socket.send(Buffer.concat([Buffer.of(DATA_CHANNEL), chunk]), done),
    destroy: (error, done) => {
      socket.terminate()
      done(error)
    },
  })
  const opened = new Set<number>()
  socket.on('message', (message: Buffer) => {
    const [channel = DATA_CHANNEL] = message
    const content = message.subarray(opened.has(channel) ? 1 : 1 + PORT_BYTES)
    opened.add(channel)
    if (content.length === 0) return
    if (channel === ERROR_CHANNEL) connection.destroy(new Error(content.toString().trim()))
    else if (channel === DATA_CHANNEL && !connection.push(content)) socket.pause()
  })
  socket.once('error', (error) => connection.destroy(error))
  socket.once('close', () => connection.push(null))
  return connection
}

/** Ends a connection from which nothing came after the last ping. A paused one reads nothing, answers to pings included. */
function pingAtTimes(socket: WebSocket, clock: Clock): void {
  let isAlive = true
  for (const sign of ['pong', 'message']) socket.on(sign, () => (isAlive = true))
  const ping = (): void => {
    if (!isAlive && !socket.isPaused) return socket.terminate()
    isAlive = socket.isPaused
    socket.ping()
    cancel = clock.schedule(PING_MS, ping)
  }
  let cancel = clock.schedule(PING_MS, ping)
  socket.once('close', () => cancel())
}
