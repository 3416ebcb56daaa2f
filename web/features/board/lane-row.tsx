import { ChevronDown, ChevronRight } from 'lucide-react'
import { type RefObject, memo, useRef, useState, useEffect } from 'react'
import { type ColumnId, COLUMN_IDS } from '../../../core/story/columns.ts'
import { Button } from '../../components/button.tsx'
import { ICON } from '../../components/icons.tsx'
import { Meter } from '../../components/meter.tsx'
import css from './board-grid.module.css'
import type { Lane, BoardCard } from './board-model.ts'
import { COLUMN_LABELS } from './columns.ts'
import { UNASSIGNED } from './search.ts'
import { StoryCard } from './story-card.tsx'
import { useCellDrop } from './use-card-drag.ts'

interface LaneRowProps {
  readonly lane: Lane
  readonly isOpen: boolean
  /** True: drawn at once, for it is seen when the board opens. */
  readonly isFirst: boolean
  readonly onToggle: (lane: string) => void
  readonly canMove: boolean
  readonly isNarrow: boolean
}

/** One epic's stories: its name and meter, and a cell for each column. Rendered again only with news of its own. */
export const LaneRow = memo(function LaneRow({ lane, isOpen, onToggle, ...props }: LaneRowProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <section aria-label={lane.name} data-lane={lane.id}>
      <h3 className={css['lane']}>
        <button className={css['toggle']} aria-expanded={isOpen} onClick={() => onToggle(lane.id)}>
          <Chevron size={ICON} aria-hidden />
          {lane.id !== UNASSIGNED && <span className={css['swatch']} style={{ background: lane.color }} />}
          <span className={css['name']} title={lane.name}>
            {lane.name}
          </span>
        </button>
        <Meter done={lane.done} total={lane.total} label={`Stories of ${lane.name} that are done`} />
        <span className={css['count']}>
          {lane.done} / {lane.total} done
        </span>
      </h3>
      {isOpen && <Cells lane={lane} {...props} />}
    </section>
  )
})

/** The cells of a lane while it is seen; else as much room as they take. */
function Cells({ lane, isFirst, canMove, isNarrow }: Omit<LaneRowProps, 'isOpen' | 'onToggle'>) {
  const ref = useRef<HTMLDivElement>(null)
  const isNear = useNear(ref, isFirst)
  return (
    <div ref={ref}>
      {isNear ? (
        <div className={css['cells']}>
          {COLUMN_IDS.map((column) => (
            <Cell
              key={column}
              lane={lane.id}
              laneName={lane.name}
              column={column}
              cards={lane.cells[column]}
              canMove={canMove}
              isNarrow={isNarrow}
            />
          ))}
        </div>
      ) : (
        <div style={{ height: estimateHeight(lane, isNarrow) }} />
      )}
    </div>
  )
}

interface CellProps {
  readonly lane: string
  readonly laneName: string
  readonly column: ColumnId
  readonly cards: readonly BoardCard[]
  readonly canMove: boolean
  readonly isNarrow: boolean
}

/** Beyond so many, cards are shown when asked for: nobody reads three hundred done stories. */
const SHOWN_AT_FIRST = { done: 3, other: 25 }
/** On a phone a lane is as high as its fullest column, of which another one may be in sight. */
const SHOWN_IF_NARROW = 2
const MORE_AT_ONCE = 50

function firstLimit(column: ColumnId, isNarrow: boolean): number {
  if (isNarrow) return SHOWN_IF_NARROW
  return column === 'done' ? SHOWN_AT_FIRST.done : SHOWN_AT_FIRST.other
}

/** The stories of one lane and column; rendered again only with news of its own. */
const Cell = memo(function Cell({ lane, laneName, column, cards, canMove, isNarrow }: CellProps) {
  const { ref, over } = useCellDrop({ lane, column })
  const [more, setMore] = useState(0)
  const limit = firstLimit(column, isNarrow) + more
  const [place] = useState({ lane, column })
  const hidden = Math.max(0, cards.length - limit)
  return (
    <ul
      ref={ref}
      className={css['cell']}
      aria-label={`${COLUMN_LABELS[column]}, ${laneName}`}
      data-column={column}
      data-over={over}
    >
      {cards.slice(0, limit).map(({ story, tasks }) => (
        <StoryCard key={story.id} story={story} tasks={tasks} place={place} canMove={canMove} />
      ))}
      {hidden > 0 && (
        <li>
          <Button look="quiet" isSmall onClick={() => setMore(more + MORE_AT_ONCE)}>
            + {hidden} more
          </Button>
        </li>
      )}
    </ul>
  )
})

/** In pixels, of a card with a line of title, of state and of steps, and of what is around the cards. */
const CARD_HEIGHT = 104
const CELL_HEIGHT = 12

/** About how high the cells of a lane are that are not drawn. */
function estimateHeight({ cells }: Lane, isNarrow: boolean): number {
  const most = Math.max(...COLUMN_IDS.map((column) => Math.min(cells[column].length, firstLimit(column, isNarrow) + 1)))
  return Math.max(1, most) * CARD_HEIGHT + CELL_HEIGHT
}

/** So far outside of what is seen, in pixels, something is drawn already. */
const MARGIN = '700px 0px'

/**
 * Whether an element is seen or about to be, so that the many parts of a large view are drawn when they are needed.
 * What has the focus, or is being dragged, stays drawn.
 *
 * @param atFirst before the browser has said it
 */
function useNear(ref: RefObject<HTMLElement | null>, atFirst: boolean): boolean {
  const [isNear, setNear] = useState(atFirst)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const isSeen = entries.at(-1)?.isIntersecting === true
        setNear(isSeen || element.contains(document.activeElement) || element.querySelector('[data-dragged]') !== null)
      },
      { root: element.closest('[data-scroller]'), rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return isNear
}
