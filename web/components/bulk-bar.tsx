import { X } from 'lucide-react'
import type { ReactNode, SyntheticEvent } from 'react'
import { useState } from 'react'
import type { BulkRun } from '../model/bulk.ts'
import { bulkWords } from '../model/bulk.ts'
import css from './bulk-bar.module.css'
import { Button } from './button.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { SMALL_ICON } from './icons.tsx'

interface BulkBarProps {
  readonly selected: number
  readonly onClear: () => void
  /** The decisions about what is selected. */
  readonly children: ReactNode
}

/** What can be done with the selected rows; nothing while there are none. */
export function BulkBar({ selected, onClear, children }: BulkBarProps) {
  if (selected === 0) return null
  return (
    <div className={css['bar']} role="toolbar" aria-label="Decide about what is selected">
      <b>{selected} selected</b>
      {children}
      <button className={css['away']} aria-label="Clear the selection" title="Clear the selection" onClick={onClear}>
        <X size={SMALL_ICON} aria-hidden />
      </button>
    </div>
  )
}

interface BulkButtonProps {
  readonly label: string
  /** How many of the selected rows allow it, of how many. */
  readonly allowed: number
  readonly selected: number
  readonly isBusy: boolean
  /** What is asked before it is done, for what cannot be taken back. */
  readonly question?: ((count: number) => string) | undefined
  readonly onClick: () => void
}

/** A decision about those of the selected rows that allow it; not there where none does. */
export function BulkButton({ label, allowed, selected, isBusy, question, onClick }: BulkButtonProps) {
  if (allowed === 0) return null
  const words = allowed === selected ? label : `${label} ${allowed} of ${selected}`
  if (question === undefined)
    return (
      <Button isSmall isBusy={isBusy} onClick={onClick}>
        {words}
      </Button>
    )
  return (
    <ConfirmButton isSmall isBusy={isBusy} question={question(allowed)} confirm={`${label} them`} onConfirm={onClick}>
      {words}
    </ConfirmButton>
  )
}

/** Priorities are 32-bit integers (specification §3.11). */
const LIMIT = 2 ** 31 - 1

/** A number and the button that gives it to all selected rows. */
export function BulkPriority({ isBusy, onGive }: { isBusy: boolean; onGive: (priority: number) => void }) {
  const [text, setText] = useState('')
  const priority = /^-?\d+$/.test(text) ? Number(text) : undefined
  const isValid = priority !== undefined && Math.abs(priority) <= LIMIT
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (isValid) onGive(priority)
  }
  return (
    <form className={css['priority']} onSubmit={onSubmit}>
      <input
        inputMode="numeric"
        aria-label="Priority, lower first"
        placeholder="Priority"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button isSmall type="submit" isBusy={isBusy} disabled={!isValid}>
        Set
      </Button>
    </form>
  )
}

/** What became of each record of a bulk decision; stays until it is put away. */
export function BulkOutcomes({ run, onPutAway }: { run: BulkRun | undefined; onPutAway: () => void }) {
  if (run === undefined) return null
  const refused = run.outcomes.filter(({ isDone }) => !isDone)
  const isOver = run.outcomes.length === run.total
  return (
    <section className={css['outcomes']} aria-label="What became of the last decision">
      <p role="status">
        <b>{bulkWords(run)}</b>
        {refused.length > 0 && ':'}
      </p>
      {isOver && (
        <button className={css['away']} aria-label="Put away" onClick={onPutAway}>
          <X size={SMALL_ICON} aria-hidden />
        </button>
      )}
      {refused.length > 0 && (
        <ul>
          {refused.map(({ id, name, message }) => (
            <li key={id}>
              <b>{name}</b> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
