import { useParams } from '@tanstack/react-router'
import { useRecords } from '../../api/queries.ts'
import { useExecution, useNextExecution } from '../../api/executions.ts'
import { ErrorState, Skeleton } from '../../components/view-states.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { ExecutionView } from './execution-view.tsx'

/** The view at /executions/ID: what an agent did, live or afterwards. */
export function ExecutionPage() {
  const { executionId } = useParams({ from: '/executions/$executionId' })
  // A key of its own: nothing that is shown or remembered of one execution is there for the next.
  return <Execution key={executionId} id={executionId} />
}

function Execution({ id }: { readonly id: string }) {
  const { data: execution, error, retry } = useExecution(id)
  const { data: tasks } = useRecords('tasks')
  const { data: agents } = useRecords('agents')
  const { next, isLoading } = useNextExecution(execution)
  if (error !== undefined)
    return (
      <>
        <ViewHeader title={id} />
        <ErrorState title="The execution could not be read" error={error} onRetry={retry} />
      </>
    )
  // Which tab opens depends on the agent, and what was answered stands with the next: waiting for both avoids a jump.
  if (execution === undefined || agents === undefined || isLoading)
    return (
      <>
        <ViewHeader title={id} />
        <Skeleton rows={6} label="The execution is being read" />
      </>
    )
  return (
    <ExecutionView
      execution={execution}
      next={next}
      task={tasks?.find((task) => task.id === execution.task_id)}
      isScript={agents.find((agent) => agent.id === execution.agent)?.adapter === 'script'}
    />
  )
}
