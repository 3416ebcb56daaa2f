/** The rows of all files; those of a file are made anew only when something about it has changed. */
import { placeOf } from '../../model/review.ts'
import { type FileView, type Row, fileRows } from './rows.ts'

export interface Rows {
  readonly rows: readonly Row[]
  /** Index in `rows` of each file's header. */
  readonly headers: readonly number[]
}

/** A function that keeps what it made last. */
export function createRowCache(): (views: readonly FileView[]) => Rows {
  const made: { readonly view: FileView; readonly rows: readonly Row[] }[] = []
  return (views) => {
    const rows: Row[] = []
    const headers: number[] = []
    for (const [index, view] of views.entries()) {
      const last = made[index]
      const own = last !== undefined && isSame(last.view, view) ? last : { view, rows: fileRows(view) }
      made[index] = own
      headers.push(rows.length)
      // Not by push(...): a file may have more rows than a call takes arguments.
      for (const row of own.rows) rows.push(row)
    }
    return { rows, headers }
  }
}

function isSame(a: FileView, b: FileView): boolean {
  return (
    a.file === b.file &&
    a.isFolded === b.isFolded &&
    a.isViewed === b.isViewed &&
    a.limit === b.limit &&
    a.layout === b.layout &&
    a.ignoresWhitespace === b.ignoresWhitespace &&
    (a.places === b.places || a.places.map(placeOf).join() === b.places.map(placeOf).join())
  )
}

/** Which file a row belongs to: the position of the last header at or before it. */
export function headerAt(headers: readonly number[], row: number): number {
  let [low, high] = [0, headers.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((headers[middle] ?? 0) <= row) low = middle
    else high = middle - 1
  }
  return low
}
