/** The nodes of a story's graph with the states that its tasks have now: pure. */
import { formatCost } from '../../../core/sentences/amounts.ts'
import type { StoryGraph, Task } from '../../../core/rest/client/client.ts'
import type { GraphItem } from '../../components/graph/graph-types.ts'
import { taskStateWords } from '../../model/state-words.ts'

/** The graph is read seldom, tasks come by every message: so the state of a task is its record's. */
export function graphItems(graph: StoryGraph, tasks: readonly Task[], nowMs: number): readonly GraphItem[] {
  const records = new Map(tasks.map((task) => [task.id, task]))
  return graph.nodes.map(({ id, name, role, state }) => {
    const task = records.get(id)
    return {
      id,
      name: task?.name ?? (role === 'validation' ? `Check: ${name}` : name),
      role,
      words: taskStateWords(task ?? { state }, nowMs),
      detail: task === undefined ? undefined : detailOf(task),
    }
  })
}

function detailOf(task: Task): string | undefined {
  const parts = [task.agent?.type, formatCost(task.cost_usd)].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' · ')
}
