import type { Middleware } from 'koa'
import type { Access } from '../../auth/access.ts'
import type { RequestState } from './state.ts'

const METHODS = 'GET, HEAD, POST, PUT, DELETE, OPTIONS'
const REQUEST_HEADERS = 'Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, X-Request-Id'
const RESPONSE_HEADERS = 'ETag, Link, Location, Retry-After, Slipway-Error, Warning, X-Request-Id'

/** Cross-origin headers on every answer, and the answer to preflight requests (Fetch standard, CORS protocol). */
export function cors(access: Access): Middleware<RequestState> {
  return async (ctx, next) => {
    ctx.set('Access-Control-Allow-Origin', access.corsOrigin(ctx.req))
    ctx.set('Access-Control-Expose-Headers', RESPONSE_HEADERS)
    ctx.vary('Origin')
    if (ctx.method !== 'OPTIONS') return next()
    ctx.set('Access-Control-Allow-Methods', METHODS)
    ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS)
    ctx.set('Access-Control-Max-Age', '600')
    ctx.status = 204
    return undefined
  }
}

/** Refuses requests that come by a foreign host name or, while no token is set, from a foreign web page. */
export function origin(access: Access): Middleware<RequestState> {
  return (ctx, next) => {
    access.checkOrigin(ctx.req)
    return next()
  }
}
