/** A TCP connection's middle, which can fall silent: it takes what comes and answers nothing, as a dead network does. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** From now on nothing passes, on old connections and on new ones, and none is refused. */
  hang(): void
  /** Cuts what hung, and passes everything again. */
  resume(): void
  stop(): Promise<void>
}

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const open = new Set<Socket>()
  let isHanging = false
  const server = createServer((near) => {
    track(near)
    if (isHanging) return
    const far = connect(target.port, target.host)
    track(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  const track = (socket: Socket): void => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    hang() {
      isHanging = true
      for (const socket of open) socket.unpipe().pause()
    },
    resume() {
      isHanging = false
      cut()
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}
