import type { Middleware } from 'koa'
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
