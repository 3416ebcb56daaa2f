import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { TextInput } from '../../components/form.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import css from './new-task.module.css'

interface Named {
  readonly id: string
  readonly name: string
}

interface RecordPickerProps {
  readonly records: readonly Named[]
  readonly value: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
  /** True: any number of them. */
  readonly isMany?: boolean
  readonly placeholder: string
}

/** So many are offered; whoever looks for another types more of it. */
const OFFERED = 200

/** One or several records, found by name or id; what was picked stands below the field. The control of a Field. */
export function RecordPicker({ records, value, onChange, isMany = false, placeholder }: RecordPickerProps) {
  const list = useId()
  const [text, setText] = useState('')
  const type = (typed: string): void => {
    const found = records.find(({ id }) => id === typed.trim())
    setText(found === undefined ? typed : '')
    if (found !== undefined) onChange(isMany ? [...new Set([...value, found.id])] : [found.id])
  }
  const wanted = text.trim().toLowerCase()
  const offered = records.filter(
    ({ id, name }) => !value.includes(id) && (id.includes(wanted) || name.toLowerCase().includes(wanted)),
  )
  return (
    <div className={css['picker']}>
      <TextInput list={list} placeholder={placeholder} value={text} onChange={type} />
      <datalist id={list}>
        {offered.slice(0, OFFERED).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      {value.length > 0 && (
        <ul className={css['picked']}>
          {value.map((id) => (
            <Picked
              key={id}
              name={records.find((record) => record.id === id)?.name ?? id}
              onRemove={() => onChange(value.filter((each) => each !== id))}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function Picked({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return (
    <li>
      <span>{name}</span>
      <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
        <X size={SMALL_ICON} aria-hidden />
      </button>
    </li>
  )
}
