import type { Task } from '../../core/rest/client/client.ts'
import { countOf } from '../../core/sentences/amounts.ts'
import { Button } from './button.tsx'

interface ReviewButtonsProps {
  readonly task: Task
  /** Whether rejected work can be run again at once. */
  readonly canRun: boolean
  /** Comments on lines that go along. */
  readonly lines?: number
  readonly isSmall?: boolean
  readonly isPending: boolean
  /** The form was closed, so the button that opened it has the focus again. */
  readonly isBack: boolean
  readonly onOpen: () => void
}

/** Open the form for what is to be different in the work of a task, as far as its record allows. */
export function ReviewButtons({
  task,
  canRun,
  lines = 0,
  isSmall = false,
  isPending,
  isBack,
  onOpen,
}: ReviewButtonsProps) {
  const [mayRevise, mayReject] = [task.actions.includes('revise'), task.actions.includes('reject')]
  const main = { 'data-key': 'r', 'aria-keyshortcuts': 'r', autoFocus: isBack }
  return (
    <>
      {mayReject && (
        <Button
          {...(mayRevise ? {} : main)}
          isSmall={isSmall}
          look={mayRevise ? 'quiet' : 'plain'}
          data-action="reject"
          isBusy={isPending}
          onClick={onOpen}
        >
          {canRun ? 'Start over…' : 'Reject…'}
        </Button>
      )}
      {mayRevise && (
        <Button {...main} isSmall={isSmall} data-action="revise" isBusy={isPending} onClick={onOpen}>
          {lines === 0 ? 'Ask for changes…' : `Ask for changes with ${countOf(lines, 'comment')}…`}
        </Button>
      )}
    </>
  )
}
