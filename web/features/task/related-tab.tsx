import { Link } from '@tanstack/react-router'
import type { Task } from '../../../core/rest/client/client.ts'
import { useRelatedTasks } from '../../api/task-details.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { StateBadge } from '../../components/state-badge.tsx'
import { EmptyState } from '../../components/view-states.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { taskStateWords } from '../../model/state-words.ts'
import { Part } from './part.tsx'
import css from './task.module.css'

/** What the task is part of, what it waits for, and what waits for it. */
export function RelatedTab({ task }: { readonly task: Task }) {
  const { parent, continues, continuedBy, dependsOn, subtasks, dependents } = useRelatedTasks(task)
  const parts = [
    { title: 'Part of', tasks: parent === undefined ? [] : [parent] },
    { title: 'Continues', tasks: continues === undefined ? [] : [continues] },
    { title: 'Continued by', tasks: continuedBy },
    { title: 'Waits for', tasks: dependsOn },
    { title: 'Subtasks', tasks: subtasks },
    { title: 'Wait for it', tasks: dependents },
  ].filter(({ tasks }) => tasks.length > 0)
  const gone = task.depends_on.filter((id) => !dependsOn.some((other) => other.id === id))
  if (parts.length === 0 && gone.length === 0)
    return (
      <EmptyState title="It stands alone">
        Tasks that it waits for (<code>depends_on</code>), that wait for it, and subtasks that its agent makes appear
        here.
      </EmptyState>
    )
  return (
    <div className={css['wide']}>
      {parts.map(({ title, tasks }) => (
        <Part key={title} title={title}>
          <ul className={css['related']}>
            {tasks.map((other) => (
              <RelatedTask key={other.id} task={other} />
            ))}
          </ul>
        </Part>
      ))}
      {gone.length > 0 && (
        <p className={css['error']}>It waits for tasks that do not exist: {showUnseen(gone.join(', '))}</p>
      )}
    </div>
  )
}

function RelatedTask({ task }: { readonly task: Task }) {
  const nowMs = useServerTime()
  return (
    <li>
      <StateBadge words={taskStateWords(task, nowMs)} />
      <Link to="/tasks/$taskId" params={{ taskId: task.id }}>
        {showUnseen(task.name)}
      </Link>
      <code>{task.id}</code>
    </li>
  )
}
