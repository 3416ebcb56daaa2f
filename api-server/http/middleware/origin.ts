import type { Middleware } from 'koa'
import type { Access } from '../../auth/access.ts'
import type { RequestState } from './state.ts'

/** Refuses requests that come by a foreign host name or, while no token is set, from a foreign web page. */
export function origin(access: Access): Middleware<RequestState> {
  return (ctx, next) => {
    access.checkOrigin(ctx.req)
    return next()
  }
}
