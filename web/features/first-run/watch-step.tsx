import { countOf } from '../../../core/sentences/amounts.ts'
import { Link } from '@tanstack/react-router'
import type { Task } from '../../../core/rest/client/client.ts'
import { useProjectOf } from '../../api/project-of.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useAnswers } from '../../api/task-drafts.ts'
import { useTaskDecision } from '../../api/use-decision.ts'
import { AcceptConsequence } from '../../components/accept-consequence.tsx'
import { AnswerForm } from '../../components/answer-form.tsx'
import { Button } from '../../components/button.tsx'
import { DecidingNote } from '../../components/deciding-note.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { telling } from '../../components/toast.tsx'
import { questionsOf } from '../../model/answers.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { acceptEffect } from '../../../core/sentences/accept.ts'
import { runWords } from '../../model/task-words.ts'
import { taskStateWords } from '../../model/state-words.ts'
import css from './first-run.module.css'
import { nextWords } from './steps.ts'

/** The first task as it goes: where it is, what comes next, and its decision. */
export function WatchStep({ task, onLeave }: { readonly task: Task; readonly onLeave: () => void }) {
  const nowMs = useServerTime()
  const project = useProjectOf(task.project)
  const [answers, setAnswers] = useAnswers(task.id)
  const { decide, isPending, held } = useTaskDecision(
    task,
    telling(task.name, ({ action }) => action === 'answer' && setAnswers({})),
  )
  const { changes, actions } = task
  const asks = actions.includes('answer')
  const again = (['resume', 'run'] as const).find((action) => actions.includes(action))
  return (
    <section className={css['card']} aria-labelledby="first-run-step">
      <h2 id="first-run-step">{task.name}</h2>
      <div aria-live="polite" className={css['now']}>
        <StateBadge words={taskStateWords(task, nowMs)} isLoud />
        <p>{showUnseen(nextWords(task))}</p>
        {task.state === 'READY' && task.branch !== undefined && (
          <p>
            {changes === undefined ? 'The work' : countOf(changes.files, 'changed file')} on <code>{task.branch}</code>
          </p>
        )}
      </div>
      {asks && (
        <AnswerForm
          questions={questionsOf(task)}
          answers={answers}
          canAnswer
          isPending={isPending}
          held={held}
          onAnswers={setAnswers}
          onSend={(answer) => decide({ action: 'answer', answer })}
        />
      )}
      {actions.includes('accept') && (
        <p id="first-run-consequence">
          <AcceptConsequence project={project} effectOf={(known) => acceptEffect(task, known)} />
        </p>
      )}
      <p className={css['actions']}>
        {held !== undefined && !asks && <DecidingNote {...held} />}
        {actions.includes('accept') && held === undefined && (
          <Button
            look="primary"
            isBusy={isPending}
            disabled={!project.isKnown}
            aria-describedby="first-run-consequence"
            onClick={() => decide({ action: 'accept' })}
          >
            Accept
          </Button>
        )}
        {again !== undefined && !asks && task.state !== 'READY' && task.state !== 'COMPLETED' && (
          <Button isBusy={isPending} onClick={() => decide({ action: again })}>
            {again === 'resume' ? 'Resume' : runWords(task)}
          </Button>
        )}
        <Link to="/tasks/$taskId" params={{ taskId: task.id }} className={css['link']}>
          {task.state === 'READY' ? 'Look at what changed' : 'Open the task'}
        </Link>
        {task.state === 'COMPLETED' && (
          <Link to="/tasks/new" className={css['link']}>
            New task
          </Link>
        )}
        <Button look={task.state === 'COMPLETED' ? 'primary' : 'quiet'} onClick={onLeave}>
          {task.state === 'COMPLETED' ? 'To the inbox' : 'Leave the guide'}
        </Button>
      </p>
    </section>
  )
}
