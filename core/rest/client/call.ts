/**
 * How the typed client (client.ts) talks HTTP. It brings no fetch of its own, so it
 * runs in a browser, in the CLI and in tests alike; cancelling and time limits are the caller's signal.
 */
import { type ErrorCode, ERROR_HEADER, isErrorCode } from '../../errors.ts'
import { asRecord, parseJson } from '../../json.ts'
import type { SignInOffer } from '../records/server.ts'
import { type ServerEvent, readEvents } from './events.ts'

/** An answer that is not a success: the server's own words for people, its status and code for programs. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  /** Undefined when what answered is not Slipway, or one that is newer than this client. */
  readonly code: ErrorCode | undefined
  /** With a 401: where a browser signs in without a token, if anywhere. */
  readonly signIn: SignInOffer | undefined

  constructor(status: number, code: ErrorCode | undefined, message: string, signIn?: SignInOffer) {
    super(message)
    this.status = status
    this.code = code
    this.signIn = signIn
  }
}

export interface ClientOptions {
  /** Base URL of the server; in a browser the page's own origin. */
  readonly url: string
  /** Left out: none is sent, as with a session cookie or a server without tokens. */
  readonly token?: string | undefined
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Further request headers, such as If-None-Match or Range. */
  readonly headers?: Readonly<Record<string, string>>
  /** A browser finishes the request though its page is closed; for small bodies (Fetch standard, section 4.6). */
  readonly keepalive?: boolean
  /** Sees the headers of a success: ETag, Link to the next page, Location. */
  readonly onHeaders?: (headers: Headers) => void
}

type Scalar = string | number | boolean

/** One request, before it becomes HTTP. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With the names of parameters in braces. */
  readonly path: string
  readonly params?: object
  readonly query?: object
  /** Sent as JSON. */
  readonly body?: object
  /** Sent as it is. */
  readonly raw?: RawContent
  readonly ifMatch?: string | undefined
}

/** A stream is sent once, as it is read. */
export type RawContent = FormData | Blob | ReadableStream<Uint8Array> | string

/** One way to receive per kind of answer. Every one throws ApiFailure for a status of 400 and above. */
export interface Transport {
  json<T>(call: Call, options?: CallOptions): Promise<T>
  text(call: Call, options?: CallOptions): Promise<string>
  bytes(call: Call, options?: CallOptions): Promise<ArrayBuffer>
  /** For what may be too large for memory. */
  stream(call: Call, options?: CallOptions): Promise<ReadableStream<Uint8Array>>
  nothing(call: Call, options?: CallOptions): Promise<void>
  /** Opened when it is iterated; ends with the server's last event. A browser has EventSource for this. */
  events(call: Call, options?: CallOptions): AsyncIterable<ServerEvent>
}

export function createTransport(client: ClientOptions): Transport {
  const send = async (call: Call, options: CallOptions = {}): Promise<Response> => {
    const response = await client.fetch(urlOf(client.url, call), toRequest(client.token, call, options))
    if (!response.ok) throw await toFailure(response)
    options.onHeaders?.(response.headers)
    return response
  }
  return {
    json: async (call, options) => JSON.parse(await (await send(call, options)).text()),
    text: async (call, options) => (await send(call, options)).text(),
    bytes: async (call, options) => (await send(call, options)).arrayBuffer(),
    stream: async (call, options) => (await send(call, options)).body ?? new Blob([]).stream(),
    nothing: async (call, options) => {
      await send(call, options)
    },
    events: (call, options) => readEvents(() => send(call, options)),
  }
}

function urlOf(base: string, { path, params = {}, query = {} }: Call): string {
  const values = new Map<string, unknown>(Object.entries(params))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
  const given = Object.entries(query).filter(isGiven)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  const url = new URL(text === '' ? filled : `${filled}?${text}`, base)
  // URLs drop tabs and line breaks (WHATWG URL Standard), so no look at the text tells where they lead.
  if (url.origin !== new URL(base).origin) throw new TypeError(`this path leads to another server: ${url.origin}`)
  return url.href
}

function isGiven(entry: [string, unknown]): entry is [string, Scalar] {
  return ['string', 'number', 'boolean'].includes(typeof entry[1])
}

/**
 * For a stream: `duplex` is required (Fetch standard, section 5.4); with the others no copy is kept of what was sent, as
 * it would be to send it again behind a redirect (section 4.6).
 */
const ONCE = { duplex: 'half', redirect: 'error', window: null } as const

function toRequest(token: string | undefined, call: Call, { signal, headers, keepalive }: CallOptions): RequestInit {
  const body = call.body === undefined ? call.raw : JSON.stringify(call.body)
  return {
    method: call.method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(call.ifMatch === undefined ? {} : { 'If-Match': call.ifMatch }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(body instanceof ReadableStream ? ONCE : {}),
    ...(signal === undefined ? {} : { signal }),
    ...(keepalive === undefined ? {} : { keepalive }),
  }
}

async function toFailure(response: Response): Promise<ApiFailure> {
  const code = response.headers.get(ERROR_HEADER) ?? ''
  const text = await response.text()
  const { error, sign_in } = asRecord(parseJson(text))
  const words = typeof error === 'string' ? error : text
  return new ApiFailure(response.status, isErrorCode(code) ? code : undefined, words, toOffer(asRecord(sign_in)))
}

function toOffer({ name, url }: Readonly<Record<string, unknown>>): SignInOffer | undefined {
  return typeof name === 'string' && typeof url === 'string' ? { name, url } : undefined
}
