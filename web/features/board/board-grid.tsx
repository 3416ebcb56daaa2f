import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { refuse } from '../../components/toast.tsx'
import { useGrowingCount } from '../../components/use-growing-count.ts'
import type { Board } from './board-model.ts'
import css from './board-grid.module.css'
import { COLUMN_IDS, COLUMN_LABELS } from './columns.ts'
import { LaneRow } from './lane-row.tsx'
import { closedLanes, rememberClosedLanes } from './closed-lanes.ts'

interface BoardGridProps {
  readonly board: Board
  readonly tasksOf: (story: string) => readonly Task[]
  readonly canMove: boolean
  readonly isFiltered: boolean
  readonly onStep: (story: string, step: -1 | 1) => void
}

/** A screen holds about three. */
const LANES_AT_ONCE = 4

/** Column heads, and a lane for each epic that has anything to show. */
export function BoardGrid({ board, tasksOf, canMove, isFiltered, onStep }: BoardGridProps) {
  const [closed, setClosed] = useState(closedLanes)
  const toggle = (lane: string): void => {
    const next = closed.includes(lane) ? closed.filter((id) => id !== lane) : [...closed, lane]
    setClosed(next)
    rememberClosedLanes(next)
  }
  const lanes = board.lanes.filter(({ shown, total }) => shown > 0 || (!isFiltered && total > 0))
  const drawn = useGrowingCount(lanes.length, LANES_AT_ONCE)
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
  return (
    <section className={css['board']} aria-label="Board" onKeyDown={onKeyDown}>
      <div className={css['heads']}>
        {COLUMN_IDS.map((column) => (
          <h2 key={column} className={css['head']}>
            {COLUMN_LABELS[column]} <span>{board.counts[column]}</span>
          </h2>
        ))}
      </div>
      {lanes.slice(0, drawn).map((lane) => (
        <LaneRow
          key={lane.id}
          lane={lane}
          isOpen={!closed.includes(lane.id)}
          onToggle={() => toggle(lane.id)}
          tasksOf={tasksOf}
          canMove={canMove}
        />
      ))}
    </section>
  )
}

function cardOf(target: EventTarget): string | null {
  if (!(target instanceof HTMLElement)) return null
  return target.closest<HTMLElement>('[data-story]')?.dataset['story'] ?? null
}

function focusCard(story: string): void {
  document.querySelector<HTMLElement>(`[data-story="${CSS.escape(story)}"] [data-card-link]`)?.focus()
}
