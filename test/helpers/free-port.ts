import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that the system gives to whoever asks for any port: it could be given away before it is used. Behind 10080,
 * to which fetch and browsers make no connection (https://fetch.spec.whatwg.org/#port-blocking).
 */
const [FIRST, END] = [10_081, 32_000]

/** A port of loopback that nobody listens at now, for what must know its own address before it starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    const server = createServer()
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') continue
      throw error
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
