import type { Middleware } from 'koa'
import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/log.ts'
import { PROBES } from '../../auth/access.ts'
import type { ApiMetrics } from '../../metrics.ts'
import type { RequestState } from './state.ts'

/** Ids that are safe to log and to send back; anything else is replaced by one of ours. */
const ACCEPTED = /^[\w.:/+=-]{1,128}$/

/** Gives the request an id, the caller's own where it sent a usable `X-Request-Id`, and returns it. */
export function requestId(makeRequestId: () => string): Middleware<RequestState> {
  return (ctx, next) => {
    const given = ctx.get('X-Request-Id')
    ctx.state.requestId = ACCEPTED.test(given) ? given : makeRequestId()
    ctx.set('X-Request-Id', ctx.state.requestId)
    return next()
  }
}

/** One line per answered request; a token or a code of sign-in in the query is not part of it. Probes come every second or so: one that is well counts as debug. */
export function accessLog(logger: Logger, clock: Clock): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = clock.now().getTime()
    await next()
    const level = PROBES.includes(ctx.path) && ctx.status < 400 ? 'debug' : 'info'
    if (!logger.isLevelEnabled(level)) return
    const by: string | undefined = ctx.state.caller?.name
    const durationMs = clock.now().getTime() - startedAt
    const { method, status } = ctx
    logger[level](
      { requestId: ctx.state.requestId, method, url: redactToken(ctx.url), status, durationMs, by },
      'request',
    )
  }
}

/** The URL with the values of `?token=` and `?code=` replaced, however the name is written: `%74oken` is `token` too. */
export function redactToken(url: string): string {
  const [path = '', ...query] = url.split('?')
  if (query.length === 0) return url
  const pairs = query.join('?').split(/[&#]/)
  const redact = (pair: string): string => {
    const names = [...new URLSearchParams(pair).keys()]
    if (names.some((name) => /token/i.test(name))) return 'token=[redacted]'
    return names.includes('code') ? 'code=[redacted]' : pair
  }
  return `${path}?${pairs.map(redact).join('&')}`
}

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
