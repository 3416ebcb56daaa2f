import { type ReactNode, use, useMemo } from 'react'
import type { InboxRow } from '../../model/inbox-rows.ts'
import { AgentItem } from './agent-item.tsx'
import { FailuresItem } from './failures-item.tsx'
import { type RowControls, InboxContext, RowContext } from './inbox-state.ts'
import { StoryItem } from './story-item.tsx'
import { TaskItem } from './task-item.tsx'

/** One row of the inbox, with what opens it and puts it away. */
export function Row({ row, isAway = false }: { readonly row: InboxRow; readonly isAway?: boolean }) {
  const { peeked, setPeeked, move } = use(InboxContext)
  const key = keyOfRow(row)
  const isPeeked = peeked === key
  const controls = useMemo(
    (): RowControls => ({
      isAway,
      isPeeked,
      onPeek: () => setPeeked(isPeeked ? undefined : key),
      onMove: () => move(row, !isAway),
    }),
    [isAway, isPeeked, key, row, setPeeked, move],
  )
  return <RowContext value={controls}>{toItem(row)}</RowContext>
}

/** Names a row on the page. */
export function keyOfRow({ kind, id }: InboxRow): string {
  return `${kind} ${id}`
}

function toItem(row: InboxRow): ReactNode {
  switch (row.kind) {
    case 'task':
      return <TaskItem task={row.task} sinceMs={row.sinceMs} />
    case 'failures':
      return (
        <FailuresItem
          tasks={row.tasks}
          sinceMs={row.sinceMs}
          renderTask={(task) => (
            <Row key={task.id} row={{ kind: 'task', group: 'failed', id: task.id, sinceMs: row.sinceMs, task }} />
          )}
        />
      )
    case 'story':
      return <StoryItem story={row.story} sinceMs={row.sinceMs} />
    case 'agent':
      return <AgentItem agent={row.agent} />
    default:
      return row satisfies never
  }
}
