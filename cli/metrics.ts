import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import { systemClock } from '../lib/clock.ts'
import { createConnectionBudget } from '../lib/connection-budget.ts'
import type { Logger } from '../lib/log.ts'
import { type ApiMetrics, createApiMetrics } from '../api-server/metrics.ts'
import type { Config } from '../lib/config-schema.ts'
import { type MetricsRegistry, openMetrics } from '../lib/metrics.ts'
import { listenAt, listeningUrl, splitListen } from '../lib/listen.ts'

/** Metrics and the port that shows them. */
export interface ServedMetrics {
  readonly metrics: MetricsRegistry
  /** The page's URL, such as `http://127.0.0.1:9464/metrics`. */
  readonly url: string
  stop(): Promise<void>
}

/** Opens the metrics if the configuration asks for them; else undefined. */
export async function openConfiguredMetrics(
  { metricsListen }: Pick<Config, 'metricsListen'>,
  logger: Logger,
): Promise<ServedMetrics | undefined> {
  return metricsListen === undefined ? undefined : serveMetrics(metricsListen, logger)
}

/** The API server's part of them. */
export function apiMetrics(served: ServedMetrics | undefined): ApiMetrics | undefined {
  return served && createApiMetrics(served.metrics)
}

/** More than scrapers open; a client that holds connections open cannot keep them out. */
const CONNECTIONS = 64

/**
 * Serves GET /metrics at `listen` (`host:port`), for Prometheus. It needs no token, because scrapers send none.
 * docs/metrics.md lists the metrics.
 *
 * @throws Error that names the address and the setting when the address cannot be had
 */
export async function serveMetrics(listen: string, logger: Logger): Promise<ServedMetrics> {
  const metrics = await openMetrics()
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?', 1)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path !== '/metrics') response.writeHead(404).end('not found: use /metrics\n')
    else if (isRead) void sendMetrics(metrics, response, logger)
    else response.writeHead(405, { Allow: 'GET, HEAD' }).end()
  })
  createConnectionBudget({ connections: CONNECTIONS, clock: systemClock }).watch(server)
  const [host] = splitListen(listen)
  await listenAt(server, listen, '--metrics-listen')
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

/** Never rejects. */
async function sendMetrics(metrics: MetricsRegistry, response: ServerResponse, logger: Logger): Promise<void> {
  try {
    const text = await metrics.text()
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text)
  } catch (error) {
    logger.error({ error }, 'collecting metrics failed')
    if (response.headersSent) response.destroy()
    else response.writeHead(500).end()
  }
}
