import { formatCost } from '../../../core/sentences/amounts.ts'
import { withoutTyped } from '../../../core/typed-commands.ts'
import { useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Button } from '../../components/button.tsx'
import { Changes } from '../../components/changes.tsx'
import { OpenLink } from '../../components/open-link.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { failureLine } from '../../model/failure-words.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { taskStateWords } from '../../model/state-words.ts'
import { inChainOrder } from './chain-order.ts'
import css from './story.module.css'

const ROWS_AT_ONCE = 200

/** The tasks in the order of their chain, each subtask behind its parent. */
export function StoryTasks({ tasks }: { readonly tasks: readonly Task[] }) {
  const nowMs = useServerTime()
  const [most, setMost] = useState(ROWS_AT_ONCE)
  if (tasks.length === 0)
    return (
      <EmptyState title="There are no tasks yet">
        A task is one piece of work for one agent. Each task that is added to the story waits for the one before it.
      </EmptyState>
    )
  const left = tasks.length - most
  return (
    <>
      <ol className={css['tasks']}>
        {inChainOrder(tasks)
          .slice(0, most)
          .map((task) => (
            <TaskRow key={task.id} task={task} nowMs={nowMs} />
          ))}
      </ol>
      {left > 0 && (
        <p className={css['main']}>
          <Button isSmall onClick={() => setMost(most + ROWS_AT_ONCE)}>
            Show {Math.min(left, ROWS_AT_ONCE)} more of {left}
          </Button>
        </p>
      )}
    </>
  )
}

function TaskRow({ task, nowMs }: { readonly task: Task; readonly nowMs: number }) {
  return (
    <li data-subtask={task.parent_task_id !== undefined || undefined}>
      <OpenLink what={{ kind: 'task', id: task.id }} className={css['taskName'] ?? ''}>
        {task.name}
      </OpenLink>
      <StateBadge words={taskStateWords(task, nowMs)} />
      <span className={css['note']}>
        {showUnseen(withoutTyped(task.waiting_for ?? '')) || (task.error && failureLine(task.error))}
      </span>
      <span className={css['end']}>
        {task.changes !== undefined && <Changes {...task.changes} />}
        <span>{formatCost(task.cost_usd)}</span>
        <span>{task.agent?.type}</span>
      </span>
    </li>
  )
}
