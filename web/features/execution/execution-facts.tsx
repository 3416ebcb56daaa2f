import { Link } from '@tanstack/react-router'
import { GitBranch } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  countOf,
  findSpan,
  formatSize,
  formatSpan,
  formatSpending,
  formatTokens,
} from '../../../core/sentences/amounts.ts'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { serviceWords } from '../../../core/sentences/services.ts'
import { PURPOSE_LABELS } from '../../../core/sentences/states.ts'
import { shortCommit } from '../../../core/text.ts'
import { Changes } from '../../components/changes.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { executionStateWords } from '../../model/state-words.ts'
import { formatInstant } from '../../model/time.ts'
import type { Transcript } from '../../model/transcript.ts'
import css from './execution.module.css'
import { spendingOf } from './spending.ts'

interface FactsProps {
  readonly execution: Execution
  readonly task: Task | undefined
  /** The one that goes on from it. */
  readonly next: Execution | undefined
  readonly transcript: Transcript
  readonly nowMs: number
}

/** What an execution is, in one line: by whom, for how long, at what cost, and what it goes on from. */
export function Facts({ execution, task, next, transcript, nowMs }: FactsProps) {
  const { agent, model, attempt, started_at, branch, changes, resumes, services, environment, sealed } = execution
  const span = findSpan(execution, nowMs)
  const { costUSD, tokensIn, tokensOut, turns } = spendingOf(execution, transcript)
  const facts: readonly ReactNode[] = [
    [agent, model].filter((part) => part !== undefined).join(' '),
    attempt !== undefined && `attempt ${attempt}, ${PURPOSE_LABELS[execution.purpose]}`,
    execution.purpose === 'prepare' && PURPOSE_LABELS.prepare,
    sealed?.commit !== undefined && <Sealed key="sealed" sealed={sealed} />,
    environment?.execution !== undefined && (
      <ExecutionLink key="environment" words="Environment taken from" id={environment.execution} />
    ),
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

/** What a setup has made. */
function Sealed({ sealed: { commit = '', bytes, is_shared } }: { readonly sealed: NonNullable<Execution['sealed']> }) {
  return (
    <>
      {bytes !== undefined && `${formatSize(bytes)} `}at <code>{shortCommit(commit)}</code>
      {is_shared === true && ', for all tasks'}
    </>
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
