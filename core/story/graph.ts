import type { Story, StoryStatus, Task, TaskState } from '../crd/types.ts'
import { stateOf } from '../task/decide.ts'
import { storyProgress } from './progress.ts'
import { storyStatus } from './status.ts'

export const NODE_ROLES = ['root', 'task', 'subtask', 'validation'] as const
export const EDGE_KINDS = ['depends_on', 'parent_task_id'] as const

export interface GraphNode {
  /** A task's id; of the validation, the story's id with a suffix that no task's id can have. */
  readonly id: string
  readonly name: string
  readonly role: (typeof NODE_ROLES)[number]
  readonly state: TaskState
}

/** Leads from what comes first: from a dependency to what waits for it, from a parent to its subtask. */
export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly kind: (typeof EDGE_KINDS)[number]
}

export interface StoryGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

/**
 * A story's tasks and how they hang together, in the order of `tasks`; at the end the validation, where the story has
 * one, behind everything that nothing else waits for. Edges to tasks that are not in `tasks` are left out.
 *
 * Source: specification §5.9.
 */
export function storyGraph(story: Story, tasks: readonly Task[]): StoryGraph {
  const { rootTaskId } = storyProgress(story, tasks)
  const names = new Set(tasks.map(({ metadata }) => metadata.name))
  const nodes = tasks.map((task): GraphNode => {
    const { name: id } = task.metadata
    const { title: name, parentTaskId } = task.spec
    const isSubtask = parentTaskId !== undefined && names.has(parentTaskId)
    return { id, name, role: id === rootTaskId ? 'root' : isSubtask ? 'subtask' : 'task', state: stateOf(task) }
  })
  const edges = tasks.flatMap((task) => edgesTo(task).filter(({ from }) => names.has(from)))
  const validation = validationOf(story)
  if (validation === undefined) return { nodes, edges }
  // A parent waits for its subtasks, against the direction of the edge.
  const awaited = new Set(edges.map(({ from, to, kind }) => (kind === 'depends_on' ? from : to)))
  const last = nodes.filter(({ id }) => !awaited.has(id))
  const behind = last.map(({ id }): GraphEdge => ({ from: id, to: validation.id, kind: 'depends_on' }))
  return { nodes: [...nodes, validation], edges: [...edges, ...behind] }
}

function edgesTo({ metadata: { name: to }, spec }: Task): GraphEdge[] {
  const parents = spec.parentTaskId === undefined ? [] : [spec.parentTaskId]
  return [
    ...parents.map((from): GraphEdge => ({ from, to, kind: 'parent_task_id' })),
    ...(spec.dependsOn ?? []).map((from): GraphEdge => ({ from, to, kind: 'depends_on' })),
  ]
}

function validationOf(story: Story): GraphNode | undefined {
  const { validation } = story.spec
  if (validation === undefined) return undefined
  const id = `${story.metadata.name}:validation`
  return { id, name: validation.type ?? 'validation', role: 'validation', state: VALIDATION_STATE[storyStatus(story)] }
}

/** How far the validation is, in the words for tasks. */
const VALIDATION_STATE = {
  DISCOVERY: 'PENDING',
  FRAMING: 'PENDING',
  BACKLOG: 'PENDING',
  PRIORITIZED: 'PENDING',
  IN_PROGRESS: 'PENDING',
  SHIPPABLE: 'PENDING',
  VALIDATING: 'RUNNING',
  REVIEW_READY: 'READY',
  DONE: 'COMPLETED',
} as const satisfies Record<StoryStatus, TaskState>
