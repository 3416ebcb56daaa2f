import type { Middleware } from 'koa'
import type { Content, Route } from '../../../core/rest/route.ts'
import type { AnyRoute, OperationId } from '../../../core/rest/routes.ts'
import type { Access } from '../../auth/access.ts'
import type { Authorization } from '../../auth/authorization.ts'
import { API_PATH } from '../../auth/return-path.ts'
import { pathPattern } from './not-found.ts'
import type { RequestState } from './state.ts'

/** Begun and ended by our own pages only: a foreign one could log a person in as somebody else. */
const SESSION_PATH = '/api/session'

/** Finds out who asks; refuses those without a token where one is set, also from paths that do not exist. */
export function token(access: Access, routes: readonly Route[]): Middleware<RequestState> {
  const open = toMatcher(routes.filter(({ isOpen }) => isOpen))
  // EventSource cannot set headers.
  const takesQuery = toMatcher(routes.filter(({ responses }) => isStream(responses[200])))
  return async (ctx, next) => {
    if (ctx.path === SESSION_PATH) access.checkOwnPage(ctx.req)
    const isOpen = !API_PATH.test(ctx.path) || open(ctx)
    const inQuery =
      ctx.querystring !== '' && takesQuery(ctx) ? new URLSearchParams(ctx.querystring).getAll('token') : []
    ctx.state.caller = isOpen ? await access.identify(ctx.req) : await access.authenticate(ctx.req, { inQuery })
    await next()
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

/** Refuses a caller who may not do that. What lies outside of /api/ is open as well. */
export function admission(authorization: Authorization, row: AnyRoute): Middleware<RequestState> {
  const { id, path, isOpen }: Route<OperationId> = row
  if (isOpen === true || !API_PATH.test(path)) return (_, next) => next()
  return async (ctx, next) => {
    ctx.state.caller = await authorization.admit(ctx.state.caller, id)
    await next()
  }
}
