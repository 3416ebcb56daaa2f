import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { formatSpan } from '../../../core/sentences/amounts.ts'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { useRecords } from '../../api/queries.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { EnvironmentNote } from '../../components/review-notes.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { capitalised } from '../../model/texts.ts'
import type { GivenAnswer, Transcript } from '../../model/transcript.ts'
import { AnswerNote } from './asked-note.tsx'
import css from './execution.module.css'
import { Facts } from './execution-facts.tsx'
import { FailureNote } from './failure-note.tsx'
import { type PhaseStep, lateNotes, phaseSteps, queuedAtOf } from './phases.ts'
import { RunMoves } from './run-moves.tsx'

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
  const { data: projects = [] } = useRecords('projects')
  const queuedAt = queuedAtOf(execution, task)
  const steps = phaseSteps(execution, queuedAt, nowMs)
  const environments = projects.flatMap((project) => project.environments ?? [])
  const environment = environments.find((one) => one.execution === execution.environment?.execution)
  return (
    <header className={css['header']}>
      <nav className={css['crumb']} aria-label="Where this is">
        <Crumbs execution={execution} />
        <span>{attempt === undefined ? id : `Execution ${id.slice((task_id ?? '').length + 1) || id}`}</span>
      </nav>
      <div className={css['line']}>
        <h1>
          {task === undefined ? (
            titleOf(execution)
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
      <EnvironmentNote execution={execution} environments={environments} />
      <PhaseSteps steps={steps} />
      {isLive && execution.waiting_for !== undefined && (
        <p className={css['note']}>{capitalised(showUnseen(execution.waiting_for))}.</p>
      )}
      {lateNotes(steps, execution, environment, queuedAt).map((note) => (
        <p key={note} className={css['note']}>
          {note}
        </p>
      ))}
    </header>
  )
}

/** The lists above an execution: those of its project where it is about no task. */
function Crumbs({ execution: { task_id, project_id } }: { readonly execution: Execution }) {
  const isOfProject = task_id === undefined && project_id !== undefined
  return (
    <>
      {isOfProject ? <Link to="/projects">Projects</Link> : <Link to="/tasks">Tasks</Link>}
      <ChevronRight size={12} aria-hidden />
      {isOfProject && (
        <Link to="/projects/$projectId" params={{ projectId: project_id }}>
          {project_id}
        </Link>
      )}
      {task_id !== undefined && (
        <Link to="/tasks/$taskId" params={{ taskId: task_id }}>
          {task_id}
        </Link>
      )}
      {(isOfProject || task_id !== undefined) && <ChevronRight size={12} aria-hidden />}
    </>
  )
}

function titleOf({ id, purpose, project_id }: Execution): string {
  return purpose === 'prepare' ? `Setup of ${project_id ?? id}` : id
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
