import { type CSSProperties, type KeyboardEvent, type MouseEvent, useCallback, useEffect, useState } from 'react'
import { parseJson } from '../../../core/json.ts'
import { type ColumnId, COLUMN_IDS } from '../../../core/story/columns.ts'
import { refuse } from '../../components/toast.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import css from './board-grid.module.css'
import type { Board } from './board-model.ts'
import { COLUMN_LABELS } from './columns.ts'
import { LaneRow } from './lane-row.tsx'

interface BoardGridProps {
  readonly board: Board
  readonly canMove: boolean
  readonly isFiltered: boolean
  readonly onStep: (story: string, step: -1 | 1) => void
  /** Asked for the ways to move a card. */
  readonly onMenu: (story: string) => void
}

/** A screen holds about three; the others are drawn when they come near. */
const FIRST_LANES = 3

/** Column heads, and a lane for each epic that has anything to show. */
export function BoardGrid({ board, canMove, isFiltered, onStep, onMenu }: BoardGridProps) {
  const isNarrow = useNarrow()
  const [closed, setClosed] = useState(closedLanes)
  const toggle = useCallback((lane: string): void => {
    setClosed((now) => (now.includes(lane) ? now.filter((id) => id !== lane) : [...now, lane]))
  }, [])
  useEffect(() => rememberClosedLanes(closed), [closed])
  const lanes = board.lanes.filter(({ shown, total }) => shown > 0 || (!isFiltered && total > 0))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const card = cardOf(event.target)
    if (card === null || !event.altKey) return
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      if (!canMove) return refuse('Your token may not change the order: it needs the scope decide.')
      onStep(card, event.key === 'ArrowUp' ? -1 : 1)
      // The browser drops the focus of an element that is put elsewhere.
      requestAnimationFrame(() => focusCard(card))
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault()
      refuse('A card stays in its column: its column is its status, which moves on the story’s page.')
    }
  }
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const card = cardOf(event.target)
    const isMenu = event.target instanceof Element && event.target.closest('[data-move]') !== null
    if (card !== null && isMenu) onMenu(card)
  }
  return (
    <section
      className={css['board']}
      style={widths((column) => !isFiltered || board.counts[column] > 0)}
      aria-label="Board"
      data-scroller
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <Heads counts={board.counts} />
      {lanes.map((lane, index) => (
        <LaneRow
          key={lane.id}
          lane={lane}
          isOpen={!closed.includes(lane.id)}
          isFirst={index < FIRST_LANES}
          onToggle={toggle}
          canMove={canMove}
          isNarrow={isNarrow}
        />
      ))}
    </section>
  )
}

interface Widths extends CSSProperties {
  readonly '--columns': string
}

/** Columns share the width; those in which nothing passes the filters leave it to the others. */
function widths(isWide: (column: ColumnId) => boolean): Widths {
  const columns = COLUMN_IDS.map((column) => `minmax(0, ${isWide(column) ? 1 : 0.4}fr)`)
  return { '--columns': columns.join(' ') }
}

function Heads({ counts }: { readonly counts?: Board['counts'] }) {
  return (
    <div className={css['heads']}>
      {COLUMN_IDS.map((column) => (
        <h2 key={column} className={css['head']} title={COLUMN_LABELS[column]}>
          {COLUMN_LABELS[column]} <span>{counts?.[column]}</span>
        </h2>
      ))}
    </div>
  )
}

/** Where the columns and the first lane will stand. */
export function BoardSkeleton() {
  return (
    <div className={css['board']} style={widths(() => true)} role="status" aria-label="The stories are being read">
      <Heads />
      <div className={css['lane']}>&nbsp;</div>
      <div className={css['cells']}>
        {COLUMN_IDS.map((column) => (
          <div key={column} className={css['cell']}>
            <i className={css['coming']} />
            <i className={css['coming']} />
          </div>
        ))}
      </div>
    </div>
  )
}

function cardOf(target: EventTarget): string | null {
  if (!(target instanceof Element)) return null
  return target.closest<HTMLElement>('[data-story]')?.dataset['story'] ?? null
}

function focusCard(story: string): void {
  document.querySelector<HTMLElement>(`[data-story="${CSS.escape(story)}"] [data-card-link]`)?.focus()
}

/** Which lanes this person has closed, kept in this browser. */
const KEY = 'slipway.board.closed-lanes'

function closedLanes(): readonly string[] {
  const stored = parseJson(localStorage.getItem(KEY) ?? '')
  return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : []
}

function rememberClosedLanes(lanes: readonly string[]): void {
  localStorage.setItem(KEY, JSON.stringify(lanes))
}
