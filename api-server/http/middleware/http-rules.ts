import type { Middleware } from 'koa'
import { ExpectationFailed, InvalidRequest } from '../../../core/errors.ts'
import type { RequestState } from './state.ts'

const CONTINUE = /^100-continue$/i

/** Refuses what HTTP/1.1 itself forbids and Node lets pass when it is told to leave the answer to us. */
export function httpRules(): Middleware<RequestState> {
  return ({ req }, next) => {
    const { host, expect } = req.headers
    if (req.httpVersion !== '1.1') return next()
    // RFC 9112 §3.2; an empty one is judged with the names that this server answers to.
    if (host === undefined) throw new InvalidRequest('Host: is required in a request of HTTP/1.1')
    if (expect !== undefined && !CONTINUE.test(expect)) throw new ExpectationFailed(expect)
    return next()
  }
}
