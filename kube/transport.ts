/**
 * HTTP to one API server: authenticated, with a time limit, retried where the server asks for it and that is safe.
 *
 * 429 says that nothing was done, so every request is sent again after `Retry-After`; 503 and 504 do not say it, so
 * only those that RFC 9110 (section 9.2.2) calls idempotent are. The request's own time limit covers all attempts.
 */
import type { Dispatcher } from 'undici'
import { type Clock, delay } from '../lib/clock.ts'
import { createSemaphore, orAborted } from '../lib/async.ts'
import type { Credentials, Login } from './credentials.ts'
import { startLimit } from './limit.ts'
import { toKubeError } from './status.ts'
import type { KubeError } from './types.ts'
import { AnswerLost, RequestTimedOut } from './unanswered.ts'
import { request } from './undici.ts'
import { trimEndOf } from '../core/trim.ts'

const MAX_ATTEMPTS = 6
/** Requests of one client at a time; what comes beyond that waits its turn. Streams are not counted. */
const MAX_REQUESTS = 64
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE'])

/** One call of the API, as HTTP. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With query, from the server's root. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
  /** Where it is to be shorter than the transport's own. */
  readonly timeoutMs?: number | undefined
}

/** HTTP to one server. */
export interface Transport {
  /** The whole body of a 2xx answer. @throws KubeError for any other, RequestTimedOut, or undici's error */
  send(what: ApiRequest): Promise<string>
  /** As `send`, but the body as it comes; the time limit ends with the headers. Aborting ends the stream. */
  stream(what: ApiRequest): Promise<AsyncIterable<Uint8Array>>
}

/** Where to, as whom, and for how long at most. */
export interface TransportOptions {
  readonly server: string
  readonly credentials: Credentials
  readonly userAgent: string
  readonly requestTimeoutMs: number
  readonly clock: Clock
}

/** Opens no connection before the first request. */
export function createTransport(options: TransportOptions): Transport {
  const base = trimEndOf(options.server, '/')
  const once = async (what: ApiRequest, signal: AbortSignal) => {
    const login = await orAborted(options.credentials.login(), signal)
    const asked = request(login.connections, new URL(`${base}${what.path}`), {
      method: what.method,
      headers: headersOf(what, options.userAgent, login),
      ...(what.body === undefined ? {} : { body: JSON.stringify(what.body) }),
      signal,
    })
    try {
      // undici minds the signal once there is a connection, for which alone it waits ten seconds.
      return await orAborted(asked, signal)
    } catch (error) {
      if (signal.reason instanceof RequestTimedOut) options.credentials.reconnect(login)
      throw error
    }
  }

  /** A kept connection that the server closes just as we use it; a read is simply read again. */
  const attempt = async (what: ApiRequest, signal: AbortSignal) => {
    try {
      return await once(what, signal)
    } catch (error) {
      if (signal.aborted || !isConnectionLost(error)) throw error
      if (what.method !== 'GET') throw new AnswerLost(error)
      return once(what, signal)
    }
  }

  /** Sends until there is an answer to keep. */
  const exchange = async (what: ApiRequest, signal: AbortSignal) => {
    let loginRefused = false
    for (let attempts = 1; ; attempts++) {
      const response = await attempt(what, signal)
      if (response.statusCode < 300) return response
      const error = await readError(response)
      if (error.status === 401 && !loginRefused) {
        // A token or certificate that was renewed meanwhile: nothing was done, so every method may repeat.
        loginRefused = true
        options.credentials.expire()
        continue
      }
      if (attempts >= MAX_ATTEMPTS || !mayRepeat(what.method, error)) throw error
      await delay(options.clock, (error.retryAfterSeconds ?? 0) * 1000, signal)
      signal.throwIfAborted()
    }
  }

  const enter = createSemaphore(MAX_REQUESTS)

  return {
    async send(what) {
      const limit = startLimit(options.clock, what, what.timeoutMs ?? options.requestTimeoutMs, what.signal)
      let leave: (() => void) | undefined
      try {
        leave = await enter(limit.signal)
        const response = await exchange(what, limit.signal)
        return await response.body.text()
      } finally {
        leave?.()
        limit.lift()
        limit.unlink()
      }
    },
    async stream(what) {
      const limit = startLimit(options.clock, what, what.timeoutMs ?? options.requestTimeoutMs, what.signal)
      try {
        const response = await exchange(what, limit.signal)
        limit.lift()
        return unlinkAtEnd(response.body, limit.unlink)
      } catch (error) {
        limit.lift()
        limit.unlink()
        throw error
      }
    },
  }
}

async function* unlinkAtEnd(body: AsyncIterable<Uint8Array>, unlink: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    unlink()
  }
}

function headersOf(what: ApiRequest, userAgent: string, login: Login): Record<string, string> {
  const contentType = what.contentType ?? 'application/json'
  return {
    ...login.headers,
    'user-agent': userAgent,
    // Logs are plain text.
    accept: 'application/json, */*;q=0.8',
    ...(what.body === undefined ? {} : { 'content-type': contentType }),
  }
}

async function readError(response: Dispatcher.ResponseData): Promise<KubeError> {
  const retryAfter = response.headers['retry-after']
  const body = await response.body.text()
  return toKubeError(response.statusCode, body, typeof retryAfter === 'string' ? retryAfter : undefined)
}

function mayRepeat(method: string, error: KubeError): boolean {
  if (error.retryAfterSeconds === undefined) return false
  if (error.status === 429) return true
  return IDEMPOTENT.has(method) && (error.status === 503 || error.status === 504)
}

function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'UND_ERR_SOCKET')
}
