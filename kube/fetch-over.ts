/** `fetch` over connections that are opened for it, without a port on this machine that other programs could use. */
import type { Duplex } from 'node:stream'
import Pool from 'undici/lib/dispatcher/pool.js'
import parts from 'undici/lib/web/fetch/index.js'
import { connectWith } from './connect-with.ts'

export interface FetchOver {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Ends all connections; answers under way fail. */
  close(): Promise<void>
}

/**
 * Sends every request for `origin` over a connection of `open`. Connections are kept and used again.
 *
 * A request rejects as that of the global `fetch`: with a TypeError whose cause is what `open` rejected with. Nothing
 * bounds the time of an answer: whoever waits has a signal.
 */
export function fetchOver(origin: string, open: () => Promise<Duplex>): FetchOver {
  const dispatcher = new Pool(origin, {
    connect: (_, done) => void connectWith(open, done),
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    fetch: (url, init) => parts.fetch(url, { ...init, dispatcher }),
    close: () => dispatcher.destroy(),
  }
}
