import type { Task } from '../../../core/rest/client/client.ts'
import type { TaskDecision } from '../../api/decisions.ts'
import { Button } from '../../components/button.tsx'
import { runWords } from '../../model/task-words.ts'

interface TaskActionsProps {
  readonly task: Task
  /** What it does is known. */
  readonly canAccept: boolean
  readonly isPending: boolean
  /** Whether the form of a rejection is open; undefined: it was not opened yet. */
  readonly isRejecting: boolean | undefined
  readonly onReject: () => void
  readonly onDecide: (decision: TaskDecision) => void
}

/** The decisions that the record allows this person. */
export function TaskActions({ task, canAccept, isPending, isRejecting, onReject, onDecide }: TaskActionsProps) {
  const may = (action: Task['actions'][number]): boolean => task.actions.includes(action)
  return (
    <>
      {may('run') && task.state !== 'BLOCKED' && (
        <Button isSmall isBusy={isPending} onClick={() => onDecide({ action: 'run' })}>
          {runWords(task)}
        </Button>
      )}
      {may('resume') && (
        <Button isSmall isBusy={isPending} onClick={() => onDecide({ action: 'resume' })}>
          Resume
        </Button>
      )}
      {may('reject') && isRejecting !== true && (
        <Button
          isSmall
          isBusy={isPending}
          data-key="r"
          aria-keyshortcuts="r"
          autoFocus={isRejecting === false}
          onClick={onReject}
        >
          Reject…
        </Button>
      )}
      {may('accept') && (
        <Button
          isSmall
          look="primary"
          isBusy={isPending}
          data-key="a"
          aria-keyshortcuts="a"
          disabled={!canAccept}
          onClick={() => onDecide({ action: 'accept' })}
        >
          Accept
        </Button>
      )}
    </>
  )
}
