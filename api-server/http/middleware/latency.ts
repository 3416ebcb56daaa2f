import type { Middleware } from 'koa'
import type { ApiMetrics } from '../../metrics.ts'
import type { RequestState } from './state.ts'

/**
 * Measures every answer under the id of its operation, never under its path: paths hold names, and a series for each
 * would never end. A streamed body is not part of the time.
 */
export function latency(
  { answerSeconds }: Pick<ApiMetrics, 'answerSeconds'>,
  monotonicMs = () => performance.now(),
): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = monotonicMs()
    await next()
    const operation = ctx.state.operation ?? 'none'
    answerSeconds.observe({ operation, status: String(ctx.status) }, (monotonicMs() - startedAt) / 1000)
  }
}
