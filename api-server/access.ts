/**
 * Who may talk to this server: by which host name, from which web page, with which token (decisions, section 5).
 * Shared by the middleware and by the WebSocket upgrade, which no middleware sees.
 *
 * Host and Origin are judged because a web page can make a browser send requests to loopback: by a name of its own
 * that it resolves to 127.0.0.1 (then Host is foreign), or directly (then Origin is).
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { ForeignOrigin, Unauthorized } from '../core/errors.ts'

export interface AccessOptions {
  readonly token?: string | undefined
  readonly publicUrl?: string | undefined
  readonly allowedHosts?: readonly string[] | undefined
  /** The address that the server listens on. */
  readonly host: string
}

/** Who asks, as decisions record it. */
export interface Caller {
  readonly name: string
}

export interface Access {
  /** @throws ForeignOrigin when Host or Origin are not this server's */
  checkOrigin(request: IncomingMessage): void
  /** Value of `Access-Control-Allow-Origin`: the caller's origin where allowed, else our own. */
  corsOrigin(request: IncomingMessage): string
  /** @throws Unauthorized when a token is needed and none of `presented` is it */
  authenticate(presented: readonly string[]): Caller
}

/** Probes come by the pod's address, and tell nothing. */
const OPEN_PATHS: readonly string[] = ['/healthz', '/readyz']

export function createAccess(options: AccessOptions): Access {
  const publicUrl = options.publicUrl === undefined ? undefined : new URL(options.publicUrl)
  const hosts = new Set([...(options.allowedHosts ?? []), options.host, ...(publicUrl ? [publicUrl.hostname] : [])])
  const expected = options.token === undefined ? undefined : digest(options.token)

  const ownOrigin = ({ headers }: IncomingMessage): string =>
    publicUrl?.origin ?? `http://${headers.host ?? 'localhost'}`
  const isOwn = (request: IncomingMessage, origin: string): boolean =>
    origin === ownOrigin(request) || isLoopback(hostnameOf(origin))

  return {
    checkOrigin(request) {
      const { host = '', origin } = request.headers
      const name = hostnameOfHeader(host)
      if (!isLoopback(name) && !hosts.has(name) && !hosts.has(host) && !OPEN_PATHS.includes(request.url ?? '')) {
        throw new ForeignOrigin('Host', host)
      }
      // With a token a foreign page can do nothing, because it does not have it.
      if (origin !== undefined && expected === undefined && !isOwn(request, origin)) {
        throw new ForeignOrigin('Origin', origin)
      }
    },
    corsOrigin(request) {
      const { origin } = request.headers
      const isAllowed = origin !== undefined && (expected !== undefined || isOwn(request, origin))
      return isAllowed ? origin : ownOrigin(request)
    },
    authenticate(presented) {
      if (expected === undefined) return { name: 'anonymous' }
      // Digests have one length, so that the comparison takes the same time for any guess.
      if (presented.some((token) => timingSafeEqual(digest(token), expected))) return { name: 'api' }
      throw new Unauthorized()
    },
  }
}

/** Whether an address or name means this machine only. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
}

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(request: Pick<IncomingMessage, 'headers'>): string[] {
  const [, token] = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? []
  return token === undefined ? [] : [token]
}

/** `name:port` without the port; IPv6 in its brackets. By hand, because every request is asked. */
function hostnameOfHeader(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase()
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
