import type { IncomingMessage } from 'node:http'
import type { Middleware } from 'koa'
import { apiError } from '../../../core/errors.ts'
import { requireOneHost } from '../../auth/access.ts'
import type { RequestState } from './state.ts'

const CONTINUE = /^100-continue$/i
/** With a scheme, so that the host stands in the target too (RFC 9112 §3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([^#]*)$/i

/** Refuses what HTTP/1.1 itself forbids and Node lets pass when it is told to leave the answer to us. */
export function httpRules(): Middleware<RequestState> {
  return ({ req }, next) => {
    requireOneHost(req)
    req.url = toOriginForm(req)
    const { host, expect } = req.headers
    if (req.httpVersion !== '1.1') return next()
    if (host === undefined) throw apiError('invalid_request', 'Host: is required in a request of HTTP/1.1')
    if (expect !== undefined && !CONTINUE.test(expect)) throw apiError('expectation_failed', expect)
    return next()
  }
}

/** The target without the host that a request to a proxy has in it. @throws ApiError `invalid_request` where that is not the one in Host */
function toOriginForm({ url = '', headers }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(url) ?? []
  if (authority === undefined) return url
  if (headers.host !== undefined && authority.toLowerCase() !== headers.host.toLowerCase())
    throw apiError('invalid_request', `Host: is ${headers.host}, but the target of the request is at ${authority}`)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** What RFC 9110 §4.1 asks servers to take at least. */
const MAX_URL_LENGTH = 8000
const MAX_HEADERS = 100

/** Refuses addresses and lists of headers that no client of ours sends. */
export function limits(): Middleware<RequestState> {
  return ({ req }, next) => {
    if ((req.url ?? '').length > MAX_URL_LENGTH) throw apiError('uri_too_long', MAX_URL_LENGTH)
    if (req.rawHeaders.length / 2 > MAX_HEADERS)
      throw apiError('headers_too_large', `more than ${MAX_HEADERS} header fields`)
    return next()
  }
}
