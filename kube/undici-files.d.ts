// Types for the files that undici.ts imports: those that undici gives for its index.
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici'
  export default Agent
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import { ProxyAgent } from 'undici'
  export default ProxyAgent
}
declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'
  /** Called on the dispatcher to use. */
  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>
}
declare module 'undici/lib/dispatcher/pool.js' {
  import type { Duplex } from 'node:stream'
  import type { Dispatcher } from 'undici'
  export type Done = (...result: [error: null, connection: Duplex] | [error: Error, connection: null]) => void
  interface Options {
    /** undici says that this gives a socket; of that it uses what every duplex stream has. */
    readonly connect: (options: object, done: Done) => void
    /** In milliseconds; 0: no limit. */
    readonly headersTimeout: number
    readonly bodyTimeout: number
    /** How long a connection without requests is kept. */
    readonly keepAliveTimeout?: number
  }
  const Pool: new (origin: string, options: Options) => Dispatcher
  export default Pool
}
declare module 'undici/lib/web/fetch/index.js' {
  import type { Dispatcher } from 'undici'
  const parts: {
    fetch(url: string, init: Omit<RequestInit, 'dispatcher'> & { readonly dispatcher: Dispatcher }): Promise<Response>
  }
  export default parts
}
