import type { Middleware } from 'koa'
import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/log.ts'
import type { RequestState } from './state.ts'

/** What probes ask for every second or so: worth a line only when it is refused. */
const PROBES: readonly string[] = ['/healthz', '/readyz']

/** One line per answered request; a token in the query is not part of it. Probes that are well count as debug. */
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

/** The URL with the value of `?token=` replaced, however the name is written: `%74oken` is read as `token` too. */
export function redactToken(url: string): string {
  const [path = '', ...query] = url.split('?')
  if (query.length === 0) return url
  const pairs = query.join('?').split(/[&#]/)
  const isToken = (pair: string): boolean => [...new URLSearchParams(pair).keys()].some((key) => /token/i.test(key))
  return `${path}?${pairs.map((pair) => (isToken(pair) ? 'token=[redacted]' : pair)).join('&')}`
}
