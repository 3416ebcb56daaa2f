import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Execution } from '../../../core/rest/client/client.ts'
import { useExecutionDiff } from '../../api/diffs.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Button } from '../../components/button.tsx'
import { useCheckLog } from '../../api/execution-log.ts'
import { CheckLog } from '../../components/check-log.tsx'
import type { Check } from '../../components/checks.tsx'
import { CheckPicker } from '../../components/check-picker.tsx'
import { ReadOnlyDiff } from '../../components/diff/diff-view.tsx'
import { FilterSelect } from '../../components/filter-select.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { firstToRead } from '../../model/check-signs.ts'
import { compareStates } from '../../model/diff-between.ts'
import css from './execution.module.css'

/** The checks of each round, the last one first: what each printed, what it checked, and what changed between two. */
export function ChecksTab({ execution }: { readonly execution: Execution }) {
  const { checks = [] } = execution
  const search = useSearch({ from: '/executions/$executionId' })
  const navigate = useNavigate({ from: '/executions/$executionId' })
  const [diffOf, setDiffOf] = useState<number>()
  const isRunning = checks.some(({ state }) => state === 'running')
  const nowMs = useServerTime(isRunning ? 1_000 : 60_000)
  const rounds = [...new Set(checks.map(({ round }) => round))].sort((a, b) => b - a)
  const last = checks.filter(({ round }) => round === rounds[0])
  const picked = checks.find(({ name, round }) => `${round}/${name}` === search.check) ?? firstToRead(last)
  if (picked === undefined)
    return <EmptyState title="Nothing was checked">The checks of its project run when the agent has ended.</EmptyState>
  const pick = (check: typeof picked): void => {
    setDiffOf(undefined)
    void navigate({
      search: (now) => ({ ...now, tab: 'checks', check: `${check.round}/${check.name}` }),
      replace: true,
      resetScroll: false,
    })
  }
  return (
    <div className={css['split']}>
      <div className={css['details']}>
        {rounds.map((round) => (
          <section key={round} aria-label={`Round ${round}`}>
            <h2>
              {rounds.length === 1 ? 'Checks' : `Round ${round}`}{' '}
              <Button isSmall look="quiet" aria-pressed={diffOf === round} onClick={() => setDiffOf(round)}>
                What it checked
              </Button>
            </h2>
            <CheckPicker
              checks={checks.filter((check) => check.round === round)}
              picked={picked}
              onPick={pick}
              nowMs={nowMs}
            />
          </section>
        ))}
        {diffOf === undefined && (
          <section aria-label="Log">
            <h2>
              Log of {picked.name}
              {rounds.length > 1 && `, round ${picked.round}`}
            </h2>
            <Log key={`${picked.round}/${picked.name}`} executionId={execution.id} check={picked} />
          </section>
        )}
      </div>
      {diffOf !== undefined && (
        <RoundDiff
          key={diffOf}
          executionId={execution.id}
          round={diffOf}
          rounds={rounds}
          onClose={() => setDiffOf(undefined)}
        />
      )}
    </div>
  )
}

interface RoundDiffProps {
  readonly executionId: string
  readonly round: number
  readonly rounds: readonly number[]
  readonly onClose: () => void
}

/** What the checks of a round saw, against the base or against what those of an earlier round saw. */
function RoundDiff({ executionId, round, rounds, onClose }: RoundDiffProps) {
  const [since, setSince] = useState<string>()
  const whole = useExecutionDiff(executionId, round)
  const earlier = useExecutionDiff(since === undefined ? undefined : executionId, Number(since ?? 0))
  const state = useMemo(
    // All rounds of an execution are against the base that it began from.
    () => (since === undefined ? whole : compareStates(earlier, whole, { earlier: executionId, later: executionId })),
    [since, whole, earlier, executionId],
  )
  const options = rounds
    .filter((other) => other < round)
    .map((other) => ({ id: String(other), name: `round ${other}` }))
  return (
    <div className={css['changes']}>
      <p className={css['note']}>
        {options.length > 0 && (
          <FilterSelect label="Changes since" none="its base" value={since} options={options} onChange={setSince} />
        )}{' '}
        <Button isSmall onClick={onClose}>
          Back to the log
        </Button>
      </p>
      <ReadOnlyDiff executionId={`${executionId} round ${round} since ${since ?? 'base'}`} state={state} />
    </div>
  )
}

function Log({ executionId, check }: { readonly executionId: string; readonly check: Check }) {
  return <CheckLog check={check} log={useCheckLog(executionId, check)} />
}
