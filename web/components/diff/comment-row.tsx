import { useEffect, useRef } from 'react'
import { showUnseen } from '../../model/hostile-text.ts'
import { splitSuggestions, toSuggestion } from '../../model/suggestion.ts'
import { Button } from '../button.tsx'
import css from './comment.module.css'
import type { Place } from './rows.ts'

export interface CommentRowProps {
  readonly place: Place
  readonly text: string
  /** What the line has; undefined where no change of it can be suggested. */
  readonly code: string | undefined
  readonly isLost: boolean
  readonly isOpen: boolean
  readonly isReadOnly: boolean
  readonly onText: (text: string) => void
  readonly onOpen: () => void
  readonly onClose: () => void
}

/** A comment on a line: being written, or as it will go to the agent. */
export function CommentRow({
  place,
  text,
  code,
  isLost,
  isOpen,
  isReadOnly,
  onText,
  onOpen,
  onClose,
}: CommentRowProps) {
  const label = `${place.side === 'old' ? 'old line' : 'line'} ${place.line}`
  return (
    <div className={css['row']}>
      <section className={css['box']} aria-label={`Comment on ${label}`}>
        <p className={css['place']}>
          <b>You</b> on {label}
          {isLost && ', which this diff does not show'}
        </p>
        {isOpen ? (
          <Editor label={label} text={text} code={code} onText={onText} onClose={onClose} />
        ) : (
          <Written text={text} isNew={place.side === 'new'} />
        )}
        {!isReadOnly && (
          <p className={css['actions']}>
            <span>Goes to the agent when you ask for changes</span>
            {text !== '' && (
              <Button
                isSmall
                look="quiet"
                onClick={() => {
                  onText('')
                  onClose()
                }}
              >
                Delete
              </Button>
            )}
            {isOpen ? (
              <Button isSmall onClick={onClose}>
                {text === '' ? 'Cancel' : 'Keep'}
              </Button>
            ) : (
              <Button isSmall onClick={onOpen}>
                Edit
              </Button>
            )}
          </p>
        )}
      </section>
    </div>
  )
}

/** A comment as it is read: what it suggests stands apart. */
function Written({ text, isNew }: { readonly text: string; readonly isNew: boolean }) {
  if (!isNew) return <p>{text}</p>
  return splitSuggestions(text).map((part, index) =>
    part.kind === 'text' ? (
      <p key={index}>{part.text}</p>
    ) : (
      <figure key={index} className={css['suggestion']}>
        <figcaption>
          {part.lines.length === 0 ? 'Suggested: the line goes' : 'Suggested in place of the line'}
        </figcaption>
        {part.lines.length > 0 && <pre>{part.lines.map(showUnseen).join('\n')}</pre>}
      </figure>
    ),
  )
}

interface EditorProps {
  readonly label: string
  readonly text: string
  readonly code: string | undefined
  readonly onText: (text: string) => void
  readonly onClose: () => void
}

/** Every change is kept at once, so closing loses nothing. */
function Editor({ label, text, code, onText, onClose }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // Without scrolling: the row is in sight, and the list would be moved by what is being measured.
    field.current?.focus({ preventScroll: true })
  }, [])
  const suggest = (): void => {
    const before = text.trimEnd()
    onText(`${before === '' ? '' : `${before}\n`}${toSuggestion(code ?? '')}\n`)
    field.current?.focus({ preventScroll: true })
  }
  const canSuggest = code !== undefined && splitSuggestions(text).every(({ kind }) => kind === 'text')
  return (
    <>
      <textarea
        ref={field}
        className={css['field']}
        rows={Math.min(12, Math.max(3, text.split('\n').length))}
        aria-label={`Comment on ${label}`}
        placeholder="What is to be different here?"
        value={text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }}
      />
      {canSuggest && (
        <p>
          <Button isSmall look="quiet" onClick={suggest}>
            Suggest a change
          </Button>
        </p>
      )}
    </>
  )
}
