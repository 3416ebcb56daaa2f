import type { Middleware } from 'koa'
import type { Route } from '../../core/rest/route.ts'
import { createRouteFinder } from '../route-finder.ts'
import type { RequestState } from './state.ts'

const STREAM = 'text/event-stream'

/**
 * Finds the operation that a request is for, once, for all who judge or answer it. A row with a stream is answered by
 * that stream where the client prefers it, as EventSource does, which can send no other `Accept`.
 */
export function routing(routes: readonly Route[]): Middleware<RequestState> {
  const find = createRouteFinder(routes)
  return (ctx, next) => {
    const { method, path } = ctx
    ctx.state.route = find(method, path)
    if (ctx.state.route?.row.hasStream === true) {
      ctx.vary('Accept')
      // What is named first is preferred by a client that takes anything.
      if (ctx.accepts('application/x-ndjson', STREAM) === STREAM) ctx.state.route = find(method, `${path}/stream`)
    }
    return next()
  }
}
