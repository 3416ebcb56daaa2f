import type { Middleware } from 'koa'
import { apiError } from '../../../core/errors.ts'
import type { RequestState } from './state.ts'

/** Paths that tell something before the caches are filled. */
const ALWAYS: readonly string[] = ['/healthz', '/readyz', '/api/version']

/** Refuses requests until the caches are filled: a list with half the tasks would be a wrong answer, not a slow one. */
export function ready(isReady: () => boolean): Middleware<RequestState> {
  return (ctx, next) => {
    if (!isReady() && !ALWAYS.includes(ctx.path)) {
      ctx.set('Retry-After', '1')
      throw apiError('unavailable', 'the server is starting: its caches are still being filled')
    }
    return next()
  }
}
