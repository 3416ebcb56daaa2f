import type { Middleware } from 'koa'
import type { Access } from '../access.ts'
import { bearerToken } from '../access.ts'
import type { RequestState } from './state.ts'

/** Everything below /api/ needs the token but this; in any spelling, should a router be lenient about case. */
const API_PATH = /^\/+api(\/|$)/i
const EXEMPT: readonly string[] = ['/api/push/sw.js']
/** EventSource cannot set headers. */
const TOKEN_IN_QUERY = /\/logs\/stream$/

/** Finds out who asks; refuses those without the token where one is set. */
export function token(access: Access): Middleware<RequestState> {
  return (ctx, next) => {
    if (API_PATH.test(ctx.path) && !EXEMPT.includes(ctx.path)) {
      const inQuery = TOKEN_IN_QUERY.test(ctx.path) ? new URLSearchParams(ctx.querystring).getAll('token') : []
      ctx.state.caller = access.authenticate([...bearerToken(ctx.req), ...inQuery])
    }
    return next()
  }
}
