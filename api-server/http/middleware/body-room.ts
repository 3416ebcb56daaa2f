import { apiError } from '../../../core/errors.ts'

/**
 * Memory for bodies that are still arriving, shared by all requests. Each has a limit of its own, but connections are
 * thousands, and who sends a login or a webhook is known only once its body is whole.
 */
export interface BodyRoom {
  /** Takes room for bytes that have come. @throws ApiError `unavailable` when others have taken it all */
  take(sizeBytes: number): void
  /** Gives room back. */
  give(sizeBytes: number): void
}

export function createBodyRoom(maxBytes: number): BodyRoom {
  let takenBytes = 0
  return {
    take(sizeBytes) {
      if (takenBytes + sizeBytes > maxBytes) throw apiError('unavailable', 'too many bodies are being sent; try again')
      takenBytes += sizeBytes
    },
    give(sizeBytes) {
      takenBytes -= sizeBytes
    },
  }
}
