import { formatSpan } from '../../../core/amounts.ts'
import css from './execution.module.css'
import type { PhaseStep } from './phases.ts'

const WORDS = { done: 'done', now: 'under way', next: 'to come', failed: 'failed' } as const

/** The steps of the run with the time of each; the one that failed is marked. */
export function PhaseSteps({ steps }: { readonly steps: readonly PhaseStep[] }) {
  return (
    <ol className={css['phases']} aria-label="Phases">
      {steps.map(({ id, label, hint, state, spanMs }) => (
        <li key={id} data-state={state} title={hint}>
          <i aria-hidden />
          <span>
            {state === 'failed' && '✗ '}
            {label} {spanMs !== undefined && <span className={css['time']}>{formatSpan(spanMs)}</span>}
            <span className="unseen">, {WORDS[state]}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
