import type { CheckLogState } from '../model/check-signs.ts'
import type { Check } from './checks.tsx'
import css from './checks.module.css'
import { LogView } from './log/log-view.tsx'
import { EmptyState, ErrorState, Skeleton } from './view-states.tsx'

interface CheckLogProps {
  readonly check: Check
  readonly log: CheckLogState
}

/** What a check printed; of a red one, at its first failure. It has a height of its own. */
export function CheckLog({ check: { name, round, state }, log }: CheckLogProps) {
  const { total, error, retry, isPending, line, address, lineAt, onRange } = log
  const isLive = state === 'running'
  if (error !== undefined) return <ErrorState title="The log could not be read" error={error} onRetry={retry} />
  if (total === undefined || isPending) return <Skeleton rows={4} label="The log is being read" />
  if (total === 0) return <EmptyState title={isLive ? 'It has printed nothing yet' : 'It printed nothing'} />
  return (
    <>
      <div className={css['log']}>
        <LogView
          label={`Log of ${name}, round ${round}`}
          marked=""
          isWrapped={false}
          target={line}
          {...{ total, lineAt, onRange, isLive }}
        />
      </div>
      <p className={css['download']}>
        <a href={address} download={`${name}-${round}.log`}>
          Download
        </a>
      </p>
    </>
  )
}
