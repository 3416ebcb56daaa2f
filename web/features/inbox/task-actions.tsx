import type { Task } from '../../../core/rest/client/client.ts'
import type { TaskDecision } from '../../api/decisions.ts'
import type { RecordDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { DecidingNote } from '../../components/deciding-note.tsx'
import { CancelButton, RestartButtons } from '../../components/restart-buttons.tsx'
import { useNarrow } from '../../components/use-narrow.ts'

interface TaskActionsProps extends Pick<RecordDecision<TaskDecision>, 'isPending' | 'held'> {
  readonly task: Task
  /** What it does is known. */
  readonly canAccept: boolean
  /** Whether the form of a rejection is open; undefined: it was not opened yet. */
  readonly isRejecting: boolean | undefined
  readonly onReject: () => void
  readonly onDecide: (decision: TaskDecision) => void
}

/** The decisions that the record allows this person. */
export function TaskActions({ task, canAccept, isPending, held, isRejecting, onReject, onDecide }: TaskActionsProps) {
  const isNarrow = useNarrow()
  const may = (action: Task['actions'][number]): boolean => task.actions.includes(action)
  if (held !== undefined) return <DecidingNote {...held} />
  return (
    <>
      {!may('answer') && !may('resume') && <CancelButton isSmall {...{ task, isPending, onDecide }} />}
      {task.state !== 'BLOCKED' && <RestartButtons isSmall {...{ task, isPending, onDecide }} />}
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
      {/* On a phone it would be under the thumb that rejects. */}
      {may('accept') && !(isNarrow && isRejecting === true) && (
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
