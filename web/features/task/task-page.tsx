import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { parseOpenSearch } from '../../model/open.ts'
import type { TaskTab } from './search.ts'
import { TaskView } from './task-view.tsx'

const route = getRouteApi('/tasks/$taskId')

/** The view at /tasks/…: everything about one task, and what can be decided. */
export function TaskPage() {
  const { taskId } = route.useParams()
  const { tab, action } = route.useSearch()
  const navigate = route.useNavigate()
  const setTab = useCallback(
    (next: TaskTab) =>
      void navigate({ search: (now) => ({ tab: next, ...parseOpenSearch({ ...now }) }), state: true, replace: true }),
    [navigate],
  )
  return <TaskView key={taskId} taskId={taskId} tab={tab} onTab={setTab} action={action} />
}
