import { countOf } from '../../core/sentences/amounts.ts'
import { type RefObject, useEffect, useRef } from 'react'
import { showUnseen } from '../model/hostile-text.ts'
import type { Task } from '../../core/rest/client/client.ts'
import { type LineComment, placeOf, reviewHint, toComment } from '../model/review.ts'
import { Button } from './button.tsx'
import { onEscape } from './on-escape.ts'
import css from './review-form.module.css'
import area from './text-area.module.css'
import { useFocusBack } from './use-focus-back.ts'
import { useNarrow } from './use-narrow.ts'

/** What becomes of the task with what is said about its work. */
export type ReviewDecision =
  | { readonly action: 'revise'; readonly comment: string }
  | { readonly action: 'reject'; readonly comment: string; readonly runs: boolean }

interface ReviewFormProps {
  readonly task: Task
  readonly general: string
  /** Those that were made in the diff; they go along. */
  readonly comments: readonly LineComment[]
  readonly isPending: boolean
  /** False: it is there without being asked for. */
  readonly takesFocus?: boolean
  readonly onGeneral: (text: string) => void
  readonly onComments: (comments: readonly LineComment[]) => void
  /** Whether the next attempt can be started with it. */
  readonly canRun: boolean
  /** Its agent runs a script, which reads nothing of this. */
  readonly isScript: boolean
  readonly onDecide: (decision: ReviewDecision) => void
  /** Closes it; what is written in it is a draft, and stays. */
  readonly onCancel: () => void
}

/** What goes back to the agent, as it is now, and the ways for it to go on. */
export function ReviewForm(props: ReviewFormProps) {
  const { task, general, comments, isScript, takesFocus = true, onGeneral, onComments, onDecide, onCancel } = props
  useFocusBack()
  const comment = toComment(comments, general)
  const may = (action: Task['actions'][number]): boolean => task.actions.includes(action)
  const form = useFocusOnce(takesFocus, general !== '' || comments.length > 0)
  return (
    <form
      ref={form}
      tabIndex={-1}
      className={css['form']}
      onKeyDown={onEscape(onCancel)}
      onSubmit={(event) => {
        event.preventDefault()
        onDecide(may('revise') ? { action: 'revise', comment } : { action: 'reject', comment, runs: false })
      }}
    >
      <textarea
        className={`${area['text']} ${css['text']}`}
        aria-label="What is to be different"
        placeholder={`What is to be different?${isScript ? '' : ' The agent reads this.'}`}
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
      <Decisions {...props} comment={comment} />
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

interface DecisionsProps extends ReviewFormProps {
  /** All that was written. */
  readonly comment: string
}

function Decisions({ task, comments, comment, isScript, isPending, canRun, onDecide, onCancel }: DecisionsProps) {
  const [mayRevise, mayReject] = [task.actions.includes('revise'), task.actions.includes('reject')]
  return (
    <>
      <p className={css['hint']}>{reviewHint({ mayRevise, mayStartOver: mayReject && canRun, isScript })}</p>
      <p className={css['actions']}>
        {mayRevise && (
          <Button isSmall type="submit" look="primary" isBusy={isPending} disabled={comment === ''}>
            {askLabel(comments.length)}
          </Button>
        )}
        {mayReject && canRun && (
          <Button isSmall isBusy={isPending} onClick={() => onDecide({ action: 'reject', comment, runs: true })}>
            Start over
          </Button>
        )}
        {mayReject && (
          <Button
            isSmall
            look="quiet"
            isBusy={isPending}
            onClick={() => onDecide({ action: 'reject', comment, runs: false })}
          >
            Reject
          </Button>
        )}
        <Button isSmall look="quiet" onClick={onCancel}>
          Not now
        </Button>
      </p>
    </>
  )
}

/** What the button sends. */
function askLabel(lines: number): string {
  return lines === 0
    ? 'Ask for changes'
    : `Ask for changes with ${countOf(lines, 'comment on a line', 'comments on lines')}`
}
