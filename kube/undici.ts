/**
 * The parts of undici that we use, by file: its index loads fetch, WebSocket, caches and Node's own undici as well,
 * which takes longer than the connection to an API server and its first answer.
 */
import type { Dispatcher } from 'undici'
import send from 'undici/lib/api/api-request.js'

export { default as Agent } from 'undici/lib/dispatcher/agent.js'
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js'

export type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>

/** One request over the connections of `dispatcher`; resolves with the headers, the body is still to be read. */
export function request(dispatcher: Dispatcher, url: URL, options: RequestOptions): Promise<Dispatcher.ResponseData> {
  return send.call(dispatcher, { ...options, origin: url.origin, path: `${url.pathname}${url.search}` })
}
