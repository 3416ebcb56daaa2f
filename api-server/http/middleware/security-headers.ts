import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
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
        manifestSrc: ["'self'"],
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
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value)
    return next()
  }
}

/** They are the same for every answer, so they are asked for once: asking took a tenth of a small answer's time. */
function headersOf(options: Parameters<typeof helmet>[0]): [string, string][] {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(options)(response.req, response, () => undefined)
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)])
}

/** For files that agents and people put here: shown on their own, they may load nothing and run nothing. */
export const UNTRUSTED_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
