import { createServer } from 'node:http'
import { once } from 'node:events'
import { systemClock } from '../lib/clock.ts'
import { createConnectionBudget } from '../lib/connection-budget.ts'

/** More than any kubelet opens; who holds them open keeps no probe out. */
const CONNECTIONS = 64

/** Serves /healthz and /readyz for the kubelet's probes, in pods that serve nothing else. */
export async function serveHealth(host: string, port: number, isReady: () => boolean): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const isKnown = request.url === '/healthz' || request.url === '/readyz'
    const isWell = isKnown && (request.url === '/healthz' || isReady())
    response.writeHead(isWell ? 200 : isKnown ? 503 : 404, { 'Content-Type': 'text/plain' })
    response.end(isWell ? 'ok' : isKnown ? 'not ready' : 'not found')
  })
  createConnectionBudget({ connections: CONNECTIONS, clock: systemClock }).watch(server)
  server.listen(port, host)
  await once(server, 'listening')
  return async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}
