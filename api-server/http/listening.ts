/** The listening side of the API server: Koa and WebSockets on one HTTP server with a budget of connections. */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type Koa from 'koa'
import websockify from 'koa-websocket'
import type { Clock } from '../../lib/clock.ts'
import type { ConnectionBudget } from '../../lib/connection-budget.ts'
import { listeningUrl } from '../../lib/listen.ts'
import type { Logger } from '../../lib/log.ts'
import { type HttpLimits, createHttpServer, HTTP_LIMITS } from './server.ts'
import type { LiveConnections } from '../live/websocket.ts'
import type { RequestState } from './middleware/state.ts'

/** How long a stop waits for requests under way. */
const STOP_TIMEOUT_MS = 10_000
const SWEEP_MS = 20

export interface ListeningOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly httpLimits?: HttpLimits
  readonly clock: Clock
  readonly logger: Logger
}

export interface Served {
  readonly app: Koa<RequestState>
  readonly live: LiveConnections
  readonly budget: ConnectionBudget
}

/** Clients have nothing to say beyond pongs. */
const MAX_INCOMING_BYTES = 4096

/** Serves requests and WebSockets. @throws Error EADDRINUSE when the port is taken */
export async function listen(
  { app: requests, live, budget }: Served,
  { host, port, logger, httpLimits = HTTP_LIMITS }: ListeningOptions,
): Promise<Server> {
  const app = websockify(requests)
  app.ws.use((ctx) => {
    budget.exempt(ctx.req.socket)
    live.accept(ctx.websocket, ctx.req)
  })
  const handle = app.callback()
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // Koa answers errors itself; what fails then leaves no answer to give.
    handle(request, response).catch((error: unknown) => {
      logger.error({ error, method: request.method }, 'answering failed')
      response.destroy()
    })
  }
  const server = createHttpServer(answer, httpLimits, budget)
  // Who may connect is decided before the upgrade, where no middleware runs yet.
  const { verifyClient, handleProtocols } = live
  app.ws.listen({ server, verifyClient, handleProtocols, maxPayload: MAX_INCOMING_BYTES })
  server.listen(port, host)
  app.ws.server?.on('wsClientError', live.refuse)
  // ws passes the HTTP server's errors on as its own, where one without a listener ends the process; `once` throws them here.
  app.ws.server?.on('error', () => undefined)
  await once(server, 'listening')
  return server
}

/** As processes on this machine reach it: the address of every interface is none to connect to. */
export function ownUrl(server: Server, host: string): string {
  return listeningUrl(server, host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)
}

/**
 * Takes no more connections, lets requests under way end, then cuts what is left. A connection that becomes idle
 * meanwhile would stay open until its keep-alive time is over, so idle ones are closed again and again.
 */
export async function closeServer(server: Server, clock: Clock): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  let cancelSweep: () => void = () => undefined
  const sweep = (): void => {
    server.closeIdleConnections()
    cancelSweep = clock.schedule(SWEEP_MS, sweep)
  }
  sweep()
  const cancelCut = clock.schedule(STOP_TIMEOUT_MS, () => server.closeAllConnections())
  await closed
  cancelSweep()
  cancelCut()
}
