/** Cookies that hold something secret: no script reads them, and behind https no other host and no plain http sets them. */
import type { IncomingHttpHeaders } from 'node:http'

export interface Cookie {
  /** Value of `Set-Cookie`. */
  set(value: string, seconds: number): string
  /** Value of `Set-Cookie` that removes it from the browser. */
  readonly end: string
  /** What a request says: a browser sends several of one name when they were set for different paths or hosts. */
  find(headers: Pick<IncomingHttpHeaders, 'cookie'>): string[]
}

export interface CookieOptions {
  readonly name: string
  /** True: the browser sends the cookie over https only. */
  readonly isSecure: boolean
  /** `Lax`: sent also when another site leads the browser here. */
  readonly sameSite: 'Strict' | 'Lax'
}

export function createCookie({ name: plain, isSecure, sameSite }: CookieOptions): Cookie {
  // The prefix makes browsers refuse a cookie of that name that another host or a plain http page sets (RFC 6265bis §4.1.3).
  const name = isSecure ? `__Host-${plain}` : plain
  const attributes = `; Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
  return {
    set: (value, seconds) => `${name}=${value}; Max-Age=${seconds}${attributes}`,
    end: `${name}=; Max-Age=0${attributes}`,
    find({ cookie = '' }) {
      const pairs = cookie.split(';').map((pair) => pair.trim())
      return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
    },
  }
}
