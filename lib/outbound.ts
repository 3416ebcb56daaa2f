/**
 * HTTP requests to other servers, through the proxy that the environment names, as git and curl read it: https through a
 * tunnel (RFC 9110, CONNECT), http by its full URL. The proxy resolves names, so with one the address rule can judge only
 * addresses that stand in a URL. Programs of this machine are always reached directly.
 */
import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request as httpRequest,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { unescape } from 'node:querystring'
import type { Duplex, Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { addRange, isLoopback } from './address-rule.ts'
import type { ProxyVariables } from './proxy-variables.ts'
import { hostOf, parseUrl, portOf } from './url.ts'

export interface WayOut {
  /** Absent: no proxy. */
  readonly proxies?: ProxyVariables | undefined
  /** Certificate authorities in place of the usual ones, as PEM. */
  readonly ca?: string | string[] | undefined
}

type Body = string | Uint8Array | Readable

interface Outgoing extends Omit<RequestOptions, 'headers'> {
  readonly headers?: OutgoingHttpHeaders
}

/** The proxy for an http or https URL; undefined: connect directly. @throws Error if the variable holds no URL */
export function findProxy(url: URL, variables: ProxyVariables = {}): URL | undefined {
  const { [`${url.protocol}proxy`.replace(':', '_')]: own, all_proxy: all = '', no_proxy: direct = '' } = variables
  const named = own ?? all
  if (named === '' || isLoopback(url.hostname) || isExempt(url, direct)) return undefined
  const proxy = parseUrl(/^\w+:\/\//.test(named) ? named : `http://${named}`)
  if (proxy === undefined)
    throw new Error('the variable that names the proxy holds no URL, such as http://proxy.example:3128')
  return proxy
}

/** `NO_PROXY` lists domains with their subdomains, addresses and ranges, each with an optional port; `*` is everything. */
function isExempt(url: URL, list: string): boolean {
  const [host, usedPort] = [hostOf(url), portOf(url)]
  const entries = list.toLowerCase().split(/[\s,]+/)
  return entries.some((entry) => {
    const [, name = entry, port = usedPort] = /^([^:]+|\[.*\]):(\d+)$/.exec(entry) ?? []
    return name !== '' && port === usedPort && isMeant(host, name.replace(/^\[|\]$/g, ''))
  })
}

function isMeant(host: string, entry: string): boolean {
  const name = entry.replace(/^\*?\./, '')
  if (name === '*' || host === name || host.endsWith(`.${name}`)) return true
  const family = isIP(host)
  const range = new BlockList()
  return family !== 0 && addRange(range, entry) && range.check(host, family === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Sends one request to an http or https URL.
 *
 * @param options `agent` and `lookup` count only without a proxy
 * @returns the response; its body is still to be read
 * @throws errors of the connection; Error that names the proxy, without its password, if no tunnel comes about or it is not of
 *   http or https;
 *   the signal's reason
 */
export async function sendRequest(
  url: URL,
  options: Outgoing,
  { proxies, ca }: WayOut = {},
  body?: Body,
): Promise<IncomingMessage> {
  const trust = ca === undefined ? {} : { ca }
  const proxy = findProxy(url, proxies)
  const { agent: _, lookup: __, ...own } = options
  if (proxy === undefined) return answerTo(opener(url)(url, { ...options, ...trust }), body)
  if (url.protocol === 'http:') {
    // A login in the URL is the server's, as where it is reached directly: proxies write what is asked for into their logs.
    const { auth, path = '' } = urlToHttpOptions(url)
    const headers = { ...own.headers, Host: url.host }
    return answerTo(openToProxy(proxy, { ...own, auth, path: `${url.origin}${path}`, headers }), body)
  }
  const connection = await openTunnel(proxy, url, { ...trust, signal: own.signal })
  return answerTo(httpsRequest(url, { ...own, createConnection: () => connection }), body)
}

const opener = ({ protocol }: URL) => (protocol === 'https:' ? httpsRequest : httpRequest)

function answerTo(request: ClientRequest, body: Body | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', resolve)
    if (typeof body === 'object' && !(body instanceof Uint8Array)) body.on('error', reject).pipe(request)
    else request.end(body)
  })
}

function openToProxy(proxy: URL, options: Outgoing): ClientRequest {
  if (!/^https?:$/.test(proxy.protocol))
    throw new Error(`the proxy ${proxy.host} speaks ${proxy.protocol.slice(0, -1)}: name an http or https proxy`)
  const login = [unescape(proxy.username), unescape(proxy.password)].join(':')
  const known = login === ':' ? {} : { 'Proxy-Authorization': `Basic ${Buffer.from(login).toString('base64')}` }
  const headers = { ...options.headers, ...known }
  return opener(proxy)({ host: hostOf(proxy), port: portOf(proxy), agent: false, ...options, headers })
}

/** Else the error of a proxy that is away would pass for the server's. */
function unreachable({ host }: URL, error: Error): Error {
  return new Error(`the proxy ${host} cannot be reached: ${error.message}`, { cause: error })
}

/**
 * Opens a connection to the server of a URL by a proxy: of https one over TLS.
 *
 * @throws as {@link sendRequest}
 */
export function openTunnel(
  proxy: URL,
  url: URL,
  { ca, signal }: Pick<WayOut, 'ca'> & { readonly signal?: AbortSignal | undefined } = {},
): Promise<Duplex> {
  const path = `${url.hostname}:${portOf(url)}`
  const host = hostOf(url)
  return new Promise((resolve, reject) => {
    const request = openToProxy(proxy, { method: 'CONNECT', path, headers: { Host: path }, ...(signal && { signal }) })
    const fail = (error: Error): void => reject(signal?.aborted === true ? error : unreachable(proxy, error))
    request.on('error', fail).on('connect', ({ statusCode }: IncomingMessage, socket: Duplex) => {
      if (statusCode !== 200) {
        socket.destroy()
        return reject(new Error(`the proxy ${proxy.host} answered ${statusCode} when asked for ${path}`))
      }
      if (url.protocol === 'http:') return resolve(socket)
      return resolve(connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }), ...(ca && { ca }) }))
    })
    request.end()
  })
}

/** The body of an answer. @throws what `refuse` makes for more than `maxBytes`; errors of the connection */
export async function readText(
  response: IncomingMessage,
  maxBytes: number,
  refuse: (problem: string) => Error,
): Promise<string> {
  const body: AsyncIterable<Buffer> = response
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    // Leaving the loop closes the connection.
    if (sizeBytes > maxBytes) throw refuse(`it sent more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
