import { getRouteApi } from '@tanstack/react-router'
import { List, SquareKanban } from 'lucide-react'
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { parseOpenSearch } from '../../model/open.ts'
import { BoardSkeleton } from './board-grid.tsx'
import { createGrouping } from './board-model.ts'
import { FilterBar } from './filter-bar.tsx'
import { withPriorities } from './order.ts'
import { usePendingPriorities } from './pending-priorities.ts'
import {
  type BoardSearch,
  type Shape,
  isFiltered,
  matches,
  parseBoardSearch,
  withoutFilters,
  SHAPES,
} from './search.ts'
import css from './shape-switch.module.css'
import { StoryBoard } from './story-board.tsx'

const route = getRouteApi('/stories')
const NO_TASKS: readonly Task[] = []
const StoryList = lazy(() => import('./story-list.tsx').then(({ StoryList: component }) => ({ default: component })))

/** The view at /stories: all stories, as a board or as a list. Only what shows the stories is rendered with their news. */
export function BoardPage() {
  const { may } = useSession()
  // Without what is open in the panel, which is no filter and redraws nothing here.
  const search = route.useSearch({ select: parseBoardSearch, structuralSharing: true })
  const navigate = route.useNavigate()
  const setSearch = useCallback(
    (next: BoardSearch) =>
      void navigate({
        search: (now) => ({ ...parseBoardSearch({ ...next }), ...parseOpenSearch({ ...now }) }),
        replace: true,
      }),
    [navigate],
  )
  const [remembered] = useState(lastShape)
  const shape = search.view ?? remembered
  const setShape = (view: Shape): void => {
    rememberShape(view)
    setSearch({ ...search, view })
  }
  return (
    <>
      <ViewHeader title="Stories">
        <ShapeSwitch shape={shape} onChange={setShape} />
        {may('decide') && (
          <span data-end>
            <LinkButton to="/stories/new">New story</LinkButton>
          </span>
        )}
      </ViewHeader>
      <FilterBar search={search} shape={shape} onChange={setSearch} />
      <Stories search={search} shape={shape} onChange={setSearch} />
    </>
  )
}

interface StoriesProps {
  readonly search: BoardSearch
  readonly shape: Shape
  readonly onChange: (search: BoardSearch) => void
}

function Stories(props: StoriesProps) {
  const { data, error, isPending, refetch } = useRecords('stories')
  // A lane has the name and the place of its epic, a card the height of what its tasks say: without them it would jump.
  const [epics, projects, tasks] = [useRecords('epics'), useRecords('projects'), useRecords('tasks')]
  if (isPending || epics.isPending || projects.isPending || tasks.isPending)
    return props.shape === 'board' ? <BoardSkeleton /> : <Skeleton rows={6} label="The stories are being read" />
  if (data !== undefined) return <ReadStories {...props} stories={data} />
  return <ErrorState title="The stories could not be read" error={error} onRetry={() => void refetch()} />
}

function ReadStories({ stories, search, shape, onChange }: StoriesProps & { readonly stories: readonly Story[] }) {
  const { pending, move } = usePendingPriorities()
  const tasksOf = useTasksOf()
  // Typing in the filter goes on while a large board is still being drawn.
  const filters = useDeferredValue(search)
  const [made] = useState(() => new WeakMap<Story, Story>())
  const placed = useMemo(() => withPriorities(stories, pending, made), [stories, pending, made])
  if (stories.length === 0)
    return (
      <EmptyState title="There is no story yet">
        A story is a goal that several tasks reach together on one branch. With New story you say what you want, and an
        agent plans it; it appears here at once.
      </EmptyState>
    )
  if (isFiltered(filters) && !placed.some((story) => matches(story, tasksOf(story.id), filters)))
    return (
      <EmptyState
        title="No story matches the filters"
        action={<Button onClick={() => onChange(withoutFilters(search))}>Clear the filters</Button>}
      />
    )
  if (shape === 'board') return <StoryBoard stories={placed} tasksOf={tasksOf} search={filters} store={move} />
  return (
    <Suspense fallback={<Skeleton rows={6} label="The list is being loaded" />}>
      <StoryList stories={placed} tasksOf={tasksOf} search={filters} onChange={onChange} />
    </Suspense>
  )
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

const SHAPE_WORDS = [
  { shape: 'board', label: 'Board', Icon: SquareKanban },
  { shape: 'list', label: 'List', Icon: List },
] as const

/** The same stories as a board or as a list. */
function ShapeSwitch({ shape, onChange }: { readonly shape: Shape; readonly onChange: (shape: Shape) => void }) {
  return (
    <div className={css['switch']} role="group" aria-label="Show the stories as">
      {SHAPE_WORDS.map(({ shape: own, label, Icon }) => (
        <button key={own} aria-pressed={shape === own} onClick={() => onChange(own)}>
          <Icon size={SMALL_ICON} aria-hidden />
          {label}
        </button>
      ))}
    </div>
  )
}

/** Keeps in this browser whether this person looks at stories as a board or as a list, for addresses that do not say. */
const KEY = 'slipway.stories.view'

function lastShape(): Shape {
  const stored = localStorage.getItem(KEY)
  return SHAPES.find((shape) => shape === stored) ?? 'board'
}

function rememberShape(shape: Shape): void {
  localStorage.setItem(KEY, shape)
}
