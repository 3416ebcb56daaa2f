import { Link } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { useTask } from '../../api/task-details.ts'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, NoPermission, Skeleton } from '../../components/view-states.tsx'
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
