import type { Middleware } from 'koa'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'
import type { RequestState } from './state.ts'

/** One line per answered request; a token in the query is not part of it. */
export function accessLog(logger: Logger, clock: Clock): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = clock.now().getTime()
    await next()
    if (!logger.isLevelEnabled('info')) return
    const by: string | undefined = ctx.state.caller?.name
    const durationMs = clock.now().getTime() - startedAt
    const { method, status } = ctx
    logger.info(
      { requestId: ctx.state.requestId, method, url: redactToken(ctx.url), status, durationMs, by },
      'request',
    )
  }
}

/** The URL with the value of `?token=` replaced. */
export function redactToken(url: string): string {
  return url.replace(/([?&]token=)[^&#]*/gi, '$1[redacted]')
}
