/** What an execution says of work that is not on its branch. */
interface Undelivered {
  readonly undelivered?: readonly { readonly path: string; readonly reason: string }[]
  readonly undeliveredCount?: number
}

/** How many an Event or a line names. */
const NAMED = 5

/** One line that says what of an execution's work is not on its branch; undefined: all of it is. */
export function formatUndelivered(status: Undelivered | undefined): string | undefined {
  const { undelivered = [], undeliveredCount = undelivered.length } = status ?? {}
  if (undeliveredCount === 0) return undefined
  const named = undelivered.slice(0, NAMED).map(({ path, reason }) => `${path}: ${reason}`)
  const rest = undeliveredCount - named.length
  const more = rest > 0 ? [`${rest} more`] : []
  return `not delivered, and kept in the clone: ${[...named, ...more].join(' · ')}`
}
