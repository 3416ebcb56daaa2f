import type { Story, Task } from '../../../core/rest/client/client.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { OpenLink } from '../../components/open-link.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { formatCost } from '../../model/money.ts'
import { taskStateWords } from '../../model/task-state.ts'
import { inChainOrder } from './chain-order.ts'
import css from './story.module.css'

/** The tasks in the order of their chain, each subtask behind its parent. */
export function StoryTasks({ tasks }: { readonly story: Story; readonly tasks: readonly Task[] }) {
  const nowMs = useServerTime()
  if (tasks.length === 0)
    return (
      <EmptyState title="There are no tasks yet">
        A task is one piece of work for one agent. Each task that is added to the story waits for the one before it.
      </EmptyState>
    )
  return (
    <ol className={css['tasks']}>
      {inChainOrder(tasks).map((task) => (
        <li key={task.id} data-subtask={task.parent_task_id !== undefined || undefined}>
          <OpenLink what={{ kind: 'task', id: task.id }} className={css['taskName'] ?? ''}>
            {task.name}
          </OpenLink>
          <StateBadge words={taskStateWords(task, nowMs)} />
          <span className={css['note']}>{task.waiting_for ?? task.error?.split('\n', 1)[0]}</span>
          <span className={css['end']}>
            {task.changes !== undefined && task.changes.files > 0 && (
              <span>
                <span className={css['plus']}>+{task.changes.insertions}</span>{' '}
                <span className={css['minus']}>−{task.changes.deletions}</span>
              </span>
            )}
            <span>{formatCost(task.cost_usd)}</span>
            <span>{task.agent?.type}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
