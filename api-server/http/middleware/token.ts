import type { Middleware } from 'koa'
import type { Content, Route } from '../../../core/rest/route.ts'
import { scopeOf } from '../../../core/rest/route.ts'
import type { Access } from '../../auth/access.ts'
import { requireScope } from '../../auth/access.ts'
import { pathPattern } from './not-found.ts'
import type { RequestState } from './state.ts'

/** Everything below /api/ needs a token but rows that are open; in any spelling, should a router be lenient about case. */
const API_PATH = /^\/+api(\/|$)/i
/** Begun and ended by our own pages only: a foreign one could log a person in as somebody else. */
const SESSION_PATH = '/api/session'

/** Finds out who asks; refuses those without a token where one is set, also from paths that do not exist. */
export function token(access: Access, routes: readonly Route[]): Middleware<RequestState> {
  const open = toMatcher(routes.filter(({ isOpen }) => isOpen))
  // EventSource cannot set headers.
  const takesQuery = toMatcher(routes.filter(({ responses }) => isStream(responses[200])))
  return (ctx, next) => {
    if (ctx.path === SESSION_PATH) access.checkOwnPage(ctx.req)
    const isOpen = !API_PATH.test(ctx.path) || open(ctx)
    const inQuery = takesQuery(ctx) ? new URLSearchParams(ctx.querystring).getAll('token') : []
    ctx.state.caller = isOpen ? access.identify(ctx.req) : access.authenticate(ctx.req, inQuery)
    return next()
  }
}

function isStream(content: Content | undefined): boolean {
  return content?.kind === 'eventStream'
}

/** Whether a request is for one of those rows. */
function toMatcher(rows: readonly Route[]): (request: { readonly method: string; readonly path: string }) => boolean {
  const patterns = rows.map(({ method, path }) => ({ method, pattern: pathPattern(path) }))
  return ({ method, path }) => {
    const asked = method === 'HEAD' ? 'GET' : method
    return patterns.some((row) => row.method === asked && row.pattern.test(path))
  }
}

/** Refuses a caller whose token is not good for the operation. */
export function scope(row: Route): Middleware<RequestState> {
  const needed = row.isOpen === true ? undefined : scopeOf(row)
  return (ctx, next) => {
    // What lies outside of /api/ is open as well.
    if (needed !== undefined && API_PATH.test(row.path)) requireScope(ctx.state.caller, needed)
    return next()
  }
}
