/** A TCP connection's middle that can break in the two ways in which networks break. */
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Ends every connection, and refuses new ones, as if nobody listened. */
  cut(): Promise<void>
  /** From now on nothing passes, on old connections and on new ones, and none is refused: what a lost route looks like. */
  hang(): void
  /** Carries new connections again, on the same port; those that hung stay dead. */
  resume(): Promise<void>
  /** How many are open to the proxy and through it to its target. */
  connections(): number
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
  const listen = async (onPort: number): Promise<void> => {
    server.listen(onPort, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  return {
    port,
    cut,
    hang() {
      isHanging = true
      for (const socket of open) socket.unpipe().pause()
    },
    async resume() {
      isHanging = false
      if (!server.listening) await listen(port)
    },
    connections: () => open.size,
    stop: cut,
  }
}
