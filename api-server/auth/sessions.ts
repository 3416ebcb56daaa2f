/**
 * Sessions of the browser UI: a cookie that stands for a token without holding it (specification §9.4).
 *
 * The cookie says which token it stands for and when it ends, sealed with a key made from that token. So nothing is
 * stored: a session outlives a restart, counts at every replica, and ends with its time or when its token is changed
 * or taken away. The key is made slowly (scrypt), because who steals a cookie must not be able to try out tokens with
 * it that are valid longer than it is.
 *
 * A person who has signed in otherwise (oidc.ts) has no token: the same cookie then holds their sealed session.
 */
import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SESSION_COOKIE } from '../../core/names.ts'
import type { Clock } from '../../lib/clock.ts'
import { createCookie } from './cookies.ts'
import type { Oidc } from './oidc.ts'
import type { Caller, KnownToken, Tokens } from './tokens.ts'

export const SESSION_MS = 7 * 24 * 3_600_000

export interface Session {
  readonly endsAt: Date
  /** Value of `Set-Cookie`. */
  readonly cookie: string
}

export interface Sessions {
  /** Begins a session for whoever has that token. */
  begin(token: KnownToken): Session
  /** Value of `Set-Cookie` for a session that was sealed elsewhere. */
  beginSealed(sealed: string, endsAt: Date): string
  /** Who the cookie of a request stands for, while it does. */
  find(request: Pick<IncomingMessage, 'headers'>): Caller | undefined
  /** Whether such headers bring a sealed session that is valid. */
  isSealed(headers: Pick<IncomingMessage['headers'], 'cookie'>): boolean
  /** Value of `Set-Cookie` that ends the session in the browser. */
  readonly endCookie: string
}

export interface SessionsOptions {
  readonly tokens: Tokens
  readonly clock: Clock
  /** True: the browser sends the cookie over https only. */
  readonly isSecure: boolean
  /** Absent: no sealed session is valid. */
  readonly oidc?: Pick<Oidc, 'findCaller'> | undefined
}

/** Before a sealed session in the cookie. */
const SEALED = 'o1.'

export function createSessions({ tokens, clock, isSecure, oidc }: SessionsOptions): Sessions {
  const cookie = createCookie({ name: SESSION_COOKIE, isSecure, sameSite: 'Strict' })
  const seal = createSeal()

  const openSealed = (value: string): Caller | undefined =>
    value.startsWith(SEALED) ? oidc?.findCaller(value.slice(SEALED.length)) : undefined
  const open = (value: string): Caller | undefined => {
    const [, who = '', end = '', mac = ''] = /^v1\.([\w.@-]+)\.(\d{1,15})\.([\w-]{43})$/.exec(value) ?? []
    const token = tokens.named(who)
    if (token === undefined || Number(end) <= clock.now().getTime()) return undefined
    const isGenuine = timingSafeEqual(Buffer.from(mac, 'base64url'), seal(token, end))
    return isGenuine ? { name: who, scopes: token.scopes, sessionEndsAt: new Date(Number(end)) } : undefined
  }
  return {
    begin(token) {
      const endsAt = new Date(clock.now().getTime() + SESSION_MS)
      const end = String(endsAt.getTime())
      const value = ['v1', token.name, end, seal(token, end).toString('base64url')].join('.')
      return { endsAt, cookie: cookie.set(value, SESSION_MS / 1000) }
    },
    beginSealed(sealed, endsAt) {
      const seconds = Math.max(0, Math.floor((endsAt.getTime() - clock.now().getTime()) / 1000))
      return cookie.set(`${SEALED}${sealed}`, seconds)
    },
    find: ({ headers }) =>
      cookie
        .find(headers)
        .map((value) => openSealed(value) ?? open(value))
        .find((caller) => caller !== undefined),
    isSealed: (headers) => cookie.find(headers).some((value) => openSealed(value) !== undefined),
    endCookie: cookie.end,
  }
}

/** The key of a token is made when its first session needs it, and kept while the token stays the same. */
function createSeal(): (token: KnownToken, end: string) => Buffer {
  const keys = new WeakMap<KnownToken, Buffer>()
  return (token, end) => {
    const key = keys.get(token) ?? scryptSync(token.digest, 'slipway session v1', 32)
    keys.set(token, key)
    return createHmac('sha256', key).update(`${token.name}.${end}`).digest()
  }
}
