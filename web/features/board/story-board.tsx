import { lazy, Suspense, useMemo, useState } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { BoardGrid } from './board-grid.tsx'
import { createBoardBuilder } from './board-model.ts'
import { type BoardSearch, filtersOf, isFiltered } from './search.ts'
import { type StoreMove, useBoardMoves } from './use-board-moves.ts'
import { useDrops } from './use-card-drag.ts'

const MoveDialog = lazy(() => import('./move-dialog.tsx').then(({ MoveDialog: component }) => ({ default: component })))

interface StoryBoardProps {
  readonly stories: readonly Story[]
  readonly tasksOf: (story: string) => readonly Task[]
  readonly search: BoardSearch
  readonly store: StoreMove
}

/** The stories as lanes and columns, and the ways to move a card: drag, keys, and a menu. */
export function StoryBoard({ stories, tasksOf, search, store }: StoryBoardProps) {
  const { data: epics } = useRecords('epics')
  const canMove = useSession().may('decide')
  const [build] = useState(createBoardBuilder)
  const board = useMemo(
    () => build({ stories, epics: epics ?? [], tasksOf, search: filtersOf(search) }),
    [build, stories, epics, tasksOf, search],
  )
  const [said, announce] = useState('')
  const { onDrop, onStep, onEnd } = useBoardMoves({ stories, lanes: board.lanes, store, announce })
  useDrops(onDrop)
  const [moved, setMoved] = useState<string>()
  const movedStory = stories.find(({ id }) => id === moved)
  return (
    <>
      <BoardGrid board={board} canMove={canMove} isFiltered={isFiltered(search)} onStep={onStep} onMenu={setMoved} />
      <p className="unseen" role="status">
        {said}
      </p>
      {movedStory !== undefined && (
        <Suspense fallback={null}>
          <MoveDialog
            id={movedStory.id}
            name={movedStory.name}
            onStep={(step) => onStep(movedStory.id, step)}
            onEnd={(end) => onEnd(movedStory.id, end)}
            onClose={() => setMoved(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
