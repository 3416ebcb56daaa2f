import { Link, useParams } from '@tanstack/react-router'
import type { Task } from '../../../core/rest/client/client.ts'
import { isEditOffered } from '../../../core/task/transitions.ts'
import { useSession } from '../../api/session.ts'
import { useTask } from '../../api/task-details.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { FormPage } from '../../components/form-page.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, NoPermission, Skeleton } from '../../components/view-states.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { TaskFields, TaskLinks } from './task-fields.tsx'
import { TaskRest } from './task-rest.tsx'
import { useEditTask } from './use-edit-task.ts'

/** The view at /tasks/{id}/edit. */
export function EditTaskPage() {
  const { taskId } = useParams({ from: '/tasks/$taskId/edit' })
  const { task } = useTask(taskId)
  return (
    <>
      <ViewHeader title={`Edit ${showUnseen(task?.name ?? taskId)}`}>
        <Link to="/tasks/$taskId" params={{ taskId }}>
          Back to the task
        </Link>
      </ViewHeader>
      <Body key={taskId} taskId={taskId} />
    </>
  )
}

function Body({ taskId }: { readonly taskId: string }) {
  const { task, isPending, error, retry } = useTask(taskId)
  const session = useSession()
  // A draft is a person's, so it is read once it is known who they are.
  if (session.phase !== 'signed-in') return <Skeleton rows={6} label="The task is being read" />
  if (!session.may('decide')) return <NoPermission scope="decide" name={session.name} />
  if (task !== undefined) return <EditForm task={task} />
  if (isPending) return <Skeleton rows={6} label="The task is being read" />
  if (error !== undefined) return <ErrorState title="The task could not be read" error={error} onRetry={retry} />
  return (
    <EmptyState title={`There is no task ${taskId}`} action={<Link to="/tasks">To all tasks</Link>}>
      It was deleted, or never existed.
    </EmptyState>
  )
}

function EditForm({ task }: { readonly task: Task }) {
  const { form, change, errors, save, isSaving, isChanged, leave } = useEditTask(task)
  const props = { form, onChange: change, errors: errors.byField }
  const canSave = isEditOffered(task.state)
  return (
    <FormPage
      errors={errors}
      onSubmit={() => canSave && save()}
      aside={
        <>
          <TaskRest {...props} isOpen />
          <TaskLinks {...props} />
        </>
      }
      actions={
        <>
          {canSave && (
            <Button look="primary" type="submit" isBusy={isSaving}>
              Save
            </Button>
          )}
          {isChanged && (
            <ConfirmButton look="quiet" question="Discard what you have changed?" confirm="Discard" onConfirm={leave}>
              Discard…
            </ConfirmButton>
          )}
        </>
      }
    >
      <FormError text={errors.rest} />
      {!canSave && (
        <p role="status">
          {task.state === 'COMPLETED'
            ? 'The work was accepted: what it was to do stays as it was. Make a new task for what is left.'
            : 'An agent works at the task, and it cannot be changed before that ends. What you have typed is kept.'}
        </p>
      )}
      <TaskFields {...props} />
    </FormPage>
  )
}
