import type { ReactNode } from 'react'
import { useRef } from 'react'
import css from './form-page.module.css'

interface FormPageProps {
  readonly onSubmit: () => void
  readonly children: ReactNode
  /** The buttons; they stay in sight. */
  readonly actions: ReactNode
}

/** A form as a page: its sections scroll, its buttons stay. Ctrl+Enter sends it from any field. */
export function FormPage({ onSubmit, children, actions }: FormPageProps) {
  const form = useRef<HTMLFormElement>(null)
  return (
    <form
      ref={form}
      noValidate
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        form.current?.requestSubmit()
      }}
    >
      <div className={css['body']}>
        <div className={css['column']}>{children}</div>
      </div>
      <div className={css['actions']}>
        <div>{actions}</div>
      </div>
    </form>
  )
}
