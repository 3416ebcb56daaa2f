import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import css from './dialog.module.css'

interface DialogProps {
  readonly title: string
  /** A warning to read before answering the question in the title. */
  readonly warning?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Something over the view: keeps the focus, closes with Escape, gives the focus back. */
export function Dialog({ title, warning, onClose, children }: DialogProps) {
  const [before] = useState(() => document.activeElement)
  const said = warning === undefined ? { 'aria-describedby': undefined } : { role: 'alertdialog' }
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={css['ground']} />
        <Primitive.Content
          className={css['dialog']}
          {...said}
          onCloseAutoFocus={(event) => {
            // The library gives it back to its own trigger alone, and there is none.
            event.preventDefault()
            if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
          }}
        >
          <Primitive.Title className={css['title']}>{title}</Primitive.Title>
          {warning !== undefined && <Primitive.Description className={css['warning']}>{warning}</Primitive.Description>}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
