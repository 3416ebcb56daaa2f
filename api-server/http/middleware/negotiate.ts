import type { Middleware } from 'koa'
import type { Route } from '../../../core/rest/route.ts'
import { pathPattern } from './not-found.ts'
import type { RequestState } from './state.ts'

const STREAM = 'text/event-stream'

/**
 * Lets a row with a stream be answered by that stream where the client prefers it, as EventSource does, which can send
 * no other `Accept`. Before everything that judges a request by its path.
 */
export function negotiate(routes: readonly Route[]): Middleware<RequestState> {
  const patterns = routes.filter(({ hasStream }) => hasStream === true).map(({ path }) => pathPattern(path))
  return (ctx, next) => {
    if (patterns.some((pattern) => pattern.test(ctx.path))) {
      ctx.vary('Accept')
      // A client that takes anything gets the type that is named first.
      if (ctx.accepts('application/x-ndjson', STREAM) === STREAM) ctx.path = `${ctx.path}/stream`
    }
    return next()
  }
}
