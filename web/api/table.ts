/**
 * The records of one kind as this page knows them, and the one way to put two states of knowledge together.
 *
 * {@link join} takes for each id what stands at the later position, whatever the order in which it is given. So messages
 * may come twice or out of order, and an answer may come behind a message that is newer than it. Nothing older ever takes
 * the place of something newer.
 */
import { type Position, comparePositions } from './position.ts'

/** One record at a position; without `record` it was deleted there. */
export interface Row<R> {
  readonly position: Position
  readonly record?: R
}

export interface Table<R> {
  /** The position of the latest whole list: what it did not hold and nothing later tells of does not exist. */
  readonly asOf: Position
  readonly rows: ReadonlyMap<string, Row<R>>
}

/** Before anything is known. */
export const NOTHING: Table<never> = { asOf: { message: -1, ask: 0 }, rows: new Map() }

/** A whole list as the server gave it. */
export function tableOf<R extends { readonly id: string }>(records: readonly R[], asOf: Position): Table<R> {
  return { asOf, rows: new Map(records.map((record) => [record.id, { position: asOf, record }])) }
}

/** What a few messages or answers tell, without a word about all other records. Later entries win over earlier ones. */
export function partOf<R>(entries: readonly (readonly [id: string, row: Row<R>])[]): Table<R> {
  const rows = new Map<string, Row<R>>()
  for (const [id, row] of entries) if (!isOlder(row, rows.get(id))) rows.set(id, row)
  return { asOf: NOTHING.asOf, rows }
}

/** What both tables together tell. Equal positions tell the same; then the second one is taken. */
export function join<R>(a: Table<R>, b: Table<R>): Table<R> {
  if (comparePositions(b.asOf, a.asOf) <= 0) return { asOf: a.asOf, rows: withRows(a, b) }
  return { asOf: b.asOf, rows: withRows(without(a, b), b) }
}

/** The rows of `a`, with those of `b` where they are newer and not known to be gone. `a` has the later whole list. */
function withRows<R>(a: Table<R>, b: Table<R>): Map<string, Row<R>> {
  const rows = new Map(a.rows)
  for (const [id, row] of b.rows) {
    const known = rows.get(id)
    const isGone = known === undefined && comparePositions(row.position, a.asOf) < 0
    if (!isGone && !isOlder(row, known)) rows.set(id, row)
  }
  return rows
}

/** The rows of `a` that the later list of `b` holds as well, or that are newer than that list. */
function without<R>(a: Table<R>, b: Table<R>): Table<R> {
  const kept = [...a.rows].filter(([id, { position }]) => comparePositions(position, b.asOf) > 0 || b.rows.has(id))
  return { asOf: b.asOf, rows: new Map(kept) }
}

function isOlder(row: Row<unknown>, known: Row<unknown> | undefined): boolean {
  return known !== undefined && comparePositions(row.position, known.position) < 0
}

const lists = new WeakMap<Table<unknown>, readonly unknown[]>()

/** The records that exist. The same table gives the same array, so that what is computed of it can be kept. */
export function recordsOf<R>(table: Table<R>): readonly R[]
export function recordsOf(table: Table<unknown>): readonly unknown[] {
  const known = lists.get(table)
  if (known !== undefined) return known
  const records = []
  for (const { record } of table.rows.values()) if (record !== undefined) records.push(record)
  lists.set(table, records)
  return records
}
