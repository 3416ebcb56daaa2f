/**
 * Sessions of the browser UI: a cookie that stands for a token without holding it (specification §9.4).
 *
 * The cookie says which token it stands for and when it ends, sealed with a key made from that token. So nothing is
 * stored: a session outlives a restart, counts at every replica, and ends with its time or when its token is changed
 * or taken away. The key is made slowly (scrypt), because who steals a cookie must not be able to try out tokens with
 * it that are valid longer than it is.
 */
import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SESSION_COOKIE } from '../../core/names.ts'
import type { Clock } from '../../lib/clock.ts'
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
  /** Who the cookie of a request stands for, while it does. */
  find(request: Pick<IncomingMessage, 'headers'>): Caller | undefined
  /** Value of `Set-Cookie` that ends the session in the browser. */
  readonly endCookie: string
}

export interface SessionsOptions {
  readonly tokens: Tokens
  readonly clock: Clock
  /** True: the browser sends the cookie over https only. */
  readonly isSecure: boolean
}

export function createSessions({ tokens, clock, isSecure }: SessionsOptions): Sessions {
  // The prefix makes browsers refuse a cookie of that name that another host or a plain http page sets (RFC 6265bis §4.1.3).
  const name = isSecure ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const seal = createSeal()

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
      return { endsAt, cookie: `${name}=${value}; Max-Age=${SESSION_MS / 1000}${attributes}` }
    },
    find: ({ headers }) =>
      cookiesNamed(name, headers.cookie ?? '')
        .map(open)
        .find((caller) => caller !== undefined),
    endCookie: `${name}=; Max-Age=0${attributes}`,
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

/** A browser sends several of one name when they were set for different paths or hosts. */
function cookiesNamed(name: string, header: string): string[] {
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}
