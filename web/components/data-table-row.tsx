import { type ReactNode, memo } from 'react'
import type { Column } from './data-table-column.ts'
import css from './data-table.module.css'

/** Where a line stands, in pixels from the first one. */
interface Place {
  readonly top: number
  readonly height: number
}

function toStyle(top: number, height: number) {
  return { height, transform: `translateY(${top}px)` }
}

interface GroupRowProps extends Place {
  readonly label: string
  readonly count: number
  readonly index: number
}

/** The head of a group, with the number of its rows. */
export function GroupRow({ label, count, index, top, height }: GroupRowProps) {
  return (
    <div role="row" aria-rowindex={index + 2} className={css['group']} style={toStyle(top, height)}>
      <div role="gridcell">
        {label} <span>{count}</span>
      </div>
    </div>
  )
}

interface DataTableRowProps extends Place {
  readonly id: string
  readonly name: string
  readonly index: number
  readonly cells: ReactNode
  /** Undefined: rows cannot be selected. */
  readonly isSelected: boolean | undefined
  /** True: the one row that the Tab key reaches. */
  readonly isCurrent: boolean
  readonly onSelect: (id: string, isRange: boolean) => void
  readonly onFocus: (id: string) => void
}

/** One row; rendered again only with news of its record. */
export const DataTableRow = memo(function DataTableRow(props: DataTableRowProps) {
  const { id, name, index, top, height, cells, isSelected, isCurrent, onSelect, onFocus } = props
  return (
    <div
      role="row"
      className={css['row']}
      style={toStyle(top, height)}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      data-row={id}
      onFocus={() => onFocus(id)}
    >
      {isSelected !== undefined && (
        <div role="gridcell" className={css['check']}>
          <label className={css['box']}>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Select ${name}`}
              checked={isSelected}
              onChange={({ nativeEvent }) => onSelect(id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
            />
          </label>
        </div>
      )}
      {cells}
    </div>
  )
})

/** Makes the cells of rows: once for each state of a record, so that a row can be told to be the same. */
export function createCells<R extends object>(columns: readonly Column<R>[]): (row: R) => ReactNode {
  const made = new WeakMap<R, ReactNode>()
  return (row) => {
    const cells = made.get(row) ?? columns.map((column) => toCell(column, row))
    made.set(row, cells)
    return cells
  }
}

function toCell<R>({ id, align, phone, cell }: Column<R>, row: R) {
  return (
    <div key={id} role="gridcell" className={css['cell']} data-align={align} data-phone={phone ?? 2}>
      {cell(row)}
    </div>
  )
}
