import type { ApiError } from './errors.ts'

/**
 * What becomes of a person's decision: what is to be written (`Writes`) and the contract's words for it, or the refusal,
 * which REST answers and an annotation leaves as an Event.
 */
export type DecisionOutcome<Writes> =
  | ({ readonly kind: 'allowed'; readonly message: string } & Writes)
  | { readonly kind: 'refused'; readonly error: ApiError }

/** Who decided by an annotation, where nothing proves who annotated. */
export const ANNOTATOR = 'kubectl (annotation)'

/** How many decisions an object remembers. */
export const MAX_DECISIONS = 50

/** The decisions with one more at the end, the oldest beyond the limit dropped. */
export function rememberDecision<T>(before: readonly T[] | undefined, newest: T): T[] {
  return [...(before ?? []).slice(1 - MAX_DECISIONS), newest]
}
