import type { Middleware, ParameterizedContext } from 'koa'
import type { Route } from '../../core/rest/route.ts'
import { scopeOf } from '../../core/rest/route.ts'
import type { Access } from '../access.ts'
import { demandScope } from '../access.ts'
import type { RequestState } from './state.ts'

/** Everything below /api/ needs a token but rows that are open; in any spelling, should a router be lenient about case. */
const API_PATH = /^\/+api(\/|$)/i
/** Begun and ended by our own pages only: a foreign one could log a person in as somebody else. */
const SESSION_PATH = '/api/session'

/** Finds out who asks; refuses those without a token where one is set, also from paths that do not exist. */
export function token(access: Access): Middleware<RequestState> {
  return (ctx, next) => {
    if (ctx.path === SESSION_PATH) access.checkOwnPage(ctx.req)
    const row = ctx.state.route?.row
    const isOpen = !API_PATH.test(ctx.path) || row?.isOpen === true
    // EventSource cannot set headers.
    const takesQuery = row?.responses[200]?.kind === 'eventStream'
    const inQuery = takesQuery ? new URLSearchParams(ctx.querystring).getAll('token') : []
    ctx.state.caller = isOpen ? access.identify(ctx.req) : access.authenticate(ctx.req, inQuery)
    return next()
  }
}

/** Refuses a caller whose token is not good for the operation. */
export function scope(row: Route): (ctx: ParameterizedContext<RequestState>) => void {
  // What lies outside of /api/ is open as well.
  const needed = row.isOpen === true || !API_PATH.test(row.path) ? undefined : scopeOf(row)
  return (ctx) => {
    if (needed !== undefined) demandScope(ctx.state.caller, needed)
  }
}
