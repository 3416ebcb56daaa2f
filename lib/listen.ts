import type { Server } from 'node:http'

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
