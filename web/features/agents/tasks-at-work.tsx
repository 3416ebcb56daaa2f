import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { NameOf, useListSummary } from '../../api/queries.ts'
import { type Table, recordsOf } from '../../api/table.ts'

/** The tasks in its slots, as many as it has at work. */
export function TasksAtWork({ agent }: { readonly agent: string }) {
  const select = useCallback(
    (table: Table<Task>) =>
      recordsOf(table)
        .filter(({ state, agent: of }) => state === 'RUNNING' && of?.type === agent)
        .map(({ id }) => id)
        .join(' '),
    [agent],
  )
  const ids = useListSummary('tasks', select)
  if (ids === undefined || ids === 'failed' || ids === '') return null
  return ids.split(' ').map((id) => (
    <Link key={id} to="/tasks/$taskId" params={{ taskId: id }}>
      <NameOf kind="tasks" id={id} />
    </Link>
  ))
}
