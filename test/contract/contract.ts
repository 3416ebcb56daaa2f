/** Tests named after the statements of the contract; rows.yaml lists them. */
import { join } from 'node:path'
import { readRows } from './rows.ts'

const ROWS = new Set(
  readRows(join(import.meta.dirname, '..', '..', '..', 'test', 'contract', 'rows.yaml')).map(({ id }) => id),
)

/**
 * A test that proves a row. Id and title are written out, so that rows.ts finds them in the source.
 *
 * @throws Error for a row that rows.yaml does not have
 */
export function row(id: string, title: string, proof: () => Promise<void>): void {
  if (!ROWS.has(id)) throw new Error(`no row is called ${id}`)
  it(`${id}: ${title}`, proof)
}
