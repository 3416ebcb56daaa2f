import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Logger } from '../lib/log.ts'
import type { MetricsRegistry } from '../lib/metrics.ts'
import { openMetrics } from '../lib/metrics.ts'
import { listeningUrl, splitListen } from '../lib/listen.ts'

/** Metrics and the port that shows them. */
export interface ServedMetrics {
  readonly metrics: MetricsRegistry
  /** Of the page, such as `http://127.0.0.1:9464/metrics`. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Serves GET /metrics at `listen` (`host:port`), for Prometheus. Without a token, because scrapers bring none; what it
 * tells is said in docs/metrics.md.
 *
 * @throws Error EADDRINUSE when the port is taken
 */
export async function serveMetrics(listen: string, logger: Logger): Promise<ServedMetrics> {
  const metrics = await openMetrics()
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?', 1)
    if (path !== '/metrics') return void response.writeHead(404).end('not found: use /metrics\n')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    void sendMetrics(metrics, response, logger)
  })
  const [host, port] = splitListen(listen)
  server.listen(port, host)
  await once(server, 'listening')
  return {
    metrics,
    url: `${listeningUrl(server, host)}/metrics`,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function sendMetrics(metrics: MetricsRegistry, response: ServerResponse, logger: Logger): Promise<void> {
  try {
    const text = await metrics.text()
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text)
  } catch (error) {
    logger.error({ error }, 'collecting metrics failed')
    response.writeHead(500).end()
  }
}
