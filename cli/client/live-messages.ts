/** One connection to the server's WebSocket, from its opening to its loss (docs/live.md). */
import { WebSocket } from 'ws'
import { asRecord, parseJson } from '../../core/json.ts'
import type { LiveMessage, LiveMessageType } from '../../core/rest/messages.ts'
import { connectWith } from '../../kube/connect-with.ts'
import type { Clock } from '../../lib/clock.ts'
import { type SocketEndpoint, causeOf } from './session.ts'

const HANDSHAKE_TIMEOUT_MS = 10_000
/** The server pings every 30 s; a connection that was cut without a word is silent. */
const SILENCE_MS = 45_000

export interface LiveOptions {
  readonly types: readonly LiveMessageType[]
  /** Id of the last message that was received, to go on behind it. */
  readonly since: string | undefined
  readonly clock: Clock
  /** Aborting ends the connection. */
  readonly signal: AbortSignal
  readonly onOpen: () => void
  readonly onMessage: (message: LiveMessage) => void
}

/** Receives messages until the connection is lost, or could not be opened. @returns why @throws what `onMessage` throws */
export async function receiveLive(endpoint: SocketEndpoint, options: LiveOptions): Promise<string> {
  const { clock, signal, onOpen, onMessage } = options
  if (signal.aborted) return 'stopped'
  const socket = new WebSocket(urlOf(endpoint, options), toClientOptions(endpoint))
  let why: string | undefined
  let failure: Error | undefined
  let cancelSilence = (): void => {}
  const hear = (): void => {
    cancelSilence()
    cancelSilence = clock.schedule(SILENCE_MS, () => {
      why = 'nothing was heard from the server'
      socket.terminate()
    })
  }
  const end = (): void => socket.terminate()
  signal.addEventListener('abort', end, { once: true })
  return new Promise<string>((resolve, reject) => {
    socket.on('ping', hear)
    socket.on('open', () => {
      hear()
      onOpen()
    })
    socket.on('message', (data) => {
      hear()
      const message = data instanceof Buffer ? parseJson(data.toString()) : undefined
      if (!isLiveMessage(message) || failure !== undefined) return
      try {
        onMessage(message)
      } catch (error) {
        failure = toError(error)
        socket.terminate()
      }
    })
    socket.on('error', (error) => {
      why ??= causeOf(new Error(error.message, { cause: error }))
    })
    socket.on('close', () => {
      cancelSilence()
      signal.removeEventListener('abort', end)
      if (failure === undefined) resolve(why ?? 'the server ended the connection')
      else reject(failure)
    })
  })
}

function urlOf({ url }: SocketEndpoint, { types, since }: LiveOptions): string {
  const query = new URLSearchParams({ types: types.join(','), ...(since === undefined ? {} : { since }) })
  return `${url.replace(/^http/, 'ws')}/api/ws?${query.toString()}`
}

function toClientOptions({ token, open }: SocketEndpoint): object {
  return {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    perMessageDeflate: false,
    ...(open === undefined
      ? {}
      : { createConnection: (_: unknown, done: Parameters<typeof connectWith>[1]) => void connectWith(open, done) }),
  }
}

function isLiveMessage(value: unknown): value is LiveMessage {
  const { id, type } = asRecord(value)
  return typeof id === 'string' && typeof type === 'string'
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
