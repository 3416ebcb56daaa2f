import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { HelmetOptions } from 'helmet'
import helmet from 'helmet'
import type { Middleware } from 'koa'
import type { RequestState } from './state.ts'

/**
 * Headers that keep browsers from doing with our answers what they are not for. Scripts come from here alone; styles
 * may be inline, which the browser UI's and the API page's libraries need. `connect-src` names the WebSocket's scheme,
 * because not every browser counts it as 'self'.
 *
 * Cross-Origin-Resource-Policy stops pages that embed an answer unasked; those that ask by CORS are not judged by it
 * (Fetch standard, 3.6), so allowed origins go on reading.
 *
 * @param publicUrl only behind https may browsers be told to use nothing else
 */
export function securityHeaders(publicUrl: string | undefined): Middleware<RequestState> {
  const isHttps = publicUrl?.startsWith('https:') === true
  const socket = publicUrl === undefined ? [] : [new URL(publicUrl).origin.replace(/^http/, 'ws')]
  const headers = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...socket],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps && { maxAge: 180 * 24 * 3600 },
    xFrameOptions: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  })
  return ({ res }, next) => {
    for (const [name, value] of headers) res.setHeader(name, value)
    return next()
  }
}

/** What helmet says is the same for every answer, so it is asked once. */
function headersOf(options: HelmetOptions): readonly [string, string][] {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(options)(request, response, () => undefined)
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))])
}

/** For files that agents and people put here: shown on their own, they may load nothing and run nothing. */
export const UNTRUSTED_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
