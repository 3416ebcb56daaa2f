import type { Middleware } from 'koa'
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
export function token(access: Access, routes: readonly Route[]): Middleware<RequestState> {
  const open = new Set(routes.filter(({ isOpen }) => isOpen).map(({ method, path }) => `${method} ${path}`))
  // EventSource cannot set headers.
  const streams = routes.filter(({ responses }) => Object.values(responses).some(({ kind }) => kind === 'eventStream'))
  const streamPaths = streams.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
  return (ctx, next) => {
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    if (ctx.path === SESSION_PATH) access.checkOwnPage(ctx.req)
    const isOpen = !API_PATH.test(ctx.path) || open.has(`${method} ${ctx.path}`)
    const isStream = streamPaths.some((path) => path.test(ctx.path))
    const inQuery = isStream ? new URLSearchParams(ctx.querystring).getAll('token') : []
    ctx.state.caller = isOpen ? access.identify(ctx.req) : access.authenticate(ctx.req, inQuery)
    return next()
  }
}

/** Refuses a caller whose token is not good for the operation. */
export function scope(row: Route): Middleware<RequestState> {
  const needed = row.isOpen === true ? undefined : scopeOf(row)
  return (ctx, next) => {
    // What lies outside of /api/ is open as well.
    if (needed !== undefined && API_PATH.test(row.path)) demandScope(ctx.state.caller, needed)
    return next()
  }
}
