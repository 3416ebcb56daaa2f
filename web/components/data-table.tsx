import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import {
  type RowGroup,
  type Sort,
  comparisonOf,
  selectRange,
  shapeOf,
  toggleRow,
  toLines,
} from '../model/table-rows.ts'
import type { Column, Selection } from './data-table-column.ts'
import { DataTableHead } from './data-table-head.tsx'
import { createCells, DataTableRow, GroupRow } from './data-table-row.tsx'
import css from './data-table.module.css'
import { useNarrow } from './use-narrow.ts'
import { useRowKeys } from './use-row-keys.ts'

interface DataTableProps<R> {
  readonly label: string
  readonly columns: readonly Column<R>[]
  /** One group without a label for a plain table. */
  readonly groups: readonly RowGroup<R>[]
  readonly idOf: (row: R) => string
  readonly nameOf: (row: R) => string
  readonly sort?: Sort | undefined
  readonly onSort?: (sort: Sort | undefined) => void
  /** Left out: nothing can be selected. */
  readonly selection?: Selection | undefined
}

const HEIGHTS = { wide: { row: 34, group: 34, head: 32 }, narrow: { row: 78, group: 36, head: 44 } }

/**
 * A dense table of up to some thousand rows, of which it draws those that are seen. Keys: j, k and the arrows go from
 * row to row, x selects, Shift+x selects the rows in between, Enter opens the row's link. On a phone a name has
 * two lines, and what else a row says has one. Stays as high as its place and scrolls by itself.
 */
export function DataTable<R extends object>(props: DataTableProps<R>) {
  const { label, columns, groups, idOf, nameOf, sort, onSort, selection } = props
  const scroller = useRef<HTMLDivElement>(null)
  const heights = useNarrow() ? HEIGHTS.narrow : HEIGHTS.wide
  const lines = useMemo(() => toLines(groups, idOf, comparisonOf(columns, sort)), [groups, idOf, columns, sort])
  const order = useMemo(() => lines.filter(({ kind }) => kind === 'row').map(({ id }) => id), [lines])
  const cellsOf = useMemo(() => createCells(columns), [columns])
  const anchor = useRef<string>(undefined)
  const select = (id: string, isRange: boolean): void => {
    if (selection === undefined) return
    const { ids, onChange } = selection
    onChange(isRange ? selectRange(ids, order, anchor.current, id) : toggleRow(ids, id))
    anchor.current = id
  }
  // The same function for every row and every state of the list, or each would be rendered with the news of any other.
  const latest = useRef(select)
  useLayoutEffect(() => {
    latest.current = select
  })
  const onSelect = useCallback((id: string, isRange: boolean) => latest.current(id, isRange), [])
  const keys = useRowKeys({ order, scroller, onSelect })
  const currentLine = lines.findIndex((line) => line.kind === 'row' && line.id === keys.current)
  // With another function every place is worked out anew, so only where a head has another place or the rows another height.
  const shape = `${heights.row} ${shapeOf(groups)}`
  const getItemKey = useMemo(() => (index: number) => `${shape} ${index}`, [shape])
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'group' ? heights.group : heights.row),
    getItemKey,
    overscan: 8,
    // Rows are put below the head, which sticks.
    scrollMargin: heights.head,
    scrollPaddingStart: heights.head,
    // The row that has the focus stays, or the focus would be lost with it.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range)
      return currentLine === -1 || seen.includes(currentLine) ? seen : [...seen, currentLine].sort((a, b) => a - b)
    },
  })
  const template = [...(selection === undefined ? [] : ['32px']), ...columns.map(({ width }) => width)].join(' ')
  const style: CSSProperties & { '--columns': string } = { '--columns': template }
  return (
    <div
      ref={scroller}
      className={css['table']}
      role="grid"
      aria-label={label}
      aria-rowcount={lines.length + 1}
      aria-multiselectable={selection === undefined ? undefined : true}
      style={style}
    >
      <DataTableHead columns={columns} sort={sort} onSort={onSort} selection={selection} order={order} />
      <div role="rowgroup" className={css['rows']} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const line = lines[index]
          if (line === undefined) return null
          const key = `${line.kind} ${line.id}`
          const place = { top: start - heights.head, height: size }
          if (line.kind === 'group') return <GroupRow key={key} {...line} {...place} index={index} />
          return (
            <DataTableRow
              key={key}
              id={line.id}
              name={nameOf(line.row)}
              index={index}
              {...place}
              cells={cellsOf(line.row)}
              isSelected={selection?.ids.has(line.id)}
              isCurrent={keys.current === line.id || (keys.current === undefined && order[0] === line.id)}
              onSelect={onSelect}
              onFocus={keys.setCurrent}
            />
          )
        })}
      </div>
    </div>
  )
}
