/** A few facts of many records, kept as long as they are the same: what shows names is not rendered for a new state. */

export type Facts = Readonly<Record<string, unknown>>

/** Collects facts of lists, one list after another; where no fact has changed it gives the list before. */
export function createFacts<R, F extends Facts>(factsOf: (record: R) => F): (records: readonly R[]) => readonly F[] {
  let previous: readonly F[] = []
  return (records) => {
    const facts = records.map(factsOf)
    const isSame = facts.length === previous.length && facts.every((fact, index) => isEqual(fact, previous[index]))
    if (!isSame) previous = facts
    return previous
  }
}

function isEqual(a: Facts, b: Facts | undefined): boolean {
  return b !== undefined && Object.keys(a).every((name) => a[name] === b[name])
}

/** How a record is named, for choices and columns. */
export function nameFacts({ id, name }: { readonly id: string; readonly name: string }) {
  return { id, name }
}

/** Gives the names of records by their ids; of one that is gone, its id. */
export function namesOf(records: readonly ReturnType<typeof nameFacts>[]): (id: string | undefined) => string {
  const names = new Map(records.map(({ id, name }) => [id, name]))
  return (id = '') => names.get(id) ?? id
}
