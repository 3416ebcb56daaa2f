import { createServer } from 'node:http'
import { once } from 'node:events'

/** Serves /healthz and /readyz for the kubelet's probes, in pods that serve nothing else. */
export async function serveHealth(host: string, port: number, isReady: () => boolean): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const isKnown = request.url === '/healthz' || request.url === '/readyz'
    const isWell = isKnown && (request.url === '/healthz' || isReady())
    response.writeHead(isWell ? 200 : isKnown ? 503 : 404, { 'Content-Type': 'text/plain' })
    response.end(isWell ? 'ok' : isKnown ? 'not ready' : 'not found')
  })
  server.listen(port, host)
  await once(server, 'listening')
  return async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}
