/** The connection of client commands to a server, with errors and warnings for people. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { FetchOver } from '../../kube/fetch-over.ts'
import { proxyVariables } from '../../lib/proxy-variables.ts'
import { parseUrl } from '../../lib/url.ts'
import type { ApiClient } from '../../core/rest/client/client.ts'
import { type Transport, ApiFailure } from '../../core/rest/client/call.ts'
import { connect } from '../../core/rest/client/connect.ts'
import { CONFIG_FILE, DEFAULT_DATA_DIR } from '../../lib/config-place.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { UsageError } from '../command.ts'
import type { Profile } from './profiles.ts'
import type { OutputForm } from './output.ts'
import { messageOf } from '../../lib/error-message.ts'

/** What a WebSocket of the server is opened with. */
export interface SocketEndpoint {
  /** Base URL. */
  readonly url: string
  readonly token: string | undefined
  /** Opens what the WebSocket goes over; absent: a connection to the host of the URL. */
  readonly open?: () => Promise<Duplex>
}

export interface Session {
  /** How messages name the server: its base URL without a slash at its end, or its place in a cluster. */
  readonly server: string
  readonly api: ApiClient
  /** For requests that the client has no method for. */
  readonly transport: Transport
  readonly socket: SocketEndpoint
  readonly form: OutputForm
  /** Whether the server runs on this machine, so that it can use paths of this machine. */
  readonly isLocal: boolean
  /** Ends what is still connected. */
  close(): Promise<void>
}

/** What every session is opened with. */
export interface CommonOptions {
  readonly form: OutputForm
  readonly env: Readonly<Record<string, string | undefined>>
  /** Gets the warnings of the server's answers. */
  readonly warn?: (text: string) => void
}

export interface SessionOptions extends CommonOptions {
  readonly server: string | undefined
  /** Used if `SLIPWAY_TOKEN` is not set, and only for the origin that it was saved for. */
  readonly saved?: Profile | undefined
}

/** For commands without `--server`, SLIPWAY_SERVER or a profile. */
export const DEFAULT_SERVER = 'http://127.0.0.1:8080'
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** No server answers at the address, or something else does; the message says what to do. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
  /** Whether it makes sense to try again later: nobody has to change anything for that. */
  readonly isPassing: boolean

  constructor(message: string, options: ErrorOptions & { readonly isPassing?: boolean } = {}) {
    super(message, options)
    this.isPassing = options.isPassing ?? true
  }
}

/**
 * A session with the server of `--server` or the default, by the proxy of `HTTPS_PROXY` and `NO_PROXY` as with curl.
 *
 * @throws UsageError for an address that is no http or https URL; Error for a proxy that is none
 */
export async function openSession({
  server: given,
  saved,
  form,
  env,
  warn = ignore,
}: SessionOptions): Promise<Session> {
  const url = parseServer(given ?? DEFAULT_SERVER)
  const server = url.href.replace(/\/$/, '')
  const isLocal = isLoopback(url)
  const own = saved?.server === url.origin ? saved : undefined
  const token = await tokenFor(isLocal, env, own?.token)
  if (own !== undefined && token !== own.token)
    warn(`SLIPWAY_TOKEN is used, not the token of profile ${own.name}: unset SLIPWAY_TOKEN to use that one`)
  const way = await findWay(url, env)
  // A redirect is not followed: the token is for this origin alone.
  const send: Wire['send'] = (to, init) => way.fetch(to, { redirect: 'manual', ...init })
  const tokenHint = hintOf(env, token, own, `slipway login ${url.origin}`)
  const checked = checkedFetch({ server, send, warn, wayOut: WAY_OUT, tokenHint })
  const client = connect({ url: server, token, fetch: checked })
  return { server, form, isLocal, ...client, socket: { url: server, token, ...way.socket }, close: way.close }
}

/** How requests get to a server, and WebSockets. */
interface Way extends FetchOver {
  readonly socket: Pick<SocketEndpoint, 'open'>
}

const DIRECT: Way = { fetch: (url, init) => fetch(url, init), socket: {}, close: async () => {} }

/** With a proxy all goes over tunnels, to http servers too: a WebSocket needs one. */
async function findWay(url: URL, env: SessionOptions['env']): Promise<Way> {
  const variables = proxyVariables(env)
  if (Object.keys(variables).length === 0) return DIRECT
  const { findProxy, openTunnel } = await import('../../lib/outbound.ts')
  const proxy = findProxy(url, variables)
  if (proxy === undefined) return DIRECT
  const open = (): Promise<Duplex> => openTunnel(proxy, url)
  let over: FetchOver | undefined
  return {
    async fetch(to, init) {
      const { fetchOver } = await import('../../kube/fetch-over.ts')
      over ??= fetchOver(url.origin, open)
      return over.fetch(to, init)
    },
    socket: { open },
    close: async () => over?.close(),
  }
}

/**
 * The token of `SLIPWAY_TOKEN`, else the one saved for the server's origin. Without one, a server on this machine gets the token in the configuration of the data
 * folder. No other server gets that one: the data folder may come with somebody else's repository.
 */
export async function tokenFor(
  isLocal: boolean,
  env: SessionOptions['env'],
  saved?: string,
): Promise<string | undefined> {
  const given = givenToken(env)
  if (given !== undefined) return given
  if (saved !== undefined) return saved
  return isLocal && mayHoldToken(env) ? await readToken(env) : undefined
}

/**
 * The token of `SLIPWAY_TOKEN`, if it is set.
 *
 * @throws UsageError for one that no request can carry: the error of fetch would repeat it
 */
export function givenToken({ SLIPWAY_TOKEN: token = '' }: SessionOptions['env']): string | undefined {
  if (UNSENDABLE.test(token.trim()))
    throw new UsageError('SLIPWAY_TOKEN is no token: a token is one line of printable ASCII without blanks')
  return token === '' ? undefined : token
}

/** What is no header (Fetch standard, header value). */
const UNSENDABLE = /[\r\n\0]|[^\0-\xff]/

/** Whether the configuration of the data folder is worth to be read for its token: most hold none. */
function mayHoldToken({ SLIPWAY_DATA_DIR: folder }: SessionOptions['env']): boolean {
  const path = join(folder === undefined || folder === '' ? DEFAULT_DATA_DIR : folder, CONFIG_FILE)
  try {
    return readFileSync(path, 'utf8').includes('token')
  } catch (error) {
    return !hasErrorCode(error, 'ENOENT', 'ENOTDIR')
  }
}

async function readToken(env: SessionOptions['env']): Promise<string | undefined> {
  const { loadConfig } = await import('../../lib/config.ts')
  return loadConfig({ flags: {}, env }).token
}

/** Where the token comes from that the server may not know, and the way out; without one, where to put it. */
function hintOf(
  env: SessionOptions['env'],
  token: string | undefined,
  saved: Profile | undefined,
  login: string,
): string {
  if (token === undefined) return `${TOKEN_HINT}, or save one: ${login}`
  if (token === env['SLIPWAY_TOKEN']) return `${GIVEN_TOKEN_HINT}, or unset it and save one: ${login}`
  if (saved !== undefined) return `it is the one of profile ${saved.name}; save another one: ${login}`
  return `it is the one in the configuration of the data folder; save another one: ${login}`
}

/** Whether only this machine can be meant. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname)
}

/** @throws UsageError for what is no http or https URL, or has a password in it */
export function parseServer(text: string): URL {
  const url = parseUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError(
      `the server must be a URL such as ${DEFAULT_SERVER}, without a password, not ${JSON.stringify(text.replace(/\/\/[^/]*@/, '//…@'))}: see --server and SLIPWAY_SERVER`,
    )
  return url
}

/** Where nobody reads warnings. */
export function ignore(): void {}

/** How requests get to a server, and what messages say about it. */
export interface Wire {
  /** As of {@link Session}. */
  readonly server: string
  /** Rejects when no answer came; a ServerUnreachable is passed on as it is. */
  readonly send: (url: string, init: RequestInit) => Promise<Response>
  readonly warn: (text: string) => void
  /** What to do if nobody answers. */
  readonly wayOut: string
  /** What to do if the server asks for a token, or does not know the one that is sent. */
  readonly tokenHint: string
}

/** Makes a fetch whose errors name the server and say what to do. */
export function checkedFetch({ server, send, warn, wayOut, tokenHint }: Wire): Wire['send'] {
  return async (url, init) => {
    const response = await send(url, init).catch((error: unknown) => {
      if (init.signal?.aborted === true || error instanceof ServerUnreachable) throw error
      throw new ServerUnreachable(`no server answers at ${server} (${causeOf(error)}). ${wayOut}`, { cause: error })
    })
    const to = response.headers.get('Location')
    if (response.status >= 300 && response.status < 400 && to !== null)
      throw new ServerUnreachable(
        `${server} redirects to ${originOf(to, server)}, where no token is sent. Name that server if you mean it`,
        { isPassing: false },
      )
    // Every answer of a Slipway server has this header.
    if (!response.headers.has('X-Request-Id'))
      throw new ServerUnreachable(`what answers at ${server} (${response.status}) is no Slipway server. ${wayOut}`)
    if (response.status === 401) {
      const what = new Headers(init.headers).has('Authorization') ? 'does not know this token' : 'asks for a token'
      throw new ApiFailure(401, 'unauthorized', `${server} ${what}: ${tokenHint}`)
    }
    for (const [, text = ''] of (response.headers.get('Warning') ?? '').matchAll(WARNING))
      warn(text.replaceAll(/\\(.)/g, '$1'))
    return response
  }
}

function originOf(location: string, base: string): string {
  return URL.canParse(location, base) ? new URL(location, base).origin : 'another place'
}

/** A warning about the request (code 299), not about the age of the answer (RFC 7234, section 5.5). */
const WARNING = /\b299 \S+ "((?:[^"\\]|\\.)*)"/g

/** What to do if a server asks for a token. */
export const TOKEN_HINT = 'set SLIPWAY_TOKEN to one that it knows (docs/access.md)'

/** What to do if a server does not know the token of `SLIPWAY_TOKEN`. */
export const GIVEN_TOKEN_HINT = 'it is the one in SLIPWAY_TOKEN; set that to one that it knows (docs/access.md)'

const WAY_OUT = 'Start one with "npm start" or "slipway serve", or name another one with --server or SLIPWAY_SERVER.'

/** The innermost reason in few words: a code such as ECONNREFUSED, or a message. */
export function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return messageOf(error)
}
