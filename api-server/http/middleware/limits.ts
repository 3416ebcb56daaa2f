import type { Middleware } from 'koa'
import { apiError } from '../../../core/errors.ts'
import type { RequestState } from './state.ts'

/** What RFC 9110 §4.1 asks servers to take at least. */
export const MAX_URL_LENGTH = 8000
export const MAX_HEADERS = 100

/** Refuses addresses and lists of headers that no client of ours sends. */
export function limits(): Middleware<RequestState> {
  return ({ req }, next) => {
    if ((req.url ?? '').length > MAX_URL_LENGTH) throw apiError('uri_too_long', MAX_URL_LENGTH)
    if (req.rawHeaders.length / 2 > MAX_HEADERS)
      throw apiError('headers_too_large', `more than ${MAX_HEADERS} header fields`)
    return next()
  }
}
