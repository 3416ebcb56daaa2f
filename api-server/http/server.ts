/**
 * The HTTP server below Koa: how much and how slowly a client may send, and answers to what is no request.
 *
 * A connection that dawdles is cut in bounded time whatever it dawdles with: headers and the wait for them, a body that
 * pauses, a body as a whole. What Node's parser refuses never gets to the middleware, so it is answered here, with
 * `{error}` as everywhere; never in the middle of another answer, which the text would become a part of.
 */
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError, ERROR_HEADER, apiError } from '../../core/errors.ts'
import type { ConnectionBudget } from '../../lib/connection-budget.ts'

export interface HttpLimits {
  /** From the connection, or the end of the request before, to the end of the headers. */
  readonly headersMs: number
  /** The longest pause inside a body. */
  readonly pauseMs: number
  /** From the first byte of a request to its last: 512 MiB need 300 KiB a second. */
  readonly requestMs: number
  /** How long an idle connection is kept; longer than the usual 60 s of a proxy in front, which would meet a closed one. */
  readonly idleMs: number
  /** How often headers and requests under way are looked at. */
  readonly checkMs: number
  /** For {@link createConnectionBudget}; beyond the thousand WebSockets and thousand streams that the contract allows. */
  readonly connections: number
  /** The limit of all bodies that are being read into memory; those that stream to the disk do not count. */
  readonly bodiesBytes: number
}

export const HTTP_LIMITS: HttpLimits = {
  headersMs: 15_000,
  pauseMs: 30_000,
  requestMs: 30 * 60_000,
  idleMs: 65_000,
  checkMs: 5_000,
  connections: 4096,
  bodiesBytes: 64 * 1024 * 1024,
}

/** Request line and headers together. */
const MAX_HEADER_BYTES = 16 * 1024

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** A server that does not listen yet. */
export function createHttpServer(listener: RequestListener, limits: HttpLimits, budget: ConnectionBudget): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node would answer a missing Host, and an expectation that it does not know, without a body: middleware/http-rules.ts does.
      requireHostHeader: false,
    },
    listener,
  )
  budget.watch(server)
  // Node would leave out headers beyond a number without a word; they are counted in middleware/http-rules.ts.
  server.maxHeadersCount = 0
  const exchanges = new WeakMap<Duplex, Exchange>()
  server.on('request', (request, response) => exchanges.set(request.socket, { request, response }))
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error, socket) => refuse(socket, toRefusal(error), exchanges.get(socket)))
  server.on('connect', (_request, socket) =>
    refuse(socket, new ApiError('method_not_allowed', 'this server is no proxy')),
  )
  server.setTimeout(limits.pauseMs, (socket) => {
    const exchange = exchanges.get(socket)
    // Before the first request the time for headers counts.
    if (exchange === undefined) return
    if (exchange.response.writableFinished) socket.destroy()
    // A handler may take its time; so may a client that is sent something, as log streams know.
    else if (!exchange.request.complete)
      refuse(socket, apiError('request_timed_out', `no byte of the body came for ${limits.pauseMs} ms`), exchange)
  })
  return server
}

/** Codes of Node and of its parser. */
const REFUSALS: ReadonlyMap<string, ApiError> = new Map([
  ['HPE_HEADER_OVERFLOW', apiError('headers_too_large', `request line and headers exceed ${MAX_HEADER_BYTES} bytes`)],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', new ApiError('payload_too_large', 'the extensions of a chunk are too large')],
  ['ERR_HTTP_REQUEST_TIMEOUT', apiError('request_timed_out', 'the request did not arrive in time')],
])

function toRefusal(error: Error & { readonly code?: string }): ApiError {
  return REFUSALS.get(error.code ?? '') ?? apiError('malformed_request')
}

function refuse(socket: Duplex, refusal: ApiError, exchange?: Exchange): void {
  const isAnswering = exchange !== undefined && !exchange.response.writableFinished && !exchange.response.destroyed
  if (isAnswering && exchange.response.headersSent) {
    socket.destroy()
  } else if (isAnswering && exchange.request.complete) {
    // What came behind a request must not take its answer; it gets none of its own.
    exchange.response.setHeader('Connection', 'close')
  } else {
    write(socket, refusal)
  }
}

function write(socket: Duplex, { status, code, message }: ApiError): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({ error: message })
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json\r\n${ERROR_HEADER}: ${code}\r\n`
  const text = `${head}X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  // Half open is not enough: who does not read would keep the connection.
  socket.end(text, () => socket.destroy())
}
