import { ArrowDown, ArrowUp } from 'lucide-react'
import { type Sort, nextSort } from '../model/table-rows.ts'
import type { Column, Selection } from './data-table-column.ts'
import css from './data-table.module.css'

interface DataTableHeadProps<R> {
  readonly columns: readonly Column<R>[]
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort | undefined) => void) | undefined
  readonly selection: Selection | undefined
  /** The ids of all rows. */
  readonly order: readonly string[]
}

/** The names of the columns; a press on one sorts by it. */
export function DataTableHead<R>({ columns, sort, onSort, selection, order }: DataTableHeadProps<R>) {
  return (
    <div role="rowgroup" className={css['head']}>
      <div role="row" aria-rowindex={1} className={css['headRow']}>
        {selection !== undefined && (
          <div role="columnheader" aria-label="Selection" className={css['check']}>
            <SelectAll selection={selection} order={order} />
          </div>
        )}
        {columns.map((column) => {
          const { id, label, align, compare } = column
          const direction = sort?.column !== id ? undefined : sort.isDescending ? 'descending' : 'ascending'
          const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
          return (
            <div
              key={id}
              role="columnheader"
              aria-sort={direction}
              className={css['title']}
              data-align={align}
              data-phone={compare === undefined ? 'hidden' : undefined}
            >
              {compare === undefined || onSort === undefined ? (
                label
              ) : (
                <button onClick={() => onSort(nextSort(sort, id))}>
                  {label}
                  {direction !== undefined && <Arrow size={12} aria-hidden />}
                </button>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function SelectAll({ selection: { ids, onChange }, order }: { selection: Selection; order: readonly string[] }) {
  const chosen = ids.size === 0 ? 0 : order.filter((id) => ids.has(id)).length
  return (
    <label className={css['box']}>
      <input
        type="checkbox"
        aria-label="Select all rows"
        ref={(input) => {
          if (input !== null) input.indeterminate = chosen > 0 && chosen < order.length
        }}
        checked={order.length > 0 && chosen === order.length}
        onChange={() => onChange(new Set(chosen === order.length ? [] : order))}
      />
    </label>
  )
}
