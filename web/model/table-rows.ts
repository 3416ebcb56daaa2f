/** The rows of a table in their order, with the heads of their groups between them, and which of them are selected: pure. */

/** By which column a table is ordered, and in which direction. */
export interface Sort {
  readonly column: string
  readonly isDescending: boolean
}

/** Rows under one head; a group without a label has no head. */
export interface RowGroup<R> {
  readonly id: string
  readonly label?: string
  readonly rows: readonly R[]
}

/** A line of a table. */
export type TableLine<R> =
  | { readonly kind: 'group'; readonly id: string; readonly label: string; readonly count: number }
  | { readonly kind: 'row'; readonly id: string; readonly row: R }

/** What a press on a column's head leads to: ascending, then descending, then the order that the list has by itself. */
export function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, isDescending: false }
  return sort.isDescending ? undefined : { column, isDescending: true }
}

/** The lines of all groups, top to bottom; groups without rows have none. @param compare left out: rows stay as they are */
export function toLines<R>(
  groups: readonly RowGroup<R>[],
  idOf: (row: R) => string,
  compare?: (a: R, b: R) => number,
): readonly TableLine<R>[] {
  return groups.flatMap(({ id, label, rows }): TableLine<R>[] => {
    if (rows.length === 0) return []
    const sorted = compare === undefined ? rows : rows.toSorted(compare)
    const lines = sorted.map((row): TableLine<R> => ({ kind: 'row', id: idOf(row), row }))
    return label === undefined ? lines : [{ kind: 'group', id, label, count: rows.length }, ...lines]
  })
}

/** At which lines the heads stand: lists of the same shape have the same places, whatever their rows say. */
export function shapeOf(groups: readonly RowGroup<unknown>[]): string {
  return groups.map(({ label, rows }) => `${label === undefined ? '' : 'head '}${rows.length}`).join(', ')
}

/** The comparison of a sort; rows that are equal in it stay as they are. */
export function comparisonOf<R>(
  columns: readonly { readonly id: string; readonly compare?: ((a: R, b: R) => number) | undefined }[],
  sort: Sort | undefined,
): ((a: R, b: R) => number) | undefined {
  const compare = columns.find(({ id }) => id === sort?.column)?.compare
  if (compare === undefined) return undefined
  return sort?.isDescending === true ? (a, b) => compare(b, a) : compare
}

/** The selection with one row more or less. */
export function toggleRow(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** The selection with all rows from one to another, both included, as they stand; without the first: with the last alone. */
export function selectRange(
  selected: ReadonlySet<string>,
  order: readonly string[],
  from: string | undefined,
  to: string,
): ReadonlySet<string> {
  const [start, end] = [from === undefined ? -1 : order.indexOf(from), order.indexOf(to)]
  if (end === -1) return selected
  const first = start === -1 ? end : Math.min(start, end)
  return new Set([...selected, ...order.slice(first, Math.max(start, end) + 1)])
}
