import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, useRef } from 'react'
import { ICON } from '../../components/icons.tsx'
import { Meter } from '../../components/meter.tsx'
import { useNear } from '../../components/use-near.ts'
import css from './board-grid.module.css'
import type { Lane } from './board-model.ts'
import { Cell, estimateHeight } from './cell.tsx'
import { COLUMN_IDS } from './columns.ts'
import { UNASSIGNED } from './search.ts'

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
          {lane.name}
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
