import { countOf } from '../../../core/sentences/amounts.ts'
import { memo, useState } from 'react'
import css from './code.module.css'
import { MAX_SHOWN } from './row-heights.ts'
import type { Token } from './syntax.ts'
import { type TextPart, toParts } from './visible-text.ts'
import type { Range } from './words.ts'

const STEP = 20_000

interface CodeTextProps {
  readonly text: string
  readonly marks: readonly Range[]
  readonly tokens: readonly Token[]
  readonly hasNoNewline: boolean
}

/** The text of a line, nothing in it unseen; of a long line the beginning. */
export const CodeText = memo(function CodeText({ text, marks, tokens, hasNoNewline }: CodeTextProps) {
  const [shown, setShown] = useState(MAX_SHOWN)
  const left = text.length - shown
  return (
    <>
      <VisibleText text={left > 0 ? text.slice(0, shown) : text} marks={marks} tokens={tokens} />
      {left > 0 && (
        <button type="button" className={css['long']} tabIndex={-1} onClick={() => setShown(shown + STEP)}>
          {countOf(left, 'more character')}
        </button>
      )}
      {hasNoNewline && <span className={css['noNewline']}>no newline at end of file</span>}
    </>
  )
})

interface VisibleTextProps {
  readonly text: string
  readonly marks?: readonly Range[]
  readonly tokens?: readonly Token[]
}

/** A text with every character that has no shape of its own named, some ranges marked, and some in colours. */
export function VisibleText({ text, marks = NO_MARKS, tokens }: VisibleTextProps) {
  return toParts(text, marks, tokens).map((part, index) => <Part key={index} part={part} />)
}

const NO_MARKS: readonly Range[] = []

function Part({ part }: { readonly part: TextPart }) {
  if (part.kind === 'text') {
    const text = part.isMarked ? <mark>{part.text}</mark> : part.text
    return part.token === undefined ? text : <span data-token={part.token}>{text}</span>
  }
  if (part.kind === 'tab') return <span className={css['tab']}>{'\t'}</span>
  return (
    <span className={css['control']} title="A character that has no shape of its own">
      {part.name}
    </span>
  )
}
