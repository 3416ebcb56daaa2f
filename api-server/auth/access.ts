/**
 * Who may talk to this server: by which host name, from which web page, with which token (specification §9).
 * Shared by the middleware and by the WebSocket upgrade, which no middleware sees.
 *
 * Host and Origin are judged because a web page can make a browser send requests to loopback: by a name of its own
 * that it resolves to 127.0.0.1 (then Host is foreign), or directly (then Origin is). A session cookie is sent by the
 * browser on its own, so what it is to change needs our own Origin on top; a token is not, so it may come from anywhere.
 */
import { parseUrl } from '../../lib/url.ts'
import type { IncomingMessage } from 'node:http'
import { apiError } from '../../core/errors.ts'
import { type Scope, SCOPES } from '../../core/rest/route.ts'
import { isLoopback } from '../../lib/address-rule.ts'
import type { Oidc } from './oidc.ts'
import type { Sessions } from './sessions.ts'
import type { TokenReviews } from './token-reviews.ts'
import type { Caller, Tokens } from './tokens.ts'

export type { Caller } from './tokens.ts'

/** `uri-host [":" port]` of RFC 9110 §7.2, as far as characters go; empty where the target has no host. */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i

/** A domain of at least one label follows: `*` and `*.` alone are names that nobody has. */
const WILDCARD = /^\*\.[^.]/

export interface AccessOptions {
  readonly tokens: Tokens
  readonly sessions: Sessions
  /** Absent: tokens of Kubernetes are not accepted. */
  readonly reviews?: TokenReviews | undefined
  /** Where people sign in without a token, for those who are refused for want of one. */
  readonly oidc?: Pick<Oidc, 'name' | 'startUrl'> | undefined
  readonly publicUrl?: string | undefined
  readonly allowedHosts?: readonly string[] | undefined
  /** The address that the server listens on. */
  readonly host: string
  /** Told of each request that carried a valid token or session. */
  readonly onProven?: (request: IncomingMessage) => void
}

export interface Access {
  /** @throws ApiError `foreign_origin` when Host or Origin are not this server's */
  checkOrigin(request: IncomingMessage): void
  /** @throws ApiError `foreign_origin` when a page that is not ours sends the request; one without `Origin` is from no page */
  checkOwnPage(request: IncomingMessage): void
  /** Value of `Access-Control-Allow-Origin`: the caller's origin where allowed, else our own. */
  corsOrigin(request: IncomingMessage): string
  /**
   * Who asks, by the token in `Authorization` or one of those `presented` otherwise, else by the session cookie.
   *
   * @throws ApiError `unauthorized` when a token is needed and none that is valid came
   * @throws ApiError `foreign_origin` when a cookie is to change something for a page that is not ours
   * @throws ApiError `unavailable` when the control plane cannot be asked whose token that is
   */
  authenticate(request: IncomingMessage, presented?: PresentedTokens): Promise<Caller>
  /** Who asks where no token is needed: nobody in particular, who may do nothing, unless a valid token came. */
  identify(request: IncomingMessage): Promise<Caller>
}

/** Tokens that came otherwise than in `Authorization`. */
export interface PresentedTokens {
  /** In a header field: as good as there. */
  readonly inHeader?: readonly string[]
  /** In the address, which proxies write into their logs: for tokens of our own alone. */
  readonly inQuery?: readonly string[]
}

/** Everybody, while no token is configured. */
const ANYBODY: Caller = { name: 'anonymous', scopes: SCOPES }
const NOBODY: Caller = { name: 'anonymous', scopes: [] }

/** Probes come by the pod's address, and tell nothing. */
export const PROBES: readonly string[] = ['/healthz', '/readyz']
const SAFE_METHODS: readonly (string | undefined)[] = ['GET', 'HEAD', 'OPTIONS']

export function createAccess({ tokens, sessions, reviews, oidc, host, onProven, ...options }: AccessOptions): Access {
  const publicUrl = options.publicUrl === undefined ? undefined : new URL(options.publicUrl)
  const names = [...(options.allowedHosts ?? []), bracketed(host), ...(publicUrl ? [publicUrl.hostname] : [])]
  const isKnownHost = matchHosts(names)
  const isRequired = tokens.isRequired || reviews !== undefined || oidc !== undefined
  const signIn = oidc && { sign_in: { name: oidc.name, url: oidc.startUrl } }

  const ownOrigin = ({ headers }: IncomingMessage): string =>
    publicUrl?.origin ?? `http://${headers.host ?? 'localhost'}`
  // Host has been checked by then, so a page of the same host and port is ours; TLS may have ended in front of us.
  const isOurs = ({ headers }: IncomingMessage, origin: string): boolean =>
    headers.host === publicUrl?.host
      ? origin === publicUrl?.origin
      : origin === publicUrl?.origin || origin === `http://${headers.host}` || origin === `https://${headers.host}`
  const isOwn = (request: IncomingMessage, origin: string): boolean =>
    isOurs(request, origin) || isLoopback(hostnameOf(origin))
  const byToken = (presented: readonly string[]): Caller | undefined =>
    presented.map((token) => tokens.find(token)).find((found) => found !== undefined)
  const byReview = async (presented: readonly string[]): Promise<Caller | undefined> => {
    if (reviews === undefined) return undefined
    // One is enough: no client has a reason to send more, and each costs a request of the control plane.
    const subject = await reviews.review(presented[0] ?? '')
    return subject && { name: subject.name, scopes: [], subject }
  }
  const bySession = (request: IncomingMessage): Caller | undefined => {
    const caller = sessions.find(request)
    const { origin, upgrade } = request.headers
    const isSafe = SAFE_METHODS.includes(request.method) && upgrade === undefined
    if (caller !== undefined && !isSafe && (origin === undefined || !isOurs(request, origin)))
      throw apiError('foreign_origin', 'Origin', origin)
    return caller
  }

  return {
    checkOrigin(request) {
      const { host: given = '', origin } = request.headers
      const name = hostnameOfHeader(given)
      if (!isLoopback(name) && !isKnownHost(name) && !isKnownHost(given) && !PROBES.includes(request.url ?? '')) {
        throw apiError('foreign_origin', 'Host', given)
      }
      // With a token a foreign page can do nothing, because it does not have it.
      if (origin !== undefined && !isRequired && !isOwn(request, origin))
        throw apiError('foreign_origin', 'Origin', origin)
    },
    checkOwnPage(request) {
      const { origin } = request.headers
      if (origin !== undefined && !isOurs(request, origin)) throw apiError('foreign_origin', 'Origin', origin)
    },
    corsOrigin(request) {
      const { origin } = request.headers
      const isAllowed = origin !== undefined && (isRequired || isOwn(request, origin))
      return isAllowed ? origin : ownOrigin(request)
    },
    async authenticate(request, { inHeader = [], inQuery = [] } = {}) {
      if (!isRequired) return ANYBODY
      const fields = [...bearerToken(request), ...inHeader]
      const all = [...fields, ...inQuery]
      const caller = all.length > 0 ? (byToken(all) ?? (await byReview(fields))) : bySession(request)
      if (caller === undefined) throw apiError('unauthorized').saying({ ...signIn })
      onProven?.(request)
      return caller
    },
    async identify(request) {
      if (!isRequired) return ANYBODY
      const tokens = bearerToken(request)
      return byToken(tokens) ?? (await byReview(tokens)) ?? NOBODY
    },
  }
}

/**
 * Whether a host is one of the names. `*.example.com` stands for every name below example.com, at any depth, as
 * hostnames of the Gateway API do, and not for example.com; whoever names it answers for all of that domain.
 */
function matchHosts(names: readonly string[]): (host: string) => boolean {
  const wanted = names.map((name) => name.toLowerCase())
  const exact = new Set(wanted)
  const endings = wanted.filter((name) => WILDCARD.test(name)).map((name) => name.slice(1))
  return (host) =>
    exact.has(host) || endings.some((ending) => host.length > ending.length && host.toLowerCase().endsWith(ending))
}

/** Whether a caller may use what needs that scope. */
export function allows({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return scopes.includes(scope)
}

/** @throws ApiError `forbidden` naming the scope that the caller lacks */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!allows(caller, scope)) throw apiError('forbidden', caller.name, scope)
}

/** The token of an `Authorization: Bearer` header; another scheme is a token that nobody has. */
function bearerToken({ headers }: IncomingMessage): string[] {
  if (headers.authorization === undefined) return []
  const [, token = ''] = /^Bearer +([^ ].*)$/i.exec(headers.authorization) ?? []
  return [token]
}

/** `name:port` without the port; IPv6 in its brackets. By hand, because every request is asked. */
function hostnameOfHeader(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase()
}

function hostnameOf(url: string): string {
  return parseUrl(url)?.hostname ?? ''
}

/** As a Host header writes it. */
function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/**
 * Refuses a request that names several hosts or none that could be one (RFC 9112 §3.2): Node keeps the first, and whoever
 * stands in front of us may have gone by another. An empty one is judged with the names that this server answers to.
 *
 * @throws ApiError `invalid_request`
 */
export function requireOneHost({ rawHeaders, headers }: IncomingMessage): void {
  const lines = rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host')
  if (lines.length > 1) throw apiError('invalid_request', 'Host: given more than once')
  if (headers.host !== undefined && !HOST.test(headers.host))
    throw apiError('invalid_request', `Host: ${headers.host} is no host`)
}
