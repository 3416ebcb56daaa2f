import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, useState } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { Button } from '../../components/button.tsx'
import { ICON } from '../../components/icons.tsx'
import { Meter } from '../../components/meter.tsx'
import css from './board-grid.module.css'
import type { Lane } from './board-model.ts'
import type { ColumnId } from './columns.ts'
import { COLUMN_IDS, COLUMN_LABELS } from './columns.ts'
import { UNASSIGNED } from './search.ts'
import { StoryCard } from './story-card.tsx'
import { useCellDrop } from './use-card-drag.ts'

interface LaneRowProps {
  readonly lane: Lane
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly tasksOf: (story: string) => readonly Task[]
  readonly canMove: boolean
}

/** One epic's stories: its name and meter, and a cell for each column. */
export function LaneRow({ lane, isOpen, onToggle, tasksOf, canMove }: LaneRowProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <section aria-label={lane.name} data-lane={lane.id}>
      <h3 className={css['lane']}>
        <button className={css['toggle']} aria-expanded={isOpen} onClick={onToggle}>
          <Chevron size={ICON} aria-hidden />
          {lane.id !== UNASSIGNED && <span className={css['swatch']} style={{ background: lane.color }} />}
          {lane.name}
        </button>
        <Meter done={lane.done} total={lane.total} label={`Stories of ${lane.name} that are done`} />
        <span className={css['count']}>
          {lane.done} / {lane.total} done
        </span>
      </h3>
      {isOpen && (
        <div className={css['cells']}>
          {COLUMN_IDS.map((column) => (
            <Cell
              key={column}
              lane={lane.id}
              laneName={lane.name}
              column={column}
              stories={lane.cells[column]}
              tasksOf={tasksOf}
              canMove={canMove}
            />
          ))}
        </div>
      )}
    </section>
  )
}

interface CellProps extends Pick<LaneRowProps, 'tasksOf' | 'canMove'> {
  readonly lane: string
  readonly laneName: string
  readonly column: ColumnId
  readonly stories: readonly Story[]
}

/** Beyond so many, cards are shown when asked for: nobody reads three hundred done stories. */
const SHOWN_AT_FIRST = { done: 3, other: 50 }

const Cell = memo(function Cell({ lane, laneName, column, stories, tasksOf, canMove }: CellProps) {
  const { ref, over } = useCellDrop({ lane, column })
  const [isWhole, setWhole] = useState(false)
  const limit = column === 'done' ? SHOWN_AT_FIRST.done : SHOWN_AT_FIRST.other
  const shown = isWhole ? stories : stories.slice(0, limit)
  const hidden = stories.length - shown.length
  return (
    <ul
      ref={ref}
      className={css['cell']}
      aria-label={`${COLUMN_LABELS[column]}, ${laneName}`}
      data-column={column}
      data-over={over}
    >
      {shown.map((story) => (
        <CellCard
          key={story.id}
          story={story}
          tasks={tasksOf(story.id)}
          lane={lane}
          column={column}
          canMove={canMove}
        />
      ))}
      {hidden > 0 && (
        <li>
          <Button look="quiet" isSmall onClick={() => setWhole(true)}>
            + {hidden} more
          </Button>
        </li>
      )}
    </ul>
  )
})

/** Keeps a card's place the same object, so that its card is not rendered for it. */
function CellCard({
  story,
  tasks,
  lane,
  column,
  canMove,
}: {
  readonly story: Story
  readonly tasks: readonly Task[]
  readonly lane: string
  readonly column: ColumnId
  readonly canMove: boolean
}) {
  const [place] = useState({ lane, column })
  return <StoryCard story={story} tasks={tasks} place={place} canMove={canMove} />
}
