import { memo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import css from './board-grid.module.css'
import type { BoardCard, Lane } from './board-model.ts'
import type { ColumnId } from './columns.ts'
import { COLUMN_IDS, COLUMN_LABELS } from './columns.ts'
import { StoryCard } from './story-card.tsx'
import { useCellDrop } from './use-card-drag.ts'

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
export const Cell = memo(function Cell({ lane, laneName, column, cards, canMove, isNarrow }: CellProps) {
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
export function estimateHeight({ cells }: Lane, isNarrow: boolean): number {
  const most = Math.max(...COLUMN_IDS.map((column) => Math.min(cells[column].length, firstLimit(column, isNarrow) + 1)))
  return Math.max(1, most) * CARD_HEIGHT + CELL_HEIGHT
}
