/** A forward proxy on loopback that tunnels (RFC 9110, CONNECT), asks http servers itself, and knows names that no name server does. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'

export interface ConnectProxy {
  readonly url: string
  /** What clients asked to be connected with, `host:port`, and the URLs of http that they asked for. */
  readonly asked: string[]
  close(): Promise<void>
}

/** @param routes ports of 127.0.0.1 by the `host:port` that clients ask for; all else is refused */
export async function startConnectProxy(routes: Readonly<Record<string, number>>): Promise<ConnectProxy> {
  const asked: string[] = []
  const open = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
    return socket
  }
  const server = createServer((from, response) => {
    asked.push(from.url ?? '')
    const url = new URL(from.url ?? '')
    const port = routes[`${url.hostname}:${url.port || '80'}`]
    if (port === undefined) {
      response.writeHead(403).end()
      return
    }
    const { method, headers } = from
    const to = request({ host: '127.0.0.1', port, path: `${url.pathname}${url.search}`, method, headers, agent: false })
    to.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)))
    from.pipe(to)
  })
  server.on('connect', ({ url = '' }, near: Socket, head: Buffer) => {
    track(near)
    asked.push(url)
    const port = routes[url]
    if (port === undefined) return near.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const far = track(connect(port, '127.0.0.1', () => near.write('HTTP/1.1 200 OK\r\n\r\n')))
    far.write(head)
    return near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
