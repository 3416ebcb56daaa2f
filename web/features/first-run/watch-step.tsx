import { Link } from '@tanstack/react-router'
import type { Task } from '../../../core/rest/client/client.ts'
import type { TaskDecision } from '../../api/decisions.ts'
import { decideTask } from '../../api/decisions.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { useDecision } from '../../api/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { taskStateWords } from '../../model/task-state.ts'
import css from './first-run.module.css'
import { nextWords } from './steps.ts'

/** The first task as it goes: where it is, what comes next, and its decision. */
export function WatchStep({ task, onLeave }: { readonly task: Task; readonly onLeave: () => void }) {
  const nowMs = useServerTime()
  const { decide, isPending } = useDecision((decision: TaskDecision) => decideTask(task, decision), {
    onDone: (message) => notify(`${task.name}: ${message}`),
    onRefused: refuse,
  })
  const { changes, actions } = task
  const again = (['resume', 'run'] as const).find((action) => actions.includes(action))
  return (
    <section className={css['card']} aria-labelledby="first-run-step">
      <h2 id="first-run-step">{task.name}</h2>
      <div aria-live="polite" className={css['now']}>
        <StateBadge words={taskStateWords(task, nowMs)} isLoud />
        <p>{nextWords(task)}</p>
        {task.state === 'READY' && task.branch !== undefined && (
          <p>
            {changes === undefined
              ? 'The work'
              : changes.files === 1
                ? '1 changed file'
                : `${changes.files} changed files`}{' '}
            on <code>{task.branch}</code>
          </p>
        )}
      </div>
      <p className={css['actions']}>
        {actions.includes('accept') && (
          <Button look="primary" isBusy={isPending} onClick={() => decide({ action: 'accept' })}>
            Accept
          </Button>
        )}
        {again !== undefined && task.state !== 'READY' && task.state !== 'COMPLETED' && (
          <Button isBusy={isPending} onClick={() => decide({ action: again })}>
            {again === 'resume' ? 'Resume' : 'Run'}
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
