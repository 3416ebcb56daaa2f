/** One decision about many records: who allows it, and what became of each. Pure. */

/** What became of one record of a bulk decision, in the server's words where it refused. */
export interface BulkOutcome {
  readonly id: string
  readonly name: string
  readonly isDone: boolean
  readonly message: string
}

/** A bulk decision that goes on or has ended. */
export interface BulkRun {
  /** What is done, as on its button: `Accept`. */
  readonly label: string
  readonly total: number
  /** The outcomes so far, in the order of their ending. */
  readonly outcomes: readonly BulkOutcome[]
}

/** What is decided about each of the records. */
export type BulkDecision<A extends string> =
  { readonly action: A } | { readonly action: 'priority'; readonly priority: number }

/** What a bulk decision came to, in one line: `Accept: 12 done, 2 refused`. */
export function bulkWords({ label, total, outcomes }: BulkRun): string {
  const refused = outcomes.filter(({ isDone }) => !isDone).length
  const done = outcomes.length - refused
  const parts = [done > 0 && `${done} done`, refused > 0 && `${refused} refused`].filter((part) => part !== false)
  if (outcomes.length < total) return `${label}: ${outcomes.length} of ${total}…`
  return `${label}: ${parts.join(', ')}`
}
