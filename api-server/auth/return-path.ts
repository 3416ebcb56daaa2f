import { parseUrl } from '../../lib/url.ts'

/** Everything below /api/, which is no page; in any spelling, should a router be lenient about case. */
export const API_PATH = /^\/+api(\/|$)/i

/**
 * The address of a page of the UI that a sign-in comes back to; undefined for one that is not a page of this server, so
 * that nobody is sent elsewhere by a link that begins with our name. Read as browsers read it (WHATWG URL): they take
 * `/\evil.example` and `/.//evil.example` for other hosts, and drop tabs and line ends.
 */
export function findReturnUrl(path: string, origin: string): URL | undefined {
  if (!/^\/(?![/\\])/.test(path)) return undefined
  const url = parseUrl(path, origin)
  const isOurs = url?.origin === origin && !url.pathname.startsWith('//') && !API_PATH.test(url.pathname)
  return isOurs ? url : undefined
}
