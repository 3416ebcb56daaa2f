import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from './button.tsx'
import css from './confirm-button.module.css'

interface ConfirmButtonProps {
  readonly children: ReactNode
  /** What is about to happen: `Delete the task and its 3 attempts?` */
  readonly question: string
  /** The button that does it, named after what it does: `Delete`. */
  readonly confirm: string
  /** The button that does not. */
  readonly decline?: string
  readonly onConfirm: () => void
  readonly look?: 'plain' | 'quiet' | 'danger'
  readonly isSmall?: boolean
  readonly isBusy?: boolean
}

/** A button that asks once, in its own place, before it does what cannot be taken back. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, question, confirm, decline = 'No', onConfirm, look = 'plain', isSmall = false, isBusy } = props
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <Button look={look} isSmall={isSmall} isBusy={isBusy ?? false} onClick={() => setAsking(true)}>
        {children}
      </Button>
    )
  return (
    <span
      role="alertdialog"
      aria-label={question}
      className={css['ask']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // What lies around this, such as a panel, stays open.
        event.preventDefault()
        setAsking(false)
      }}
    >
      <span>{question}</span>
      <Button
        isSmall={isSmall}
        look="danger"
        onClick={() => {
          setAsking(false)
          onConfirm()
        }}
      >
        {confirm}
      </Button>
      <Button isSmall={isSmall} autoFocus onClick={() => setAsking(false)}>
        {decline}
      </Button>
    </span>
  )
}
