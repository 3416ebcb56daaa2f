import { ApiError, apiError } from '../core/errors.ts'
import { inRestNames } from '../core/rest/refusal.ts'
import { AnswerLost, RequestTimedOut } from '../kube/unanswered.ts'
import { isInvalid } from '../kube/types.ts'

/**
 * The refusal that an error means to a caller. What the control plane's schema refuses is the caller's mistake;
 * anything else from there is a storage failure with its own text (specification §11.3).
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isInvalid(error)) return apiError('invalid_request', inRestNames(error.message)).causedBy(error)
  if ((error instanceof RequestTimedOut && error.isWrite) || error instanceof AnswerLost)
    return apiError('outcome_unknown').causedBy(error)
  const cause = error instanceof Error ? error : new Error(String(error))
  return apiError('storage_failed', cause).causedBy(cause)
}
