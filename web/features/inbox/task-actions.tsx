import type { Task } from '../../../core/rest/client/client.ts'
import type { TaskDecision } from '../../api/decisions.ts'
import { useSession } from '../../api/session.ts'
import type { RecordDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { DecidingNote } from '../../components/deciding-note.tsx'
import { CancelButton, RestartButtons, ResumeButton } from '../../components/restart-buttons.tsx'
import { ReviewButtons } from '../../components/review-buttons.tsx'
import { WaiveButton } from '../../components/waive-button.tsx'
import { useNarrow } from '../../components/use-narrow.ts'

interface TaskActionsProps extends Pick<RecordDecision<TaskDecision>, 'isPending' | 'held'> {
  readonly task: Task
  /** What it does is known. */
  readonly canAccept: boolean
  /** Whether the form for what is to be different is open; undefined: it was not opened yet. */
  readonly isReviewing: boolean | undefined
  /** Whether rejected work can be run again at once. */
  readonly canRun: boolean
  readonly onReview: () => void
  readonly onDecide: (decision: TaskDecision) => void
}

/** The decisions that the record allows this person. */
export function TaskActions(props: TaskActionsProps) {
  const { task, canAccept, isPending, held, isReviewing, canRun, onReview, onDecide } = props
  const isNarrow = useNarrow()
  const { name } = useSession()
  const may = (action: Task['actions'][number]): boolean => task.actions.includes(action)
  if (held !== undefined) return <DecidingNote {...held} />
  return (
    <>
      {!may('answer') && !may('resume') && <CancelButton isSmall {...{ task, isPending, onDecide }} />}
      <WaiveButton isSmall by={name} {...{ task, isPending }} onWaive={onDecide} />
      {task.state !== 'BLOCKED' && (
        <>
          <RestartButtons isSmall {...{ task, isPending, onDecide }} />
          <ResumeButton isSmall {...{ task, isPending, onDecide }} />
        </>
      )}
      {isReviewing !== true && (
        <ReviewButtons isSmall {...{ task, canRun, isPending }} isBack={isReviewing === false} onOpen={onReview} />
      )}
      {/* On a phone it would be under the thumb that sends the work back. */}
      {may('accept') && !(isNarrow && isReviewing === true) && (
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
