import type { Task } from '../core/crd/types.ts'
import { InvalidRequest, TransitionRefused, UnknownReference } from '../core/errors.ts'
import type { StoryInput } from '../core/rest/requests/story.ts'
import type { TaskInput } from '../core/rest/requests/task.ts'
import { findCycle } from '../core/task/dependencies.ts'
import type { Caches } from './caches.ts'

/**
 * Refuses what a resource applied with kubectl would be Stalled for: names of records that do not exist, tasks that
 * would wait for one another (decisions, section 2). Only fields in `changed` are looked at, so that a task with an
 * old dangling reference can still be edited.
 *
 * @throws UnknownReference, InvalidRequest, TransitionRefused for a new task in a DONE story
 */
export async function checkReferences(caches: Caches, input: TaskInput, changed: ReadonlySet<string>): Promise<void> {
  const named = [
    { field: 'agent.type', from: 'agent', kind: 'agent', cache: caches.agents, ids: [input.agent?.type] },
    { field: 'project', from: 'project', kind: 'project', cache: caches.projects, ids: [input.project] },
    { field: 'depends_on', from: 'depends_on', kind: 'task', cache: caches.tasks, ids: input.depends_on ?? [] },
    { field: 'parent_task_id', from: 'parent_task_id', kind: 'task', cache: caches.tasks, ids: [input.parent_task_id] },
  ]
  await demandKnown(named, changed)
  if (changed.has('story_id') && input.story_id !== undefined) await checkStory(caches, input.story_id)
}

/** The same for a story: its project and its epic. @throws UnknownReference */
export async function checkStoryReferences(
  caches: Caches,
  input: StoryInput,
  changed: ReadonlySet<string>,
): Promise<void> {
  const named = [
    { field: 'project_id', from: 'project_id', kind: 'project', cache: caches.projects, ids: [input.project_id] },
    { field: 'epic_id', from: 'epic_id', kind: 'epic', cache: caches.epics, ids: [input.epic_id] },
  ]
  await demandKnown(named, changed)
}

/** Ids that a field of a request names. */
interface NamedIds {
  readonly field: string
  /** The field of the request as a whole: `agent` of `agent.type`. */
  readonly from: string
  readonly kind: string
  readonly cache: { read(id: string): Promise<unknown> }
  readonly ids: readonly (string | undefined)[]
}

async function demandKnown(named: readonly NamedIds[], changed: ReadonlySet<string>): Promise<void> {
  for (const { field, from, kind, cache, ids } of named) {
    for (const id of changed.has(from) ? ids : []) {
      if (id !== undefined && (await cache.read(id)) === undefined) throw new UnknownReference(field, kind, id)
    }
  }
}

async function checkStory(caches: Caches, id: string): Promise<void> {
  const story = await caches.stories.read(id)
  if (story === undefined) throw new UnknownReference('story_id', 'story', id)
  if (story.status?.status === 'DONE') throw new TransitionRefused('story is DONE')
}

/** @throws InvalidRequest when `task` would wait for itself, through others or through its subtasks */
export function checkCycle(caches: Caches, task: Task): void {
  const { taskIndex } = caches
  const { name } = task.metadata
  const parent = task.spec.parentTaskId
  const cycle = findCycle(task, {
    find: (id) => (id === name ? task : taskIndex.find(id)),
    // The task is looked at as it will be: under its new parent, and no longer under its old one.
    subtasks: (id) => [
      ...taskIndex.subtasks(id).filter((subtask) => subtask.metadata.name !== name),
      ...(id === parent ? [task] : []),
    ],
  })
  if (cycle !== undefined)
    throw new InvalidRequest(`depends_on: tasks would wait for one another: ${cycle.join(' → ')}`)
}
