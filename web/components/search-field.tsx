import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import css from './filters.module.css'
import { SMALL_ICON } from './icons.tsx'

/** The text goes into the URL after a pause in typing, because each change of the URL makes the router navigate. */
const REST_MS = 120

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The field that the key / goes to. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [told, setTold] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (value !== told) {
    // Changed by something else, such as a saved view or the history.
    setTold(value)
    setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: string): void => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setTold(next)
      onChange(next)
    }, REST_MS)
  }
  return (
    <label className={css['field']}>
      <Search size={SMALL_ICON} aria-hidden />
      <input
        type="search"
        placeholder={label}
        aria-label={label}
        data-search-field
        value={text}
        onChange={({ target }) => change(target.value)}
      />
      <kbd aria-hidden>/</kbd>
    </label>
  )
}
