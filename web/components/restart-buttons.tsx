import type { Task } from '../../core/rest/client/client.ts'
import { isEditOffered } from '../../core/task/transitions.ts'
import { editPageOf } from '../model/open.ts'
import { runWords } from '../model/task-words.ts'
import { Button, LinkButton } from './button.tsx'
import { ConfirmButton } from './confirm-button.tsx'

interface RestartButtonsProps {
  readonly task: Task
  /** The person may change the task. */
  readonly mayEdit?: boolean
  readonly isSmall?: boolean
  readonly isPending: boolean
  readonly onDecide: (decision: { readonly action: 'run' | 'resume' | 'cancel' }) => void
}

/** Cancels a task that its record lets be cancelled; asks once. */
export function CancelButton({ task, isSmall = false, isPending, onDecide }: RestartButtonsProps) {
  if (!task.actions.includes('cancel')) return null
  return (
    <ConfirmButton
      isSmall={isSmall}
      isBusy={isPending}
      action="cancel"
      question="Cancel the task?"
      confirm="Cancel it"
      decline="Go on"
      onConfirm={() => onDecide({ action: 'cancel' })}
    >
      Cancel…
    </ConfirmButton>
  )
}

/** Edits a task that does not run, or begins it anew, as far as its record allows. */
export function RestartButtons({ task, mayEdit = false, isSmall = false, isPending, onDecide }: RestartButtonsProps) {
  return (
    <>
      {mayEdit && isEditOffered(task.state) && (
        <LinkButton to={editPageOf(task.id)} look="quiet" isSmall={false}>
          Edit
        </LinkButton>
      )}
      {task.actions.includes('run') && (
        <Button
          isSmall={isSmall}
          isBusy={isPending}
          look={task.state === 'PENDING' ? 'primary' : 'plain'}
          data-action="run"
          onClick={() => onDecide({ action: 'run' })}
        >
          {runWords(task)}
        </Button>
      )}
    </>
  )
}

/** Goes on where the last run stopped, or checks its work once more. */
export function ResumeButton({ task, isSmall = false, isPending, onDecide }: RestartButtonsProps) {
  if (!task.actions.includes('resume')) return null
  const isCheck = task.error_category === 'checks'
  return (
    <Button
      isSmall={isSmall}
      isBusy={isPending}
      look={isCheck ? 'plain' : 'primary'}
      data-action="resume"
      onClick={() => onDecide({ action: 'resume' })}
    >
      {isCheck ? 'Check again' : 'Resume'}
    </Button>
  )
}
