import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { duplexPair } from 'node:stream'

/** Connections between clients and the server within one process. */
export interface Inner {
  /** The client's end of a new one. Rejects as a port that nobody listens on once they are closed. */
  connect(): Promise<Duplex>
  /** Cuts all of them. */
  close(): void
}

/** Serves HTTP over streams in memory, which spares the clients of this process TLS and sockets. */
export function openInner(handler: RequestListener): Inner {
  const server = createServer(handler)
  // Its clients are ours: none holds a connection open to harm others.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0 })
  const open = new Set<Duplex>()
  let isClosed = false
  return {
    async connect() {
      if (isClosed) throw failure('ECONNREFUSED', 'the control plane has stopped')
      const [ours, theirs] = duplexPair()
      open.add(ours)
      ours.once('close', () => {
        open.delete(ours)
        // After a last answer the client's end has what is left to read, and its end.
        if (!ours.writableFinished) theirs.destroy(failure('ECONNRESET', 'the connection was cut'))
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

/** As sockets fail. */
function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
