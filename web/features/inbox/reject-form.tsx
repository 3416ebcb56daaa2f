import { useDraft } from '../../api/drafts.ts'
import { Button } from '../../components/button.tsx'
import css from './inbox.module.css'

interface RejectFormProps {
  readonly taskId: string
  readonly isPending: boolean
  readonly onReject: (comment: string) => void
  readonly onCancel: () => void
}

/** The comment that goes back to the agent with a rejection; kept while it is not sent. */
export function RejectForm({ taskId, isPending, onReject, onCancel }: RejectFormProps) {
  const [comment, setComment] = useDraft(`reject.${taskId}`)
  const send = (): void => {
    onReject(comment)
    setComment('')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        className={css['text']}
        aria-label="What is to be different"
        placeholder="What is to be different? The agent reads this at its next attempt."
        autoFocus
        value={comment}
        onChange={({ target }) => setComment(target.value)}
      />
      <p className={css['formActions']}>
        <Button isSmall type="submit" look="danger" isBusy={isPending}>
          Reject with this comment
        </Button>
        <Button isSmall look="quiet" onClick={onCancel}>
          Not now
        </Button>
      </p>
    </form>
  )
}
