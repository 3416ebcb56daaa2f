import type { Duplex } from 'node:stream'

type Done = (...result: [error: null, connection: Duplex] | [error: Error, connection: null]) => void

/** Opens a connection for an API that takes a callback, such as `createConnection` of Node's HTTP client. */
export async function connectWith(open: () => Promise<Duplex>, done: Done): Promise<void> {
  let connection: Duplex
  try {
    connection = await open()
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)), null)
    return
  }
  done(null, connection)
}
