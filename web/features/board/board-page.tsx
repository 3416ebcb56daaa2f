import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { BoardGrid } from './board-grid.tsx'
import type { Board, BoardFacts } from './board-model.ts'
import { createBoardBuilder, createGrouping } from './board-model.ts'
import { FilterBar } from './filter-bar.tsx'
import { withPriorities } from './order.ts'
import { usePendingPriorities } from './pending-priorities.ts'
import type { BoardSearch } from './search.ts'
import { isFiltered, parseBoardSearch } from './search.ts'
import { useBoardMoves } from './use-board-moves.ts'
import { useDrops } from './use-card-drag.ts'

const route = getRouteApi('/stories')
const NO_TASKS: readonly Task[] = []

/** The view at /stories: the board, or why there is none. */
export function BoardPage() {
  const stories = useRecords('stories')
  // Without what is open in the panel, which is no filter and redraws nothing here.
  const search = route.useSearch({ select: parseBoardSearch, structuralSharing: true })
  const navigate = route.useNavigate()
  const setSearch = useCallback(
    (next: BoardSearch) =>
      void navigate({ search: ({ open }) => ({ ...next, ...(open === undefined ? {} : { open }) }), replace: true }),
    [navigate],
  )
  return (
    <>
      <ViewHeader title="Stories" />
      <FilterBar search={search} onChange={setSearch} />
      {stories.isPending && <Skeleton rows={6} label="The stories are being read" />}
      {stories.isError && (
        <ErrorState
          title="The stories could not be read"
          error={stories.error}
          onRetry={() => void stories.refetch()}
        />
      )}
      {stories.data !== undefined && (
        <StoryBoard stories={stories.data} search={search} onClear={() => setSearch({})} />
      )}
    </>
  )
}

interface StoryBoardProps {
  readonly stories: readonly Story[]
  readonly search: BoardSearch
  readonly onClear: () => void
}

function StoryBoard({ stories, search, onClear }: StoryBoardProps) {
  const { data: epics = [] } = useRecords('epics')
  const { pending, move } = usePendingPriorities()
  const canDecide = useSession().may('decide')
  const tasksOf = useTasksOf()
  // Typing in the filter goes on while a large board is still being drawn.
  const filters = useDeferredValue(search)
  const placed = useMemo(() => withPriorities(stories, pending), [stories, pending])
  const board = useBoard({ stories: placed, epics, tasksOf, search: filters })
  const [said, announce] = useState('')
  const { onDrop, onStep } = useBoardMoves({ stories: placed, lanes: board.lanes, store: move, announce })
  useDrops(onDrop)
  if (stories.length === 0)
    return (
      <EmptyState title="There is no story yet">
        A story is a goal that several tasks reach together on one branch. Describe it to an agent with{' '}
        <code>POST /api/stories/elaborate</code>, or create one with <code>POST /api/stories</code>; it appears here at
        once.
      </EmptyState>
    )
  if (board.shown === 0 && isFiltered(search))
    return (
      <EmptyState title="No story matches the filters" action={<Button onClick={onClear}>Clear the filters</Button>} />
    )
  return (
    <>
      <BoardGrid board={board} canMove={canDecide} isFiltered={isFiltered(search)} onStep={onStep} />
      <p className="unseen" role="status">
        {said}
      </p>
    </>
  )
}

/** The board of these facts; what has not changed in it stays the same objects. */
function useBoard(facts: BoardFacts): Board {
  const { stories, epics, tasksOf, search } = facts
  const [build] = useState(createBoardBuilder)
  return useMemo(() => build({ stories, epics, tasksOf, search }), [build, stories, epics, tasksOf, search])
}

/** The tasks of a story; lists that have not changed stay the same arrays. */
function useTasksOf(): (story: string) => readonly Task[] {
  const { data: tasks = NO_TASKS } = useRecords('tasks')
  const [group] = useState(createGrouping)
  return useMemo(() => {
    const grouped = group(tasks)
    return (story) => grouped.get(story) ?? NO_TASKS
  }, [group, tasks])
}
