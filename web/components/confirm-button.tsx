import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import css from './confirm-button.module.css'
import { onEscape } from './on-escape.ts'

interface ConfirmButtonProps {
  readonly children: ReactNode
  /** Says what will happen: `Delete the task and its 3 attempts?` */
  readonly question: string
  /** The button that does it, named after what it does: `Delete`. */
  readonly confirm: string
  /** The button that does not. */
  readonly decline?: string
  readonly onConfirm: () => void
  readonly look?: 'plain' | 'quiet' | 'danger'
  readonly isSmall?: boolean
  readonly isBusy?: boolean
  /** Names the decision, for what presses it from elsewhere. */
  readonly action?: string
  /** Why it asks by itself: what has changed since somebody confirmed; '' or left out for nothing. */
  readonly again?: string
}

/** A button that asks once, in its own place, before it does what cannot be taken back. */
export function ConfirmButton(props: ConfirmButtonProps) {
  // A reason to ask again opens the question anew.
  return <Asking key={props.again} {...props} />
}

function Asking(props: ConfirmButtonProps) {
  const {
    children,
    confirm,
    decline = 'No',
    onConfirm,
    look = 'plain',
    isSmall = false,
    isBusy,
    action,
    again = '',
  } = props
  // Undefined: it has not asked yet. Once it has, its button has the focus again.
  const [isAsking, setAsking] = useState(again === '' ? undefined : true)
  const question = again === '' ? props.question : `${again} ${props.question}`
  if (isAsking !== true)
    return (
      <Button
        look={look}
        isSmall={isSmall}
        isBusy={isBusy ?? false}
        autoFocus={isAsking === false}
        data-action={action}
        onClick={() => setAsking(true)}
      >
        {children}
      </Button>
    )
  return (
    <span role="alertdialog" aria-label={question} className={css['ask']} onKeyDown={onEscape(() => setAsking(false))}>
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
