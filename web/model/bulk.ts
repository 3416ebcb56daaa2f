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
  /** Of those that have ended, in the order of their ending. */
  readonly outcomes: readonly BulkOutcome[]
}

/** How many of the records allow each action. */
export function countAllowed<A extends string>(
  records: readonly { readonly actions: readonly string[] }[],
  actions: readonly A[],
): ReadonlyMap<A, number> {
  return new Map(actions.map((action) => [action, records.filter((record) => record.actions.includes(action)).length]))
}

/** What a bulk decision came to, in one line: `Accept: 12 done, 2 refused`. */
export function bulkWords({ label, total, outcomes }: BulkRun): string {
  const refused = outcomes.filter(({ isDone }) => !isDone).length
  const done = outcomes.length - refused
  const parts = [done > 0 && `${done} done`, refused > 0 && `${refused} refused`].filter((part) => part !== false)
  if (outcomes.length < total) return `${label}: ${outcomes.length} of ${total}…`
  return `${label}: ${parts.join(', ')}`
}
