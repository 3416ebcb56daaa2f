/** What of an execution's work is not on its branch, in words. */
export interface UndeliveredWords {
  readonly title: string
  /** A path and why each, and last how many more there are. */
  readonly lines: readonly string[]
}

/** How many an Event or a line names. */
const NAMED = 5

/** @returns undefined where all of the work is on the branch */
export function describeUndelivered(
  found: readonly { readonly path: string; readonly reason: string }[] = [],
  count = found.length,
  named = Infinity,
): UndeliveredWords | undefined {
  if (count === 0) return undefined
  const shown = found.slice(0, named).map(({ path, reason }) => `${path}: ${reason}`)
  const rest = count - shown.length
  return { title: 'not delivered, and kept in the clone', lines: [...shown, ...(rest > 0 ? [`${rest} more`] : [])] }
}

/** The same in one line. */
export function formatUndelivered(...found: Parameters<typeof describeUndelivered>): string | undefined {
  const words = describeUndelivered(found[0], found[1], NAMED)
  return words && `${words.title}: ${words.lines.join(' · ')}`
}
