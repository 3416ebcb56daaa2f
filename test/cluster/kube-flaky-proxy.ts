import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** A TCP proxy in front of an API server that can break in the two ways in which networks break. */
export interface FlakyProxy {
  readonly port: number
  /** Resets every connection, and refuses new ones until `mend`. */
  cut(): void
  /** Carries nothing any more, without closing: what a lost route looks like. New connections hang too. */
  freeze(): void
  /** Carries new connections again; frozen ones stay dead. */
  mend(): void
  connections(): number
  close(): Promise<void>
}

export async function startFlakyProxy(target: { readonly host: string; readonly port: number }): Promise<FlakyProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let mode: 'open' | 'cut' | 'frozen' = 'open'
  const server = createServer((inside) => {
    if (mode === 'cut') {
      inside.resetAndDestroy()
      return
    }
    const outside = connect(target)
    const pair = [inside, outside] as const
    pairs.add(pair)
    if (mode === 'open') inside.pipe(outside).pipe(inside)
    const end = (): void => {
      pairs.delete(pair)
      pair.forEach((socket) => socket.destroy())
    }
    // A reset is what this proxy is for.
    pair.forEach((socket) => socket.on('close', end).on('error', end))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    mode = 'cut'
    for (const pair of pairs) pair.forEach((socket) => socket.destroy())
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze() {
      mode = 'frozen'
      for (const [inside, outside] of pairs) {
        inside.unpipe(outside).pause()
        outside.unpipe(inside).pause()
      }
    },
    mend: () => void (mode = 'open'),
    connections: () => pairs.size,
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
