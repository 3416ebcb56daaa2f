import type { ApiError } from './errors.ts'

/**
 * What becomes of a person's decision: what is to be written (`Writes`) and the contract's words for it, or the refusal,
 * which REST answers and an annotation leaves as an Event.
 */
export type DecisionOutcome<Writes> =
  | ({ readonly kind: 'allowed'; readonly message: string } & Writes)
  | { readonly kind: 'refused'; readonly error: ApiError }

/** A decision that is refused. */
export function refuse(error: ApiError): { readonly kind: 'refused'; readonly error: ApiError } {
  return { kind: 'refused', error }
}

/** Who decided by an annotation, where nothing proves who annotated. */
export const ANNOTATOR = 'kubectl (annotation)'

/** What to know while an installation that asks for the admission policies is without them. */
export const POLICIES_MISSING = `the admission policies of this namespace are not in force, so nothing proves who decides by annotation: such decisions are recorded as ${ANNOTATOR}. helm upgrade makes the policies again`

/** The same where only that policy is gone. */
export const EDITS_MISSING =
  'the admission policy edits of this namespace is not in force, so whoever may decide by annotation may change all of the object. helm upgrade makes it again'

/** Names of decisions that may be anybody's; the empty one is nobody's. */
export const UNPROVEN_NAMES: readonly string[] = ['', 'api', 'anonymous', ANNOTATOR]

/** The limit of names in statuses. A longer one is cut and ends in a hash. */
export const MAX_NAME_LENGTH = 200
/** How much of such a name is left before the hash. */
export const KEPT_OF_LONG_NAME = 183

/** How many decisions an object remembers. */
export const MAX_DECISIONS = 50

/** The decisions with one more at the end, the oldest beyond the limit dropped. */
export function rememberDecision<T>(before: readonly T[] | undefined, newest: T): T[] {
  return [...(before ?? []).slice(1 - MAX_DECISIONS), newest]
}
