import { memo, use } from 'react'
import type { DiffFile, DiffLine } from '../../model/git-diff.ts'
import { CodeText } from './code-text.tsx'
import css from './code.module.css'
import { MAX_SHOWN } from './row-heights.ts'
import { type LineRow, type PairRow, type Place, placeOfLine } from './rows.ts'
import { SyntaxContext } from './use-syntax.ts'
import { type Range, compareWords } from './words.ts'

export interface CodeRowProps {
  readonly file: DiffFile
  /** Opens the comment of a line; undefined where none may be written. */
  readonly onComment: ((place: Place) => void) | undefined
}

const SIGNS = { context: '', added: '+', deleted: '−' } as const
const SPOKEN = { context: '', added: 'added: ', deleted: 'deleted: ' } as const
const NO_MARKS: readonly Range[] = []

/** One line below the other: old number, new number, sign, text. */
export const UnifiedRow = memo(function UnifiedRow({ row, ...rest }: CodeRowProps & { readonly row: LineRow }) {
  const { line, partner } = row
  const [before, after] = line.kind === 'deleted' ? [line, partner] : [partner, line]
  const changes = before === undefined || after === undefined ? undefined : compareWords(before.text, after.text)
  const marks = (line.kind === 'deleted' ? changes?.before : changes?.after) ?? NO_MARKS
  return (
    <div className={css['unified']} data-kind={line.kind}>
      <LineNumber line={line.kind === 'added' ? undefined : line} side="old" {...rest} />
      <LineNumber line={line.kind === 'deleted' ? undefined : line} side="new" {...rest} />
      <Cell line={line} marks={marks} file={rest.file} />
    </div>
  )
})

/** The old file on the left, the new one on the right. */
export const SplitRow = memo(function SplitRow({ row, ...rest }: CodeRowProps & { readonly row: PairRow }) {
  const { left, right } = row
  const isChange = left !== undefined && right !== undefined && left !== right
  const changes = isChange ? compareWords(left.text, right.text) : undefined
  return (
    <div className={css['split']}>
      <LineNumber line={left} side="old" {...rest} />
      <Cell line={left} marks={changes?.before ?? NO_MARKS} file={rest.file} />
      <LineNumber line={right} side="new" {...rest} />
      <Cell line={right} marks={changes?.after ?? NO_MARKS} file={rest.file} />
    </div>
  )
})

interface CellProps {
  readonly file: DiffFile
  readonly line: DiffLine | undefined
  readonly marks: readonly Range[]
}

function Cell({ file, line, marks }: CellProps) {
  const tokensOf = use(SyntaxContext)
  if (line === undefined) return <span className={css['cell']} data-kind="none" />
  return (
    <span className={css['cell']} data-kind={line.kind} data-long={line.text.length > MAX_SHOWN || undefined}>
      <span className={css['sign']} aria-hidden>
        {SIGNS[line.kind]}
      </span>
      <span className={css['code']}>
        {line.kind !== 'context' && <span className="unseen">{SPOKEN[line.kind]}</span>}
        <span className={css['shifted']}>
          <CodeText
            text={line.text}
            marks={marks}
            tokens={tokensOf(file, line)}
            hasNoNewline={line.hasNoNewline === true}
          />
        </span>
      </span>
    </span>
  )
}

interface LineNumberProps extends CodeRowProps {
  readonly line: DiffLine | undefined
  readonly side: 'old' | 'new'
}

/** The number of a line; pressed, it opens a comment there. The keyboard has `c` for the same. */
function LineNumber({ line, side, file, onComment }: LineNumberProps) {
  const number = side === 'old' ? line?.old : line?.new
  if (line === undefined || number === undefined) return <span className={css['number']} data-kind="none" />
  if (onComment === undefined)
    return (
      <span className={css['number']} data-kind={line.kind}>
        {number}
      </span>
    )
  return (
    <button
      type="button"
      tabIndex={-1}
      className={css['number']}
      data-kind={line.kind}
      aria-label={`Comment on ${side === 'old' ? 'old line' : 'line'} ${number}`}
      onClick={() => onComment(placeOfLine(file.path, line))}
    >
      {number}
    </button>
  )
}
