import type { GitDiff } from '../../model/git-diff.ts'
import type { LineComment } from '../../model/review.ts'
import { placeOf } from '../../model/review.ts'
import { Button } from '../button.tsx'
import css from './diff-view.module.css'

interface LostCommentsProps {
  readonly diff: GitDiff
  readonly comments: readonly LineComment[]
  readonly onCommentsChange: (comments: readonly LineComment[]) => void
  readonly isReadOnly: boolean
}

/** Comments on files that the diff does not have, such as one on an earlier attempt: they are still part of the draft. */
export function LostComments({ diff, comments, onCommentsChange, isReadOnly }: LostCommentsProps) {
  if (comments.length === 0) return null
  const paths = new Set(diff.files.map(({ path }) => path))
  const lost = comments.filter(({ file }) => !paths.has(file))
  if (lost.length === 0) return null
  return (
    <ul className={css['lost']} aria-label="Comments on files that this diff does not have">
      {lost.map((comment) => (
        <li key={placeOf(comment)}>
          <code>
            {comment.file}:{comment.line}
          </code>{' '}
          is not in this diff: {comment.text}
          {!isReadOnly && (
            <Button
              isSmall
              look="quiet"
              onClick={() => onCommentsChange(comments.filter((other) => other !== comment))}
            >
              Delete
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}
