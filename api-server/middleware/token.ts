import type { Middleware } from 'koa'
import type { Route } from '../../core/rest/route.ts'
import { ROUTES } from '../../core/rest/routes.ts'
import type { Access } from '../access.ts'
import { bearerToken } from '../access.ts'
import type { RequestState } from './state.ts'

/** Everything below /api/ needs the token but what its row leaves open; in any spelling, should a router be lenient. */
const API_PATH = /^\/+api(\/|$)/i
const rows: readonly Route[] = ROUTES
const OPEN_PATHS = new Set(['/api/push/sw.js', ...rows.filter(({ isOpen }) => isOpen).map(({ path }) => path)])
/** EventSource cannot set headers. */
const TOKEN_IN_QUERY = /\/logs\/stream$/

/** Finds out who asks; refuses those without the token where one is set. */
export function token(access: Access): Middleware<RequestState> {
  return (ctx, next) => {
    if (API_PATH.test(ctx.path) && !OPEN_PATHS.has(ctx.path)) {
      const inQuery = TOKEN_IN_QUERY.test(ctx.path) ? new URLSearchParams(ctx.querystring).getAll('token') : []
      ctx.state.caller = access.authenticate([...bearerToken(ctx.req), ...inQuery])
    }
    return next()
  }
}
