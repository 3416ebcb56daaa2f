import type { LineComment } from '../model/review.ts'
import { placeOf } from '../model/review.ts'
import { Button } from './button.tsx'
import css from './reject-form.module.css'

interface RejectFormProps {
  readonly general: string
  /** Those that were made in the diff; they go along. */
  readonly comments: readonly LineComment[]
  readonly isPending: boolean
  readonly onGeneral: (text: string) => void
  readonly onComments: (comments: readonly LineComment[]) => void
  readonly onReject: () => void
  readonly onCancel: () => void
}

/** What goes back to the agent with a rejection, as it is now. */
export function RejectForm(props: RejectFormProps) {
  const { general, comments, isPending, onGeneral, onComments, onReject, onCancel } = props
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        onReject()
      }}
    >
      <textarea
        className={css['text']}
        aria-label="What is to be different"
        placeholder="What is to be different? The agent reads this at its next attempt."
        autoFocus
        value={general}
        onChange={({ target }) => onGeneral(target.value)}
      />
      {comments.length > 0 && (
        <ul className={css['comments']} aria-label="Comments on lines, which go along">
          {comments.map((comment) => (
            <li key={placeOf(comment)}>
              <code>
                {comment.file}:{comment.line}
                {comment.side === 'old' && ' (old)'}
              </code>
              <span>{comment.text}</span>
              <Button
                isSmall
                look="quiet"
                aria-label={`Remove the comment on ${comment.file}:${comment.line}`}
                onClick={() => onComments(comments.filter((other) => placeOf(other) !== placeOf(comment)))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p className={css['actions']}>
        <Button isSmall type="submit" look="danger" isBusy={isPending}>
          {rejectLabel(comments.length)}
        </Button>
        <Button isSmall look="quiet" onClick={onCancel}>
          Not now
        </Button>
      </p>
    </form>
  )
}

function rejectLabel(lines: number): string {
  if (lines === 0) return 'Reject with this comment'
  return lines === 1 ? 'Reject with this and 1 comment on a line' : `Reject with this and ${lines} comments on lines`
}
