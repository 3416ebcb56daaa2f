/** The list of tasks under its heads: pure. */
import type { TaskState } from '../../../core/crd/types.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { TASK_STATE_LABELS } from '../../../core/sentences/states.ts'
import { groupBy } from '../../model/group.ts'
import type { RowGroup } from '../../model/table-rows.ts'
import type { Grouping } from './search.ts'

/** What a person has to do with comes first, then what goes on, and last what is over. */
export const STATE_ORDER: readonly TaskState[] = [
  'BLOCKED',
  'READY',
  'FAILED',
  'TIMED_OUT',
  'BUDGET_EXCEEDED',
  'RUNNING',
  'QUEUED',
  'PENDING',
  'COMPLETED',
  'CANCELLED',
]

/** What records are called, by their ids. */
export type NameOf = (id: string) => string

/** The tasks in their groups, the newest first in each. Groups by name; tasks that have no such thing come last. */
export function groupTasks(
  tasks: readonly Task[],
  grouping: Grouping,
  names: { readonly story: NameOf; readonly project: NameOf },
): readonly RowGroup<Task>[] {
  const rows = tasks.toSorted(compareAge)
  switch (grouping) {
    case 'none':
      return [{ id: 'all', rows }]
    case 'state': {
      const groups = groupBy(rows, ({ state }) => state)
      return STATE_ORDER.map((state) => ({ id: state, label: TASK_STATE_LABELS[state], rows: groups.get(state) ?? [] }))
    }
    case 'story':
      return byName(rows, ({ story_id }) => story_id, names.story, 'No story')
    case 'project':
      return byName(rows, ({ project }) => project, names.project, 'No project')
    case 'agent':
      return byName(
        rows,
        ({ agent }) => agent?.type,
        (id) => id,
        'No agent yet',
      )
    default:
      return grouping satisfies never
  }
}

/** Newest first; equal ones by their ids, so that a list never changes its order by itself. */
function compareAge(a: Task, b: Task): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

function byName(
  rows: readonly Task[],
  keyOf: (task: Task) => string | undefined,
  nameOf: NameOf,
  none: string,
): readonly RowGroup<Task>[] {
  const groups = groupBy(rows, keyOf)
  const known = [...groups].flatMap(([id, members]) =>
    id === undefined ? [] : [{ id, label: nameOf(id), rows: members }],
  )
  known.sort((a, b) => (a.label.toLowerCase() < b.label.toLowerCase() ? -1 : 1))
  return [...known, { id: '', label: none, rows: groups.get(undefined) ?? [] }]
}
