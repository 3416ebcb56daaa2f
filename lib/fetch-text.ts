/**
 * GET of a small text from a URL that somebody else wrote, such as a project's `deployment.commitUrl`.
 *
 * Nobody must be able to make the server read what only the server reaches. So each connection is made to the very
 * address that was judged (a name cannot become another one in between), every redirect is judged anew, only http and
 * https are spoken, and the size is limited. Link-local addresses, where clouds keep their metadata, are never asked.
 */
import { hostOf, parseUrl } from './url.ts'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type AddressRule, guardedLookup, isAllowedAddress } from './address-rule.ts'
import { type WayOut, readText, sendRequest } from './outbound.ts'
import { PrivateAddress } from './public-address.ts'

export interface FetchTextOptions extends AddressRule, Pick<WayOut, 'proxies'> {
  /** Ends the request. */
  readonly signal: AbortSignal
  readonly maxBytes: number
}

/** The URL gave no usable text; the message says why. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
  readonly code = 'FETCH_FAILED'
}

const MAX_REDIRECTS = 3
const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * The body of a 200, after at most three redirects.
 *
 * @throws FetchFailed for another status, scheme or size; PrivateAddress; errors of the connection; the signal's reason
 */
export async function fetchText(text: string, options: FetchTextOptions): Promise<string> {
  let url = toUrl(text)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await open(url, options)
    const { location } = response.headers
    if (!REDIRECTS.includes(response.statusCode ?? 0) || location === undefined) return readBody(response, options)
    response.destroy()
    url = toUrl(location, url)
  }
  throw new FetchFailed(`${text} redirects more than ${MAX_REDIRECTS} times`)
}

function toUrl(text: string, base?: URL): URL {
  const url = parseUrl(text, base)
  if (url === undefined) throw new FetchFailed(`${text} is no URL`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchFailed(`${url.protocol} is not spoken`)
  return url
}

async function open(url: URL, options: FetchTextOptions): Promise<IncomingMessage> {
  const host = hostOf(url)
  // A literal address is connected to without a lookup.
  if (isIP(host) !== 0 && !isAllowedAddress(host, options)) throw new PrivateAddress(host)
  const headers = { Accept: 'application/json, text/plain', 'User-Agent': 'slipway' }
  return sendRequest(url, { agent: false, headers, lookup: guardedLookup(options), signal: options.signal }, options)
}

async function readBody(response: IncomingMessage, { maxBytes }: FetchTextOptions): Promise<string> {
  if (response.statusCode !== 200) {
    response.destroy()
    throw new FetchFailed(`it answered ${response.statusCode}`)
  }
  return readText(response, maxBytes, (problem) => new FetchFailed(problem))
}
