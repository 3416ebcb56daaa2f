/** The parts of every form: a label, a control, what it is for, and the server's words where it refuses the value. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  createContext,
  useContext,
  useId,
} from 'react'
import { showUnseen } from '../model/hostile-text.ts'
import css from './form.module.css'

interface Described {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
}

const FieldContext = createContext<Described | undefined>(undefined)

export interface FieldProps {
  readonly label: string
  /** Name of the field in the REST API; the first one with an error is focused by it. */
  readonly name?: string | undefined
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** Said behind the label; every other field is needed. */
  readonly isOptional?: boolean | undefined
  readonly children: ReactNode
}

/** A label with its one control, which takes its id and its descriptions from here. */
export function Field({ label, name, hint, error, isOptional = false, children }: FieldProps) {
  const id = useId()
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter((part) => part !== '')
    .join(' ')
  return (
    <div className={css['field']} data-field={name}>
      <label htmlFor={id}>
        {label}
        {isOptional && <span className={css['optional']}> optional</span>}
      </label>
      <FieldContext
        value={{
          id,
          ...(described === '' ? {} : { 'aria-describedby': described }),
          ...(error === undefined ? {} : { 'aria-invalid': true }),
        }}
      >
        {children}
      </FieldContext>
      {hint !== undefined && (
        <div id={`${id}-hint`} className={css['hint']}>
          {hint}
        </div>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}

function FieldError({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p id={id} className={css['error']} role="alert">
      {showUnseen(text)}
    </p>
  )
}

type WithoutChange<P> = Omit<P, 'onChange' | 'value'>

interface TextInputProps extends WithoutChange<InputHTMLAttributes<HTMLInputElement>> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** For ids, URLs, commands. */
  readonly isCode?: boolean
}

export function TextInput({ onChange, isCode = false, ...rest }: TextInputProps) {
  const described = useContext(FieldContext)
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={!isCode}
      {...rest}
      {...described}
      className={css['control']}
      data-code={isCode || undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface TextAreaProps extends WithoutChange<TextareaHTMLAttributes<HTMLTextAreaElement>> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isCode?: boolean
}

/** Grows with its text. */
export function TextArea({ onChange, isCode = false, ...rest }: TextAreaProps) {
  const described = useContext(FieldContext)
  return (
    <textarea
      rows={3}
      spellCheck={!isCode}
      {...rest}
      {...described}
      className={css['control']}
      data-code={isCode || undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

export interface Option<V extends string = string> {
  readonly value: V
  readonly label: string
}

interface SelectProps<V extends string> extends WithoutChange<SelectHTMLAttributes<HTMLSelectElement>> {
  readonly value: V
  readonly options: readonly Option<V>[]
  readonly onChange: (value: V) => void
}

export function Select<V extends string>({ options, onChange, ...rest }: SelectProps<V>) {
  const described = useContext(FieldContext)
  const choose = (value: string): void => {
    const option = options.find((each) => each.value === value)
    if (option !== undefined) onChange(option.value)
  }
  return (
    <select {...rest} {...described} className={css['control']} onChange={({ target }) => choose(target.value)}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}
