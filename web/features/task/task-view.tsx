import { Link, getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useSession } from '../../api/session.ts'
import { useTask } from '../../api/task-details.ts'
import { usePanelTab } from '../../components/use-panel.ts'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, NoPermission, Skeleton } from '../../components/view-states.tsx'
import { parseOpenSearch } from '../../model/open.ts'
import { type TaskTab, TASK_TABS } from './search.ts'
import type { TaskViewProps } from './shown.ts'
import { TaskBody } from './task-body.tsx'

/** A task, or why there is none to show; the same on its page and in the panel. */
export function TaskView({ taskId, ...rest }: TaskViewProps) {
  const { task } = useTask(taskId)
  if (task !== undefined) return <TaskBody task={task} {...rest} />
  return (
    <>
      {rest.isPanel !== true && <ViewHeader title={`Task ${taskId}`} />}
      <NoTask taskId={taskId} />
    </>
  )
}

function NoTask({ taskId }: { readonly taskId: string }) {
  const { isPending, error, retry } = useTask(taskId)
  const session = useSession()
  if (session.phase === 'signed-in' && !session.may('read')) return <NoPermission scope="read" name={session.name} />
  if (isPending) return <Skeleton rows={4} label="The task is being read" />
  if (error !== undefined) return <ErrorState title="The task could not be read" error={error} onRetry={retry} />
  return (
    <EmptyState title={`There is no task ${taskId}`} action={<Link to="/tasks">To all tasks</Link>}>
      It was deleted, or never existed. Its work, if there was any, is still on its branch.
    </EmptyState>
  )
}

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

/** A task in the side panel. Rendered anew for each task, so nothing of another one stays. */
export function TaskPanel({ taskId }: { readonly taskId: string }) {
  const [tab, setTab] = usePanelTab(TASK_TABS)
  return <TaskView taskId={taskId} tab={tab} onTab={setTab} isPanel />
}
