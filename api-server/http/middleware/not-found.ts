import type { Middleware } from 'koa'
import { apiError } from '../../../core/errors.ts'
import type { Route } from '../../../core/rest/route.ts'
import type { RequestState } from './state.ts'

/**
 * Refuses what no route took: an unknown path, or a known one with another method. Worked out of the route table, so
 * that `Allow` lists exactly what the path offers.
 */
export function notFound(routes: readonly Route[]): Middleware<RequestState> {
  const patterns = routes.map(({ method, path }) => ({ method, pattern: pathPattern(path) }))
  return ({ method, path }) => {
    const offered = new Set<string>(patterns.filter(({ pattern }) => pattern.test(path)).map((route) => route.method))
    if (offered.size === 0) throw apiError('route_not_found', path)
    const implied = offered.has('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS']
    throw apiError('method_not_allowed', method, [...offered, ...implied])
  }
}

/** Matches exactly the paths that a row's path stands for, a parameter being one segment. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
}
