import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import css from './dialog.module.css'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Something over the view: keeps the focus, closes with Escape, gives the focus back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={css['ground']} />
        <Primitive.Content className={css['dialog']} aria-describedby={undefined}>
          <Primitive.Title className={css['title']}>{title}</Primitive.Title>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
