/** What an execution says of work that is not on its branch. */
interface Undelivered {
  readonly undelivered?: readonly { readonly path: string; readonly reason: string }[] | undefined
  readonly undeliveredCount?: number | undefined
}

/** What of an execution's work is not on its branch, in words. */
export interface UndeliveredWords {
  readonly title: string
  /** A path and why each, and last how many more there are. */
  readonly lines: readonly string[]
}

/** How many an Event or a line names. */
const NAMED = 5

/** @returns undefined where all of the work is on the branch */
export function describeUndelivered(status: Undelivered | undefined, named = Infinity): UndeliveredWords | undefined {
  const { undelivered = [], undeliveredCount = undelivered.length } = status ?? {}
  if (undeliveredCount === 0) return undefined
  const shown = undelivered.slice(0, named).map(({ path, reason }) => `${path}: ${reason}`)
  const rest = undeliveredCount - shown.length
  return { title: 'not delivered, and kept in the clone', lines: [...shown, ...(rest > 0 ? [`${rest} more`] : [])] }
}

/** The same in one line. */
export function formatUndelivered(status: Undelivered | undefined): string | undefined {
  const words = describeUndelivered(status, NAMED)
  return words && `${words.title}: ${words.lines.join(' · ')}`
}
