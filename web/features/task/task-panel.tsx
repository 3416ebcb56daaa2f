import { useRecords } from '../../api/queries.ts'
import { EmptyState, Skeleton } from '../../components/view-states.tsx'

/** A task in the side panel. */
export function TaskPanel({ taskId }: { readonly taskId: string }) {
  const tasks = useRecords('tasks')
  const task = tasks.data?.find(({ id }) => id === taskId)
  if (tasks.isPending) return <Skeleton rows={4} label="The task is being read" />
  if (task === undefined) return <EmptyState title="There is no task of this name" />
  return <h2>{task.name}</h2>
}
