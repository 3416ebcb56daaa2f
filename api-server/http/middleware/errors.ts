import type { Middleware } from 'koa'
import { ApiError, ERROR_HEADER, apiError } from '../../../core/errors.ts'
import { inRestNames } from '../../../core/rest/refusal.ts'
import { AnswerLost, RequestTimedOut } from '../../../kube/transport.ts'
import { KubeError } from '../../../kube/types.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/log.ts'
import { lingering } from './linger.ts'
import type { RequestState } from './state.ts'

/** Turns whatever is thrown behind it into `{error}` with the status of its case; logs what is our own failure. */
export function errors(logger: Logger, clock: Clock): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const failure = toApiError(error)
      if (failure.status >= 500 && !failure.isOthers)
        logger.error({ error, requestId: ctx.state.requestId }, 'request failed')
      ctx.status = failure.status
      ctx.set({ ...failure.headers, [ERROR_HEADER]: failure.code })
      ctx.type = 'application/json'
      const text = JSON.stringify({ error: failure.message })
      ctx.body = ctx.state.isRestUnwanted === true ? lingering(text, ctx.req, clock) : text
      ctx.length = Buffer.byteLength(text)
    }
  }
}

/**
 * The refusal that an error means to a caller. What the control plane's schema refuses is the caller's mistake;
 * anything else from there is a storage failure with its own text (specification §11.3).
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof KubeError && error.reason === 'Invalid')
    return apiError('invalid_request', inRestNames(error.message)).causedBy(error)
  if ((error instanceof RequestTimedOut && error.isWrite) || error instanceof AnswerLost)
    return apiError('outcome_unknown').causedBy(error)
  const cause = error instanceof Error ? error : new Error(String(error))
  return apiError('storage_failed', cause).causedBy(cause)
}
