import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { Pod } from '../kube/builtin.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'

export interface LogOptions {
  readonly dir: string
  readonly token: string
  readonly clock: Clock
  readonly logger: Logger
  readonly findPod: (namespace: string, name: string) => Pod | undefined
}

export interface LogServer {
  readonly port: number
  close(): Promise<void>
}

export async function serveLogs(_options: LogOptions): Promise<LogServer> {
  const server: Server = createServer((_request, response) => response.writeHead(501).end())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
