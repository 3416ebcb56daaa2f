import { X } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import { type BulkDecision, type BulkRun, bulkWords } from '../model/bulk.ts'
import css from './bulk-bar.module.css'
import { Button } from './button.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import { SMALL_ICON } from './icons.tsx'

/** A decision about those of the selected records that allow it. */
export interface BulkAction<R, A extends string> {
  readonly action: A
  readonly label: string
  /** Asked before it is done, if it cannot be taken back. */
  readonly question?: (records: readonly R[]) => string
}

interface BulkBarProps<R, A extends string> {
  readonly actions: readonly BulkAction<R, A>[]
  readonly selected: readonly R[]
  readonly isBusy: boolean
  /** Gives the ids of those where it was done. */
  readonly decide: (label: string, records: readonly R[], decision: BulkDecision<A>) => Promise<ReadonlySet<string>>
  readonly onClear: () => void
  /** Those where a decision was done; the others stay selected. */
  readonly onDone: (ids: ReadonlySet<string>) => void
}

interface Decidable {
  readonly actions: readonly string[]
}

/** What can be done with the selected rows; nothing while there are none. A decision that no row allows has no button. */
export function BulkBar<R extends Decidable, A extends string>(props: BulkBarProps<R, A>) {
  const { actions, selected, isBusy, onClear, onDone } = props
  if (selected.length === 0) return null
  const decide = (label: string, records: readonly R[], decision: BulkDecision<A>): void =>
    void props.decide(label, records, decision).then(onDone)
  return (
    <div className={css['bar']} role="toolbar" aria-label="Decide about what is selected">
      <b>{selected.length} selected</b>
      {actions.map(({ action, label, question }) => {
        const allowed = selected.filter((record) => record.actions.includes(action))
        if (allowed.length === 0) return null
        const words = allowed.length === selected.length ? label : `${label} ${allowed.length} of ${selected.length}`
        const take = (): void => decide(label, allowed, { action })
        return question === undefined ? (
          <Button key={action} isSmall isBusy={isBusy} onClick={take}>
            {words}
          </Button>
        ) : (
          <ConfirmButton
            key={action}
            isSmall
            isBusy={isBusy}
            question={question(allowed)}
            confirm={`${label} them`}
            onConfirm={take}
          >
            {words}
          </ConfirmButton>
        )
      })}
      <BulkPriority
        isBusy={isBusy}
        onGive={(priority) => decide(`Priority ${priority}`, selected, { action: 'priority', priority })}
      />
      <button className={css['away']} aria-label="Clear the selection" title="Clear the selection" onClick={onClear}>
        <X size={SMALL_ICON} aria-hidden />
      </button>
    </div>
  )
}

/** Priorities are 32-bit integers (specification §3.11). */
const LIMIT = 2 ** 31 - 1

/** A number and the button that gives it to all selected rows. */
function BulkPriority({ isBusy, onGive }: { isBusy: boolean; onGive: (priority: number) => void }) {
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
