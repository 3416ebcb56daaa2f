import { type ReactNode, useEffect, useRef } from 'react'
import type { FieldErrors } from '../model/field-errors.ts'
import css from './form-page.module.css'

interface FormPageProps {
  readonly onSubmit: () => void
  readonly children: ReactNode
  /** The sections that stand beside the others where there is room, and below them elsewhere. */
  readonly aside: ReactNode
  /** Its fields can be read, and nothing can be typed. */
  readonly isLocked?: boolean
  /** What was refused: it is brought into sight, or the first field with a fault takes the focus. */
  readonly errors: FieldErrors
  /** The buttons; they stay in sight. */
  readonly actions: ReactNode
}

/** A form as a page: its sections scroll, its buttons stay. Ctrl+Enter sends it from any field. */
export function FormPage({ onSubmit, errors, children, aside, isLocked = false, actions }: FormPageProps) {
  const form = useRef<HTMLFormElement>(null)
  // A text, so that only another refusal counts, and not another object that says the same.
  const refused = [errors.rest, ...[...errors.byField].flat()].join('')
  useEffect(() => {
    if (refused === '') return
    const said = form.current?.querySelector('[data-refused]')
    if (said) said.scrollIntoView({ block: 'center' })
    else form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [refused])
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
        <fieldset disabled={isLocked} className={css['columns']}>
          <div>{children}</div>
          <div>{aside}</div>
        </fieldset>
      </div>
      <div className={css['actions']}>
        <div>{actions}</div>
      </div>
    </form>
  )
}
