import { showUnseen } from '../../model/hostile-text.ts'
import { type LineComment, placeOf } from '../../model/review.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import css from './diff-view.module.css'

interface LostCommentsProps {
  readonly label: string
  /** Why they stand beside no line. */
  readonly why: string
  readonly lost: readonly LineComment[]
  /** Undefined: they cannot be deleted. */
  readonly onDelete: ((comment: LineComment) => void) | undefined
}

/** Comments of the draft that stand beside no line of the diff, with their texts, to be copied or deleted. */
export function LostComments({ label, why, lost, onDelete }: LostCommentsProps) {
  if (lost.length === 0) return null
  return (
    <ul className={css['lost']} aria-label={label}>
      {lost.map((comment) => (
        <li key={`${comment.execution ?? ''} ${placeOf(comment)}`}>
          <code>
            {showUnseen(comment.file)}:{comment.line}
          </code>{' '}
          {why}: {comment.text}
          <CopyButton text={comment.text} label="Copy the comment" isIconOnly />
          {onDelete !== undefined && (
            <Button isSmall look="quiet" onClick={() => onDelete(comment)}>
              Delete
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
