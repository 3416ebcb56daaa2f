import { ApiFailure } from '../../core/rest/client/call.ts'

/** What the server answers; undefined where it has no such record, or no more. */
export async function ifFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined
    throw error
  }
}
