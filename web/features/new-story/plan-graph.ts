/** The graph that a plan will become: pure. Source: specification §5.12. */
import type { GraphItem, GraphLink } from '../../components/graph/graph-types.ts'
import type { Plan, PlannedTask } from './plan.ts'

const PLANNED = { tone: 'wait', icon: 'clock', text: 'planned' } as const

export function planGraph({ tasks }: Pick<Plan, 'tasks'>): {
  readonly items: readonly GraphItem[]
  readonly links: readonly GraphLink[]
} {
  const items = tasks.flatMap((task, index) => [
    toItem(task, index === 0 ? 'root' : 'task'),
    ...task.subtasks.map((part) => toItem(part, 'subtask')),
  ])
  const links = [
    ...chain(tasks),
    ...tasks.flatMap(({ key, subtasks }) => [
      ...subtasks.map((part): GraphLink => ({ from: key, to: part.key, kind: 'parent_task_id' })),
      ...chain(subtasks),
    ]),
  ]
  return { items, links }
}

function toItem({ key, name, agent }: PlannedTask, role: GraphItem['role']): GraphItem {
  return {
    id: key,
    name: name.trim() === '' ? 'without a name' : name,
    role,
    words: PLANNED,
    detail: agent === '' ? undefined : agent,
  }
}

/** Each waits for the one before it. */
function chain(tasks: readonly PlannedTask[]): readonly GraphLink[] {
  return tasks.slice(1).map((task, index) => ({ from: tasks[index]?.key ?? '', to: task.key, kind: 'depends_on' }))
}
