import type { ReactNode } from 'react'
import { useId } from 'react'
import { Button } from './button.tsx'
import css from './form.module.css'
import { TextArea, TextInput } from './form.tsx'

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

/** What the server refuses that is about no field of this form. */
export function FormError({ text }: { readonly text: string | undefined }) {
  return text === undefined || text === '' ? null : (
    <p className={css['formError']} role="alert">
      {text}
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

export type Pair = readonly [key: string, value: string]

interface KeyValueEditorProps {
  /** What the pairs are, for screen readers: `Label`. */
  readonly noun: string
  readonly value: readonly Pair[]
  readonly onChange: (value: readonly Pair[]) => void
  readonly keyPlaceholder?: string
  readonly valuePlaceholder?: string
}

/** Names with their values, a row each; stands beside fields, not in one, because it has many controls. */
export function KeyValueEditor({ noun, value, onChange, keyPlaceholder, valuePlaceholder }: KeyValueEditorProps) {
  const change = (index: number, pair: Pair): void => onChange(value.map((old, at) => (at === index ? pair : old)))
  return (
    <div className={css['pairs']} role="group" aria-label={`${noun}s`}>
      {value.map(([key, text], index) => (
        <div key={index}>
          <TextInput
            isCode
            aria-label={`${noun} ${index + 1}: name`}
            placeholder={keyPlaceholder}
            value={key}
            onChange={(next) => change(index, [next, text])}
          />
          <TextInput
            isCode
            aria-label={`${noun} ${index + 1}: value`}
            placeholder={valuePlaceholder}
            value={text}
            onChange={(next) => change(index, [key, next])}
          />
          <Button
            isSmall
            look="quiet"
            aria-label={`Remove ${noun} ${index + 1}`}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button isSmall onClick={() => onChange([...value, ['', '']])}>
        Add
      </Button>
    </div>
  )
}
