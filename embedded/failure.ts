import { SchemaError } from './schema/errors.ts'
import { ApiError, internalError } from './status.ts'
import { StoreUnwritable } from './storage/backend.ts'

/** The answer that an error means to a client; `report` is told of what nobody foresaw. */
export function toApiError(error: unknown, report: (error: unknown) => void): ApiError {
  if (error instanceof ApiError) return error
  // That the store takes no writes is logged once, by the store.
  if (!(error instanceof StoreUnwritable)) report(error)
  if (error instanceof StoreUnwritable && error.isFull) return new ApiError(507, 'InsufficientStorage', error.message)
  // A kind that an earlier version took, with what is not served any more.
  if (error instanceof SchemaError) return new ApiError(422, 'Invalid', error.message)
  return internalError(error instanceof Error ? error.message : 'internal error')
}
