import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:https'
import { hasErrorCode } from '../../lib/files.ts'

/** Long enough for a busy client's next request, so that it need not shake hands again. */
const KEEP_ALIVE_MS = 90_000

/** Listens on the first of `ports` that is free and returns it; 0 takes any. @throws when none is */
export async function listen(server: Server, host: string, ports: readonly number[]): Promise<number> {
  server.keepAliveTimeout = KEEP_ALIVE_MS
  for (const [i, port] of ports.entries()) {
    try {
      server.listen({ host, port })
      await once(server, 'listening')
      return portOf(server.address())
    } catch (error) {
      if (!hasErrorCode(error, 'EADDRINUSE') || i === ports.length - 1) throw error
    }
  }
  throw new Error('no port to listen on was given')
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}

/** Stops listening, lets answers that are under way end for a moment, then cuts what is left. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)))
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS).unref()
  })
}

const CUT_AFTER_MS = 500
