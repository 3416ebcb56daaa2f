import { formatCost, formatTook } from '../../../core/sentences/amounts.ts'
import { roundsWords } from '../../../core/sentences/checks.ts'
import { Link } from '@tanstack/react-router'
import { useServerTime } from '../../api/server-clock.ts'
import { Markdown } from '../../components/markdown.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { type Attempt, verdictWords } from '../../model/attempts.ts'
import { executionStateWords } from '../../model/state-words.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { lastReview } from '../../model/review.ts'
import { AttemptsNote } from './attempts-note.tsx'
import { FactList } from './fact-list.tsx'
import { Part } from './part.tsx'
import css from './task.module.css'
import type { TaskShown } from './shown.ts'

/** The others are a tab away. */
const BRIEF = 5

/** What speaks for the work or against it: what the agent says, what was decided before, the attempts, the facts. */
export function Evidence(shown: TaskShown) {
  return (
    <>
      <Work {...shown} of={shown.attempts.attempts.find(({ execution }) => execution.id === shown.work.picked)} />
      <Surroundings {...shown} />
    </>
  )
}

interface WorkProps extends Pick<TaskShown, 'task'> {
  /** An earlier attempt whose work is shown; undefined: the task's. */
  readonly of?: Attempt | undefined
}

/** What the agent says that it did, and what a person said to that, or to the attempt before. */
export function Work({ task, of }: WorkProps) {
  const { state } = task
  const summary = of === undefined ? task.summary : of.execution.summary
  const comment = of === undefined ? lastReview(task) : of.verdict?.comment
  return (
    <>
      {(summary !== undefined || state === 'READY') && (
        <Part title={of === undefined ? 'What it did' : `What ${of.name} did`}>
          {summary === undefined ? (
            <p className={css['dim']}>The agent left no summary.</p>
          ) : (
            <Markdown text={summary} />
          )}
        </Part>
      )}
      {comment !== undefined && (
        <Part title="What was to be different">
          <p className={css['quote']}>{showUnseen(comment)}</p>
        </Part>
      )}
    </>
  )
}

/** The facts, and the attempts in short: those are read later, and push nothing away. */
export function Surroundings({ task, attempts: state }: TaskShown) {
  const { attempts } = state
  return (
    <>
      <Part title="Details">
        <FactList task={task} />
      </Part>
      <AttemptsNote state={state} />
      {attempts.length > 0 && (
        <Part title="Attempts">
          <ul className={css['brief']}>
            {attempts.slice(0, BRIEF).map((attempt) => (
              <BriefAttempt key={attempt.execution.id} {...attempt} />
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

function BriefAttempt({ name, execution, verdict }: TaskShown['attempts']['attempts'][number]) {
  const nowMs = useServerTime()
  const figures = [formatTook(execution, nowMs), roundsWords(execution, nowMs), formatCost(execution.cost_usd)].filter(
    (part) => part !== undefined,
  )
  return (
    <li>
      <Link to="/executions/$executionId" params={{ executionId: execution.id }}>
        {name}
      </Link>
      <StateBadge words={executionStateWords(execution)} />
      <small>
        {[verdict && showUnseen(verdictWords(verdict)), ...figures].filter((part) => part !== undefined).join(' · ')} ·{' '}
        <TimeAgo at={execution.created_at} />
      </small>
    </li>
  )
}
