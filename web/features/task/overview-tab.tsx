import { Link } from '@tanstack/react-router'
import type { Task } from '../../../core/rest/client/client.ts'
import { AnswerForm } from '../../components/answer-form.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { EnvironmentNote, UndeliveredNote } from '../../components/review-notes.tsx'
import { questionsOf } from '../../model/answers.ts'
import { hasAgentBegun, hasFailed } from '../../model/failed-run.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { nextWords } from '../../model/task-words.ts'
import { Surroundings, Work } from './evidence.tsx'
import { FailedChecks } from './failed-checks.tsx'
import { LastRun } from './last-run.tsx'
import { Part } from './part.tsx'
import css from './task.module.css'
import { type TaskShown, findLastRun } from './shown.ts'
import type { TaskDecisions } from './use-task-decisions.ts'

/** What one wants to know first: what is asked, what happens next, what was done, and what was to be done. */
export function OverviewTab(shown: TaskShown) {
  const { task, decisions } = shown
  const { description, agent, elaboration_input } = task
  const lastRun = findLastRun(shown)
  return (
    <div className={css['overview']}>
      {task.error_category === 'checks' && lastRun !== undefined && (
        <FailedChecks key={`${lastRun.id} checks`} execution={lastRun} />
      )}
      {hasFailed(task) && lastRun !== undefined && hasAgentBegun(lastRun) && task.error_category !== 'checks' && (
        <LastRun key={lastRun.id} execution={lastRun} />
      )}
      <div className={css['column']}>
        {task.state === 'BLOCKED' && task.question !== undefined && <Question task={task} decisions={decisions} />}
        <Next task={task} />
        <EnvironmentNote execution={lastRun} environments={shown.project?.environments} />
        <UndeliveredNote execution={lastRun} />
        <Work task={task} />
        <Part title="What is to be done">
          {description === undefined && agent?.instructions === undefined && elaboration_input === undefined && (
            <p className={css['dim']}>The task has no description: the agent sees its name only.</p>
          )}
          {description !== undefined && <Markdown text={description} />}
          {elaboration_input !== undefined && elaboration_input !== description && (
            <Markdown text={elaboration_input} />
          )}
          {agent?.instructions !== undefined && (
            <CodeBlock text={showUnseen(agent.instructions)} label="Instructions to the agent" isWrapped />
          )}
        </Part>
      </div>
      <div className={css['column']}>
        <Surroundings {...shown} />
      </div>
    </div>
  )
}

function Question({ task, decisions }: { readonly task: Task; readonly decisions: TaskDecisions }) {
  return (
    <section className={css['question']} aria-label="Question of the agent" tabIndex={-1} data-question>
      <AnswerForm
        questions={questionsOf(task)}
        answers={decisions.answers}
        canAnswer={task.actions.includes('answer')}
        isPending={decisions.isPending}
        held={decisions.held}
        onAnswers={decisions.setAnswers}
        onSend={(answer) => decisions.decide({ action: 'answer', answer })}
      />
    </section>
  )
}

/** What happens now, and what was said last; nothing where the state says all. */
function Next({ task }: { readonly task: Task }) {
  const words = nextWords(task)
  const isArchived = task.archived_at !== undefined
  const last = isArchived ? undefined : task.decisions.at(-1)
  const since = task.archived_at ?? last?.at
  const hasLive = task.state === 'RUNNING' && task.execution_id !== undefined
  if (words === undefined && !hasLive) return null
  return (
    <div className={css['next']} role="status">
      {words !== undefined && (
        <p>
          {showUnseen(words)} {since !== undefined && <TimeAgo at={since} />}
        </p>
      )}
      {last?.comment !== undefined && words !== undefined && <p className={css['quote']}>{showUnseen(last.comment)}</p>}
      {hasLive && (
        <p>
          <Link to="/executions/$executionId" params={{ executionId: task.execution_id ?? '' }}>
            Watch it work
          </Link>
        </p>
      )}
    </div>
  )
}
