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
export function ReviewButtons(props: ReviewButtonsProps) {
  return (
    <>
      <RejectButton {...props} />
      <ReviseButton {...props} />
    </>
  )
}

/** Begins anew; the main one where nothing else can be asked for. */
export function RejectButton({ task, canRun, isSmall = false, isPending, isBack, onOpen }: ReviewButtonsProps) {
  if (!task.actions.includes('reject')) return null
  const isMain = !task.actions.includes('revise')
  return (
    <Button
      {...(isMain ? main(isBack) : {})}
      isSmall={isSmall}
      look={isMain ? 'plain' : 'quiet'}
      data-action="reject"
      isBusy={isPending}
      onClick={onOpen}
    >
      {canRun ? 'Start over…' : 'Reject…'}
    </Button>
  )
}

/** Goes on with the work as it is. */
export function ReviseButton({ task, lines = 0, isSmall = false, isPending, isBack, onOpen }: ReviewButtonsProps) {
  if (!task.actions.includes('revise')) return null
  return (
    <Button {...main(isBack)} isSmall={isSmall} data-action="revise" isBusy={isPending} onClick={onOpen}>
      {lines === 0 ? 'Ask for changes…' : `Ask for changes with ${countOf(lines, 'comment')}…`}
    </Button>
  )
}

const main = (isBack: boolean) => ({ 'data-key': 'r', 'aria-keyshortcuts': 'r', autoFocus: isBack })
