import { formatChanges, formatCost, formatTook } from '../../../core/sentences/amounts.ts'
import { PURPOSE_LABELS } from '../../../core/sentences/states.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useServerTime } from '../../api/server-clock.ts'
import { Button } from '../../components/button.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { type Attempt, agentName, verdictWords } from '../../model/attempts.ts'
import { executionStateWords } from '../../model/state-words.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { AttemptsNote } from './attempts-note.tsx'
import { Comparison } from './comparison.tsx'
import type { TaskShown } from './shown.ts'
import css from './task.module.css'

/** Every execution of the task; two of them can be put side by side. */
export function AttemptsTab({ attempts: state, work, onTab }: TaskShown) {
  const { attempts, isPending, error, retry } = state
  const [chosen, setChosen] = useState<readonly string[]>([])
  if (isPending && error === undefined) return <Skeleton rows={3} label="The attempts are being read" />
  if (error !== undefined && attempts.length === 0)
    return <ErrorState title="The attempts could not be read" error={error} onRetry={retry} />
  if (attempts.length === 0)
    return (
      <EmptyState title="It has not run yet">
        Each run of the task appears here, with its time, cost and end.
      </EmptyState>
    )
  const pair = attempts.filter(({ execution }) => chosen.includes(execution.id)).toReversed()
  const [left, right] = pair
  const toggle = (id: string): void =>
    // A third choice replaces the first.
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen.slice(-1), id])
  const hasDiff = (attempt: Attempt): boolean => work.pickable.includes(attempt)
  const showDiff = (): void => {
    if (left === undefined || right === undefined) return
    work.compare(left.execution.id, right.execution.id)
    onTab('diff')
  }
  return (
    <div className={css['wide']}>
      <AttemptsNote state={state} />
      <div className={css['scroll']}>
        <table className={css['table']}>
          <caption className="unseen">Attempts, newest first</caption>
          <thead>
            <tr>
              {attempts.length > 1 && <th scope="col">Compare</th>}
              {['Attempt', 'Outcome', 'Kind', 'Agent', 'Time', 'Cost', 'Changes', 'Began'].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <AttemptRow
                key={attempt.execution.id}
                attempt={attempt}
                isChosen={chosen.includes(attempt.execution.id)}
                onToggle={attempts.length > 1 ? toggle : undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
      {left !== undefined && right !== undefined && (
        <Comparison left={left} right={right} onDiff={hasDiff(left) && hasDiff(right) ? showDiff : undefined} />
      )}
      {attempts.length > 1 && right === undefined && (
        <p className={css['hint']}>
          Choose two attempts to compare them, or{' '}
          <Button isSmall onClick={() => setChosen(attempts.slice(0, 2).map(({ execution }) => execution.id))}>
            compare the last two
          </Button>
        </p>
      )}
    </div>
  )
}

interface AttemptRowProps {
  readonly attempt: Attempt
  readonly isChosen: boolean
  readonly onToggle: ((id: string) => void) | undefined
}

function AttemptRow({ attempt: { name, execution, verdict }, isChosen, onToggle }: AttemptRowProps) {
  const nowMs = useServerTime(execution.finished_at === undefined ? 1_000 : 60_000)
  return (
    <tr>
      {onToggle !== undefined && (
        <td>
          <input
            type="checkbox"
            aria-label={`Compare ${name}`}
            checked={isChosen}
            onChange={() => onToggle(execution.id)}
          />
        </td>
      )}
      <th scope="row">
        <Link to="/executions/$executionId" params={{ executionId: execution.id }}>
          {name}
        </Link>
      </th>
      <td>
        <StateBadge words={executionStateWords(execution)} />
        {verdict !== undefined && <small className={css['verdict']}>{showUnseen(verdictWords(verdict))}</small>}
      </td>
      <td>{PURPOSE_LABELS[execution.purpose]}</td>
      <td>{agentName(execution)}</td>
      <td>{formatTook(execution, nowMs)}</td>
      <td>{formatCost(execution.cost_usd)}</td>
      <td>{formatChanges(execution.changes)}</td>
      <td>
        <TimeAgo at={execution.started_at ?? execution.created_at} />
      </td>
    </tr>
  )
}
