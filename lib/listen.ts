import { once } from 'node:events'
import type { Server } from 'node:http'
import { hasErrorCode } from './files.ts'

/** Host and port of `127.0.0.1:8080` or `[::1]:8080`; the form is checked by the configuration's schema. */
export function splitListen(listen: string): [host: string, port: number] {
  const colon = listen.lastIndexOf(':')
  return [listen.slice(0, colon).replace(/^\[|\]$/g, ''), Number(listen.slice(colon + 1))]
}

/** The URL of a server that listens on `host`, whatever port it was given. */
export function listeningUrl(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Listens at `host:port`, and resolves when it does.
 *
 * @param setting the configuration's flag that names the address, for the error
 * @throws Error that names the address and the setting when the address is taken, or is none of this machine's
 */
export async function listenAt(server: Server, listen: string, setting: string): Promise<void> {
  const [host, port] = splitListen(listen)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    if (hasErrorCode(cause, 'EADDRINUSE')) {
      throw new Error(`${listen} is in use: stop what listens there, or choose another address with ${setting}`, {
        cause,
      })
    }
    if (hasErrorCode(cause, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EACCES')) {
      throw new Error(`cannot listen at ${listen}: choose another address with ${setting}`, { cause })
    }
    throw cause
  }
}
