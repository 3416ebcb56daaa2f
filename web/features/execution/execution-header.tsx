import { Link } from '@tanstack/react-router'
import { ChevronRight, GitBranch } from 'lucide-react'
import type { ReactNode } from 'react'
import { countOf, findSpan, formatSpan, formatSpending, formatTokens } from '../../../core/sentences/amounts.ts'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { PURPOSE_LABELS } from '../../../core/sentences/states.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Changes } from '../../components/changes.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { executionStateWords } from '../../model/state-words.ts'
import { serviceWords } from '../../../core/sentences/services.ts'
import { formatInstant } from '../../model/time.ts'
import type { GivenAnswer, Transcript } from '../../model/transcript.ts'
import { AnswerNote } from './asked-note.tsx'
import css from './execution.module.css'
import { FailureNote } from './failure-note.tsx'
import { type PhaseStep, mirrorNote, phaseSteps, queuedAtOf } from './phases.ts'
import { RunMoves } from './run-moves.tsx'
import { spendingOf } from './spending.ts'

interface ExecutionHeaderProps {
  readonly execution: Execution
  readonly task: Task | undefined
  readonly isLive: boolean
  /** The one that goes on from it. */
  readonly next: Execution | undefined
  /** To what the agent asked at the end. */
  readonly answer: GivenAnswer | undefined
  readonly transcript: Transcript
}

/** What it is, how it stands, how far it is and what it costs; Stop always in reach. */
export function ExecutionHeader({ execution, task, isLive, next, answer, transcript }: ExecutionHeaderProps) {
  const nowMs = useServerTime(1_000)
  const { id, task_id, attempt } = execution
  const steps = phaseSteps(execution, queuedAtOf(execution, task), nowMs)
  const note = mirrorNote(steps)
  return (
    <header className={css['header']}>
      <nav className={css['crumb']} aria-label="Where this is">
        <Link to="/tasks">Tasks</Link>
        <ChevronRight size={12} aria-hidden />
        {task_id !== undefined && (
          <>
            <Link to="/tasks/$taskId" params={{ taskId: task_id }}>
              {task_id}
            </Link>
            <ChevronRight size={12} aria-hidden />
          </>
        )}
        <span>{attempt === undefined ? id : `Execution ${id.slice((task_id ?? '').length + 1) || id}`}</span>
      </nav>
      <div className={css['line']}>
        <h1>
          {task === undefined ? (
            id
          ) : (
            <Link to="/tasks/$taskId" params={{ taskId: task.id }}>
              {task.name}
            </Link>
          )}
        </h1>
        <RunMoves execution={execution} task={task} isLive={isLive} />
      </div>
      <Facts {...{ execution, task, next, transcript, nowMs }} />
      <AnswerNote execution={execution} />
      <FailureNote {...{ execution, task, answer }} />
      <PhaseSteps steps={steps} />
      {note !== undefined && <p className={css['note']}>{note}</p>}
    </header>
  )
}

interface FactsProps extends Pick<ExecutionHeaderProps, 'execution' | 'task' | 'next' | 'transcript'> {
  readonly nowMs: number
}

function Facts({ execution, task, next, transcript, nowMs }: FactsProps) {
  const { agent, model, attempt, started_at, branch, changes, resumes, services } = execution
  const span = findSpan(execution, nowMs)
  const { costUSD, tokensIn, tokensOut, turns } = spendingOf(execution, transcript)
  const facts: readonly ReactNode[] = [
    [agent, model].filter((part) => part !== undefined).join(' '),
    attempt !== undefined && `attempt ${attempt}, ${PURPOSE_LABELS[execution.purpose]}`,
    resumes !== undefined && <ExecutionLink key="from" words="Goes on from" id={resumes} />,
    next !== undefined && <ExecutionLink key="in" words="Goes on in" id={next.id} />,
    span !== undefined && (
      <time key="span" dateTime={started_at} title={`began ${formatInstant(started_at ?? '')}`}>
        {formatSpan(span)}
        {task?.timeout_seconds !== undefined &&
          execution.finished_at === undefined &&
          ` of ${formatSpan(task.timeout_seconds * 1_000)}`}
      </time>
    ),
    formatSpending(costUSD, task?.budget_usd),
    tokensIn + tokensOut > 0 && `${formatTokens(tokensIn)} in, ${formatTokens(tokensOut)} out`,
    turns !== undefined && countOf(turns, 'turn'),
    changes !== undefined && changes.files > 0 && <Changes key="changes" {...changes} />,
    ...(services ?? []).map(serviceWords),
    branch !== undefined && (
      <span key="branch" className={css['branch']}>
        <GitBranch size={SMALL_ICON} aria-hidden />
        <code>{branch}</code>
        <CopyButton text={branch} label="Copy the name of the branch" isIconOnly />
      </span>
    ),
  ]
  return (
    <div className={css['facts']}>
      <StateBadge words={executionStateWords(execution)} isLoud />
      {facts
        .filter((fact) => fact !== false && fact !== '')
        .map((fact, index) => (
          <span key={index}>{fact}</span>
        ))}
    </div>
  )
}

function ExecutionLink({ words, id }: { readonly words: string; readonly id: string }) {
  return (
    <>
      {words}{' '}
      <Link to="/executions/$executionId" params={{ executionId: id }} className={css['link']}>
        {id}
      </Link>
    </>
  )
}

const WORDS = { done: 'done', now: 'under way', next: 'to come', failed: 'failed' } as const

/** The steps of the run with the time of each; the one that failed is marked. */
function PhaseSteps({ steps }: { readonly steps: readonly PhaseStep[] }) {
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
