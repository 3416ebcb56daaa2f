import { Link } from '@tanstack/react-router'
import type { Story } from '../../../core/rest/client/client.ts'
import { StateBadge } from '../../components/state-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import type { StateWords } from '../../model/state-words.ts'
import css from './story.module.css'

type Evaluation = Story['evaluation']
type Run = NonNullable<Evaluation['runs']>[number]

const OUTCOME_WORDS: Readonly<Record<Run['outcome'], StateWords>> = {
  running: { tone: 'run', icon: 'play', text: 'Judging' },
  answered: { tone: 'done', icon: 'done', text: 'Answered' },
  failed: { tone: 'fail', icon: 'failed', text: 'Failed' },
  cancelled: { tone: 'wait', icon: 'stopped', text: 'Cancelled' },
}

const ROLE_WORDS: Readonly<Record<Run['role'], string>> = {
  first: 'first opinion',
  second: 'second opinion',
  arbiter: 'arbiter between the two',
}

/** What the evaluation says of itself, and the agents that were asked in this round. */
export function EvaluationRuns({ evaluation }: { readonly evaluation: Evaluation }) {
  const { message, runs = [], round } = evaluation
  if (message === undefined && runs.length === 0) return null
  return (
    <div className={css['evaluation']}>
      {message !== undefined && <p>{message}</p>}
      {runs.length > 0 && (
        <details open={runs.some(({ outcome }) => outcome !== 'answered')}>
          <summary>
            Round {round ?? 1}: {runs.length === 1 ? 'one agent was asked' : `${runs.length} times an agent was asked`}
          </summary>
          <ul className={css['runs']}>
            {runs.map((run) => (
              <li key={run.execution_id}>
                <StateBadge words={OUTCOME_WORDS[run.outcome]} />
                <Link to="/executions/$executionId" params={{ executionId: run.execution_id }}>
                  {run.agent}, {ROLE_WORDS[run.role]}
                </Link>
                {run.finished_at !== undefined && <TimeAgo at={run.finished_at} />}
                {run.message !== undefined && <span className={css['note']}>{run.message}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
