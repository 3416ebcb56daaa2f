import css from './filters.module.css'

interface FilterSelectProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly { readonly id: string; readonly name: string }[]
  /** What it says while none of them is chosen. */
  readonly none?: string
  readonly onChange: (value: string | undefined) => void
}

/** One of several values, or none of them. */
export function FilterSelect({ label, value, options, none = 'all', onChange }: FilterSelectProps) {
  return (
    <label className={css['pill']} data-on={value !== undefined || undefined}>
      {label}
      <select value={value ?? ''} onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}>
        <option value="">{none}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
