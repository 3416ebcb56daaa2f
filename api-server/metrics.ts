/** Every metric of the API server: name, help text and labels. docs/metrics.md says the same for people. */
import type { Metrics } from '../lib/metrics.ts'

/** Seconds of answers: from memory, over the control plane, from an agent. */
const ANSWER_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300]

export type ApiMetrics = ReturnType<typeof createApiMetrics>

/** Makes the API server's instruments, once per registry. */
export function createApiMetrics(metrics: Metrics) {
  return {
    answerSeconds: metrics.histogram(
      'slipway_http_request_duration_seconds',
      'Time until the head of the answer; operation is the route id, or none where no route matches.',
      ['operation', 'status'],
      ANSWER_SECONDS,
    ),
    connectionsClosed: metrics.counter(
      'slipway_http_connections_closed_total',
      'Connections closed because all, or nearly all, that the server holds were taken.',
      [],
    ),
    liveClients: metrics.gauge('slipway_websocket_clients', 'WebSocket clients connected now.', []),
    liveDropped: metrics.counter(
      'slipway_websocket_dropped_total',
      'WebSocket clients closed because they did not take what they were sent.',
      [],
    ),
    streams: metrics.gauge('slipway_log_streams', 'Streams of output and conversations open now.', []),
    pushes: metrics.counter(
      'slipway_push_notifications_total',
      'Push notifications by what became of them: sent, gone, refused, gaveUp, dropped.',
      ['outcome'],
    ),
    onScrape: metrics.onScrape,
  }
}
