import { type VirtualItem, defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type Ref, type RefObject, useLayoutEffect, useRef, useEffect } from 'react'
import type { LineComment } from '../../model/review.ts'
import css from './diff-list.module.css'
import { DiffRow } from './diff-row.tsx'
import { headerAt } from './row-cache.ts'
import { estimateHeight, longestLine } from './row-heights.ts'
import type { Layout } from './rows.ts'
import { type DiffListHandle, useDiffCursor } from './use-diff-cursor.ts'
import type { DiffModel } from './use-diff-model.ts'
import { useWidth } from './use-width.ts'

interface DiffListProps {
  readonly model: DiffModel
  readonly comments: readonly LineComment[]
  readonly onComment: (comment: LineComment) => void
  readonly isReadOnly: boolean
  readonly handle: Ref<DiffListHandle>
}

/** Rows beyond what is seen, so that fast scrolling finds them drawn. */
const OVERSCAN = 15
/** Width of a character of code, and of the numbers and signs beside it: for estimates, in pixels. */
const [CHARACTER, NUMBERS] = [7.23, 130]

/** All files and their lines in one list, of which only what is seen is drawn; by its width the heights are estimated. */
export function DiffList(props: DiffListProps) {
  const { layout, preferences } = props.model
  const [frame, width] = useWidth()
  return (
    <div ref={frame} className={css['frame']} data-wraps={preferences.wraps || undefined}>
      {width !== undefined && <Lines {...props} columns={preferences.wraps ? columnsOf(width, layout) : undefined} />}
    </div>
  )
}

interface LinesProps extends DiffListProps {
  /** Characters in a line; undefined where lines do not wrap. */
  readonly columns: number | undefined
}

function Lines({ model, comments, onComment, isReadOnly, handle, columns }: LinesProps) {
  const { rows, headers, layout, preferences } = model
  const scroller = useRef<HTMLDivElement>(null)
  const sticky = useRef(0)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => estimateHeight(rows[index], columns),
    overscan: OVERSCAN,
    rangeExtractor: (range) => {
      sticky.current = headers[headerAt(headers, range.startIndex)] ?? 0
      const shown = defaultRangeExtractor(range)
      return shown[0] !== undefined && sticky.current < shown[0] ? [sticky.current, ...shown] : shown
    },
  })
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    // Nothing is known yet that could be wrong.
    const hasHeights = !isFirst.current
    isFirst.current = false
    if (!hasHeights) return
    virtual.measure()
    // That forgets all heights, and rows that keep theirs are not measured again by themselves.
    for (const row of scroller.current?.querySelectorAll('[data-index]') ?? []) virtual.measureElement(row)
  }, [virtual, columns, layout])
  const cursor = useDiffCursor({ model, virtual, scroller, isReadOnly, handle })
  const place = (item: VirtualItem) =>
    item.index === sticky.current
      ? ({ position: 'sticky', top: 0 } as const)
      : ({ transform: `translateY(${item.start}px)` } as const)
  return (
    <>
      <div
        ref={scroller}
        className={css['scroller']}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        role="region"
        aria-label="Changed lines"
        data-diff-list
      >
        <div className={css['rows']} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className={css['row']}
                data-sticky={item.index === sticky.current || undefined}
                data-current={row.key === cursor || undefined}
                style={place(item)}
              >
                <DiffRow row={row} {...{ model, comments, onComment, isReadOnly }} />
              </div>
            )
          })}
        </div>
      </div>
      {!preferences.wraps && (
        <SidewaysBar target={scroller} characters={longestLine(rows)} isSplit={layout === 'split'} />
      )}
    </>
  )
}

/** How many characters a line of code holds. @param width of the list, in pixels */
function columnsOf(width: number, layout: Layout): number {
  const room = layout === 'split' ? (width - NUMBERS) / 2 : width - NUMBERS
  return Math.max(10, Math.floor(room / CHARACTER))
}

interface SidewaysBarProps {
  /** Has the lines; gets `--x`, by how much they are moved. */
  readonly target: RefObject<HTMLElement | null>
  /** The longest line's length. */
  readonly characters: number
  readonly isSplit: boolean
}

/** Scrolls the text of lines that do not wrap; numbers and headers stay, and both halves move together. */
function SidewaysBar({ target, characters, isSplit }: SidewaysBarProps) {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [lines, scrollbar] = [target.current, bar.current]
    if (lines === null || scrollbar === null) return undefined
    const onScroll = (): void => lines.style.setProperty('--x', `${-scrollbar.scrollLeft}px`)
    const onWheel = ({ deltaX }: WheelEvent): void => void (scrollbar.scrollLeft += deltaX)
    scrollbar.addEventListener('scroll', onScroll)
    lines.addEventListener('wheel', onWheel, { passive: true })
    return () => {
      scrollbar.removeEventListener('scroll', onScroll)
      lines.removeEventListener('wheel', onWheel)
      lines.style.removeProperty('--x')
    }
  }, [target])
  return (
    <div
      ref={bar}
      className={css['sideways']}
      data-split={isSplit || undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      role="group"
      aria-label="Scroll the lines sideways"
    >
      <div style={{ width: `calc(${characters}ch + 40px + ${isSplit ? 50 : 0}%)` }} />
    </div>
  )
}
