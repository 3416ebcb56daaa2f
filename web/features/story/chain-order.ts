import type { Task } from '../../../core/rest/client/client.ts'
import { groupBy } from '../../model/group.ts'

/** Tasks so that each stands behind what it waits for, and each subtask behind its parent; else in their order. */
export function inChainOrder(tasks: readonly Task[]): readonly Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const partsOf = groupBy(tasks, ({ parent_task_id }) => parent_task_id)
  const placed = new Set<Task>()
  const visited = new Set<string>()
  const place = (task: Task): void => {
    // A circle ends where it began.
    if (visited.has(task.id)) return
    visited.add(task.id)
    for (const id of task.depends_on) {
      const before = byId.get(id)
      if (before !== undefined && before.parent_task_id === task.parent_task_id) place(before)
    }
    placed.add(task)
    for (const part of partsOf.get(task.id) ?? []) place(part)
  }
  const isPart = ({ parent_task_id: parent }: Task): boolean => parent !== undefined && byId.has(parent)
  for (const task of tasks) if (!isPart(task)) place(task)
  for (const task of tasks) place(task)
  return [...placed]
}
