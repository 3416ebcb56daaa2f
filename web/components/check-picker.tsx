import { type Check, CheckState } from './checks.tsx'
import css from './checks.module.css'

interface CheckPickerProps {
  readonly checks: readonly Check[]
  readonly picked: Check | undefined
  readonly nowMs?: number
  readonly onPick: (check: Check) => void
}

/** The checks of a round, of which one is read. */
export function CheckPicker({ checks, picked, nowMs, onPick }: CheckPickerProps) {
  return (
    <ul className={css['list']}>
      {checks.map((check) => (
        <li key={check.name}>
          <button
            type="button"
            className={css['pick']}
            aria-pressed={check.name === picked?.name && check.round === picked.round}
            onClick={() => onPick(check)}
          >
            <CheckState check={check} {...(nowMs === undefined ? {} : { nowMs })} />
          </button>
        </li>
      ))}
    </ul>
  )
}
