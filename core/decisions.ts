/** How many decisions an object remembers. */
export const MAX_DECISIONS = 50

/** The decisions with one more at the end, the oldest beyond the limit dropped. */
export function rememberDecision<T>(before: readonly T[] | undefined, newest: T): T[] {
  return [...(before ?? []).slice(1 - MAX_DECISIONS), newest]
}
