import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Execution } from '../../../core/rest/client/client.ts'
import { useCheckLog } from '../../api/execution-log.ts'
import { CheckLog } from '../../components/check-log.tsx'
import type { Check } from '../../components/checks.tsx'
import { CheckPicker } from '../../components/check-picker.tsx'
import { firstToRead, worstFirst } from '../../model/check-signs.ts'
import css from './task.module.css'

/** Which checks of the last round hold the work back, and what the first of them printed, at its first failure. */
export function FailedChecks({ execution }: { readonly execution: Execution }) {
  const { id, checks = [], rounds = 1 } = execution
  const last = worstFirst(checks.filter(({ round }) => round === rounds))
  const [picked, setPicked] = useState<string>()
  const check = last.find(({ name }) => name === picked) ?? firstToRead(last)
  if (check === undefined) return null
  return (
    <section className={css['part']} aria-label="Checks">
      <h2>
        {rounds === 1 ? 'Checks' : `Checks of round ${rounds}, the last one`}{' '}
        <Link to="/executions/$executionId" params={{ executionId: id }} search={{ tab: 'checks' }}>
          {rounds === 1 ? 'Show all' : 'Show all rounds'}
        </Link>
      </h2>
      <CheckPicker checks={last} picked={check} onPick={({ name }) => setPicked(name)} />
      <Log key={check.name} executionId={id} check={check} />
    </section>
  )
}

function Log({ executionId, check }: { readonly executionId: string; readonly check: Check }) {
  return <CheckLog check={check} log={useCheckLog(executionId, check)} />
}
