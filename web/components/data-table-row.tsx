import type { Column } from './data-table-column.ts'
import css from './data-table.module.css'

/** Where a line stands, in pixels from the first one. */
interface Place {
  readonly top: number
  readonly height: number
}

function toStyle({ top, height }: Place) {
  return { height, transform: `translateY(${top}px)` }
}

interface GroupRowProps {
  readonly label: string
  readonly count: number
  readonly index: number
  readonly place: Place
}

/** The head of a group, with the number of its rows. */
export function GroupRow({ label, count, index, place }: GroupRowProps) {
  return (
    <div role="row" aria-rowindex={index + 2} className={css['group']} style={toStyle(place)}>
      <div role="gridcell">
        {label} <span>{count}</span>
      </div>
    </div>
  )
}

interface DataTableRowProps<R> {
  readonly id: string
  readonly row: R
  readonly name: string
  readonly index: number
  readonly place: Place
  readonly columns: readonly Column<R>[]
  /** Undefined: rows cannot be selected. */
  readonly isSelected: boolean | undefined
  /** True: the one row that the Tab key reaches. */
  readonly isCurrent: boolean
  readonly onSelect: (id: string, isRange: boolean) => void
  readonly onFocus: (id: string) => void
}

export function DataTableRow<R>(props: DataTableRowProps<R>) {
  const { id, row, name, index, place, columns, isSelected, isCurrent, onSelect, onFocus } = props
  return (
    <div
      role="row"
      className={css['row']}
      style={toStyle(place)}
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
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={css['cell']}
          data-align={column.align}
          data-phone={column.phone ?? 2}
        >
          {column.cell(row)}
        </div>
      ))}
    </div>
  )
}
