import { type ReactNode, useId } from 'react'
import { showUnseen } from '../model/hostile-text.ts'
import css from './form.module.css'
import { TextArea } from './form.tsx'

interface CheckboxProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly isChecked: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** A statement that holds or not; its label stands beside it. */
export function Checkbox({ label, hint, isChecked, isDisabled = false, onChange }: CheckboxProps) {
  const id = useId()
  return (
    <div className={css['check']}>
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <div id={`${id}-hint`} className={css['hint']}>
          {hint}
        </div>
      )}
    </div>
  )
}

interface FormSectionProps {
  readonly title: string
  readonly hint?: ReactNode
  /** Left out: always open. */
  readonly isFolded?: boolean
  readonly children: ReactNode
}

/** Fields that belong together; folded away where few people need them. */
export function FormSection({ title, hint, isFolded, children }: FormSectionProps) {
  const body = (
    <>
      {hint !== undefined && <p className={css['hint']}>{hint}</p>}
      {children}
    </>
  )
  if (isFolded === undefined)
    return (
      <section className={css['section']} aria-label={title}>
        <h2>{title}</h2>
        {body}
      </section>
    )
  return (
    <details className={css['section']} open={!isFolded}>
      <summary>{title}</summary>
      <div className={css['folded']}>{body}</div>
    </details>
  )
}

/** Fields side by side, two in a row. */
export function FieldPair({ children }: { readonly children: ReactNode }) {
  return <div className={css['pair']}>{children}</div>
}

/** What the server refuses that is about no field of this form. */
export function FormError({ text }: { readonly text: string | undefined }) {
  return text === undefined || text === '' ? null : (
    <p className={css['formError']} role="alert" data-refused>
      {showUnseen(text)}
    </p>
  )
}

interface ListEditorProps {
  readonly value: readonly string[]
  readonly onChange: (value: readonly string[]) => void
  readonly placeholder?: string
}

/** A list of texts, one on each line: it can be pasted and sorted like text. The control of a {@link Field}. */
export function ListEditor({ value, onChange, placeholder }: ListEditorProps) {
  return (
    <TextArea
      isCode
      rows={2}
      placeholder={placeholder}
      value={value.join('\n')}
      onChange={(text) => onChange(text === '' ? [] : text.split('\n'))}
    />
  )
}
