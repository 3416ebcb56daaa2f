import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { duplexPair } from 'node:stream'

/** Connections between clients and the server within one process. */
export interface Inner {
  /** Opens one and returns the client's end. After `close` it rejects with ECONNREFUSED. */
  connect(): Promise<Duplex>
  /** Cuts all of them. */
  close(): void
}

/** Serves HTTP over streams in memory, which spares the clients of this process TLS and sockets. */
export function openInner(handler: RequestListener): Inner {
  const server = createServer(handler)
  // Only this program's own clients connect here, so idle and slow ones are not cut.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0 })
  const open = new Set<Duplex>()
  let isClosed = false
  return {
    async connect() {
      if (isClosed) throw failure('ECONNREFUSED', 'connect ECONNREFUSED: the control plane has stopped')
      const [ours, theirs] = duplexPair()
      open.add(ours)
      ours.once('close', () => {
        open.delete(ours)
        // If the last answer was written whole, the client reads the rest and the end by itself.
        if (!ours.writableFinished) theirs.destroy(failure('ECONNRESET', 'read ECONNRESET: the connection was cut'))
      })
      // Cut before anybody has it, it ends no process: who gets it then sees that.
      theirs.once('close', () => ours.destroy()).on('error', () => undefined)
      server.emit('connection', ours)
      return theirs
    },
    close() {
      isClosed = true
      for (const connection of open) connection.destroy()
    },
  }
}

/** An error like a socket's. */
function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
