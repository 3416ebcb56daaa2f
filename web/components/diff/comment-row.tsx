import { useEffect, useRef } from 'react'
import { Button } from '../button.tsx'
import css from './comment.module.css'
import type { Place } from './rows.ts'

export interface CommentRowProps {
  readonly place: Place
  readonly text: string
  readonly isLost: boolean
  readonly isOpen: boolean
  readonly isReadOnly: boolean
  readonly onText: (text: string) => void
  readonly onOpen: () => void
  readonly onClose: () => void
}

/** A comment on a line: being written, or as it will go to the agent. */
export function CommentRow({ place, text, isLost, isOpen, isReadOnly, onText, onOpen, onClose }: CommentRowProps) {
  const label = `${place.side === 'old' ? 'old line' : 'line'} ${place.line}`
  return (
    <div className={css['row']}>
      <section className={css['box']} aria-label={`Comment on ${label}`}>
        <p className={css['place']}>
          <b>You</b> on {label}
          {isLost && ', which this diff does not show'}
        </p>
        {isOpen ? <Editor label={label} text={text} onText={onText} onClose={onClose} /> : <p>{text}</p>}
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

interface EditorProps {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  readonly onClose: () => void
}

/** Every change is kept at once, so closing loses nothing. */
function Editor({ label, text, onText, onClose }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // Without scrolling: the row is in sight, and the list would be moved by what is being measured.
    field.current?.focus({ preventScroll: true })
  }, [])
  return (
    <textarea
      ref={field}
      className={css['field']}
      rows={3}
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
  )
}
