import type { Middleware } from 'koa'
import { ERROR_HEADER } from '../../../core/errors.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/log.ts'
import { toApiError } from '../../refusal.ts'
import { drainingAnswer } from './drain-request.ts'
import type { RequestState } from './state.ts'

/** Turns whatever is thrown behind it into `{error}` with the status of its case; logs what is our own failure. */
export function errors(logger: Logger, clock: Clock): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const failure = toApiError(error)
      // A client that went away reads no answer, and its broken connection is no failure of ours.
      if (ctx.req.socket.destroyed) logger.debug({ error, requestId: ctx.state.requestId }, 'the client went away')
      else if (failure.status >= 500 && !failure.isOthers)
        logger.error({ error, requestId: ctx.state.requestId }, 'request failed')
      ctx.status = failure.status
      ctx.set({ ...failure.headers, [ERROR_HEADER]: failure.code })
      ctx.type = 'application/json'
      const text = JSON.stringify({ error: failure.message, ...failure.more })
      ctx.body = ctx.state.isRestUnwanted === true ? drainingAnswer(text, ctx.req, clock) : text
      ctx.length = Buffer.byteLength(text)
    }
  }
}
