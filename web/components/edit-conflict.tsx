import { useId } from 'react'
import type { FieldChange } from '../model/field-changes.ts'
import { showUnseen } from '../model/hostile-text.ts'
import css from './edit-conflict.module.css'

const ELEMENTS = { kept: 'span', added: 'ins', removed: 'del' } as const

/** What somebody else has made of a record while it was edited, above the button that saves nevertheless. */
export function EditConflict({ changes }: { readonly changes: readonly FieldChange[] }) {
  const id = useId()
  return (
    <div className={css['conflict']} role="group" aria-labelledby={id}>
      <p id={id} role="alert">
        Somebody else has changed this meanwhile
      </p>
      {changes.map(({ label, lines }) => (
        <div key={label}>
          <h3>{label}</h3>
          <pre>
            {lines.map(({ kind, text }, index) => {
              const Line = ELEMENTS[kind]
              return <Line key={index}>{showUnseen(text)}</Line>
            })}
          </pre>
        </div>
      ))}
      <p>Nothing was saved, and what you typed is still here.</p>
    </div>
  )
}
