import css from './filters.module.css'

interface FilterSelectProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly { readonly id: string; readonly name: string }[]
  readonly onChange: (value: string | undefined) => void
}

/** One of several values, or all. */
export function FilterSelect({ label, value, options, onChange }: FilterSelectProps) {
  return (
    <label className={css['pill']} data-on={value !== undefined || undefined}>
      {label}
      <select value={value ?? ''} onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}>
        <option value="">all</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
