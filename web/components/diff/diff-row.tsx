import { countOf } from '../../../core/sentences/amounts.ts'
import type { DiffFile } from '../../model/git-diff.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { type LineComment, placeOf } from '../../model/review.ts'
import { Button } from '../button.tsx'
import { SplitRow, UnifiedRow } from './code-row.tsx'
import { VisibleText } from './code-text.tsx'
import { CommentRow } from './comment-row.tsx'
import css from './diff-list.module.css'
import { FileHeader } from './file-header.tsx'
import { type CommentRow as CommentRowData, type Place, type Row, LINES_AT_ONCE } from './rows.ts'
import type { DiffModel } from './use-diff-model.ts'

interface DiffRowProps {
  readonly row: Row
  readonly model: DiffModel
  readonly comments: readonly LineComment[]
  readonly onComment: (comment: LineComment) => void
  readonly isReadOnly: boolean
}

/** One row of the list, whatever it is. */
export function DiffRow({ row, ...rest }: DiffRowProps) {
  const { model, isReadOnly } = rest
  const file = model.views[row.fileIndex]?.file
  const path = file?.path ?? ''
  const onComment = isReadOnly ? undefined : model.setOpen
  switch (row.kind) {
    case 'file':
      return (
        <FileHeader
          view={row.view}
          onFold={() => model.fold(path, !row.view.isFolded)}
          onViewed={(isViewed) => model.setViewed(path, isViewed)}
        />
      )
    case 'note':
      return <p className={css['note']}>{row.text}</p>
    case 'hunk':
      return <HunkRow skipped={row.skipped} heading={row.heading} />
    case 'more':
      return (
        <p className={css['note']}>
          <Button isSmall onClick={() => model.showMore(path)}>
            Show {countOf(Math.min(row.left, LINES_AT_ONCE), 'more line')}
          </Button>{' '}
          Not shown yet of this file: {countOf(row.left, 'line')}.
        </p>
      )
    case 'line':
      return file && <UnifiedRow row={row} file={file} onComment={onComment} />
    case 'pair':
      return file && <SplitRow row={row} file={file} onComment={onComment} />
    case 'comment':
      return <Comment {...rest} row={row} />
    default:
      return row satisfies never
  }
}

/** A longer line is made by a program. */
const MAX_CODE = 2_000

/** What a line of the new state has, which a suggestion replaces; undefined where that is not to be edited by hand. */
function codeAt(file: DiffFile | undefined, { side, line }: Place): string | undefined {
  if (file === undefined || side === 'old') return undefined
  for (const { lines } of file.hunks) {
    const text = lines.find((found) => found.new === line)?.text
    // What cannot be seen would go along unseen.
    if (text !== undefined) return text.length > MAX_CODE || showUnseen(text) !== text ? undefined : text
  }
  return undefined
}

function HunkRow({ skipped, heading }: { readonly skipped: number; readonly heading: string }) {
  return (
    <p className={css['hunk']}>
      {skipped > 0 && countOf(skipped, 'unchanged line')}
      {heading !== '' && (
        <code>
          <VisibleText text={heading} />
        </code>
      )}
    </p>
  )
}

function Comment({ row, model, comments, onComment, isReadOnly }: DiffRowProps & { readonly row: CommentRowData }) {
  const { place, isLost } = row
  const name = placeOf(place)
  const isOpen = model.open !== undefined && placeOf(model.open) === name && !isReadOnly
  const text = comments.find((comment) => placeOf(comment) === name)?.text ?? ''
  const code = codeAt(model.views[row.fileIndex]?.file, place)
  const close = (): void => {
    model.setOpen(undefined)
    // Back to the lines, so that the keyboard goes on where it was.
    document.querySelector<HTMLElement>('[data-diff-list]')?.focus({ preventScroll: true })
  }
  return (
    <CommentRow
      {...{ place, isLost, text, code, isOpen, isReadOnly }}
      onText={(next) => onComment({ ...place, text: next, ...(code === undefined ? {} : { code }) })}
      onOpen={() => model.setOpen(place)}
      onClose={close}
    />
  )
}
