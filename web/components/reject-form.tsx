import { countOf } from '../../core/sentences/amounts.ts'
import { type RefObject, useEffect, useRef } from 'react'
import { showUnseen } from '../model/hostile-text.ts'
import { type LineComment, placeOf } from '../model/review.ts'
import { Button } from './button.tsx'
import { onEscape } from './on-escape.ts'
import css from './reject-form.module.css'
import { useFocusBack } from './use-focus-back.ts'
import { useNarrow } from './use-narrow.ts'

interface RejectFormProps {
  readonly general: string
  /** Those that were made in the diff; they go along. */
  readonly comments: readonly LineComment[]
  readonly isPending: boolean
  /** False: it is there without being asked for. */
  readonly takesFocus?: boolean
  readonly onGeneral: (text: string) => void
  readonly onComments: (comments: readonly LineComment[]) => void
  /** Whether the next attempt can be started with it; left out: yes. */
  readonly canRun?: boolean
  /** @param runs the next attempt is started too */
  readonly onReject: (runs: boolean) => void
  /** Closes it; what is written in it is a draft, and stays. */
  readonly onCancel: () => void
}

/** What goes back to the agent with a rejection, as it is now. */
export function RejectForm(props: RejectFormProps) {
  const {
    general,
    comments,
    isPending,
    takesFocus = true,
    canRun = true,
    onGeneral,
    onComments,
    onReject,
    onCancel,
  } = props
  useFocusBack()
  const form = useFocusOnce(takesFocus, general !== '' || comments.length > 0)
  return (
    <form
      ref={form}
      tabIndex={-1}
      className={css['form']}
      onKeyDown={onEscape(onCancel)}
      onSubmit={(event) => {
        event.preventDefault()
        onReject(false)
      }}
    >
      <textarea
        className={css['text']}
        aria-label="What is to be different"
        placeholder="What is to be different? The agent reads this at its next attempt."
        value={general}
        onChange={({ target }) => onGeneral(target.value)}
      />
      {comments.length > 0 && (
        <ul className={css['comments']} aria-label="Comments on lines, which go along">
          {comments.map((comment) => (
            <li key={placeOf(comment)}>
              <code>
                {showUnseen(comment.file)}:{comment.line}
                {comment.side === 'old' && ' (old)'}
              </code>
              <span>{comment.text}</span>
              <Button
                isSmall
                look="quiet"
                aria-label={`Remove the comment on ${showUnseen(comment.file)}:${comment.line}`}
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
          {rejectLabel(general, comments.length)}
        </Button>
        {canRun && (
          <Button isSmall isBusy={isPending} onClick={() => onReject(true)}>
            Reject and run again
          </Button>
        )}
        <Button isSmall look="quiet" onClick={onCancel}>
          Not now
        </Button>
      </p>
    </form>
  )
}

/** Gives the focus to the text; on a phone where something is written, to the form: a keyboard would cover its button. */
function useFocusOnce(takesFocus: boolean, isBegun: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const isNarrow = useNarrow()
  const target = !takesFocus ? 'none' : isNarrow && isBegun ? 'form' : 'text'
  const first = useRef(target)
  useEffect(() => {
    if (first.current === 'form') form.current?.focus()
    if (first.current === 'text') form.current?.querySelector('textarea')?.focus()
  }, [])
  return form
}

/** What the button sends. */
function rejectLabel(general: string, lines: number): string {
  const comments = countOf(lines, 'comment on a line', 'comments on lines')
  if (general.trim() === '') return lines === 0 ? 'Reject without a comment' : `Reject with ${comments}`
  return lines === 0 ? 'Reject with this comment' : `Reject with this and ${comments}`
}
