import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { showUnseen } from '../model/hostile-text.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import css from './review-form.module.css'
import area from './text-area.module.css'

interface OvertakenNoteProps {
  /** What has happened. */
  readonly words: string
  /** What was being written. */
  readonly text: string
  readonly onDiscard: () => void
  /** What can be done with the text instead. */
  readonly children?: ReactNode
}

/** In the place of a form whose record somebody else has decided about: what was written stays until it is discarded. */
export function OvertakenNote({ words, text, onDiscard, children }: OvertakenNoteProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  // Before anything else takes the focus that went with the form.
  useLayoutEffect(() => {
    // Who was typing goes on typing: into this, and not into the keys of what stands below.
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={css['form']} role="alert">
      <p>{showUnseen(words)}</p>
      <textarea
        ref={field}
        className={`${area['text']} ${css['text']}`}
        aria-label="What you had written"
        readOnly
        value={text}
      />
      <p className={css['actions']}>
        {children}
        <CopyButton text={text} label="Copy it" />
        <Button isSmall look="quiet" onClick={onDiscard}>
          Discard it
        </Button>
      </p>
    </div>
  )
}
