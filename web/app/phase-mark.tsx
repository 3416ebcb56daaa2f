import { useConnection } from '../api/connection.ts'
import { useNarrow } from '../components/use-narrow.ts'
import css from './shell.module.css'

const PHASE_WORDS = { starting: 'Connecting…', live: 'Live', away: 'Not connected' } as const

interface PhaseMarkProps {
  /** True: that of a phone, without its word while all is well. There is one on the page: it is a live region. */
  readonly isSmall?: boolean
}

/** Whether the page hears of what happens. */
export function PhaseMark({ isSmall = false }: PhaseMarkProps) {
  const { phase } = useConnection()
  if (useNarrow() !== isSmall) return null
  return (
    <span role="status" className={css['phase']}>
      <b className={css['dot']} data-phase={phase} />
      <span className={isSmall && phase === 'live' ? 'unseen' : undefined}>{PHASE_WORDS[phase]}</span>
    </span>
  )
}
