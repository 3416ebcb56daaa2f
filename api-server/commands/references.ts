import { findImageProblem } from '../../core/agent/allowed-images.ts'
import type { Task } from '../../core/crd/types.ts'
import { type ApiError, apiError } from '../../core/errors.ts'
import type { StoryInput } from '../../core/kinds/story.ts'
import type { TaskInput } from '../../core/kinds/task.ts'
import { findBranchObstacle } from '../../core/story/approval.ts'
import { findReservedProblem } from '../../core/story/branch-name.ts'
import { findDefaultBranchProblem, storyBranch } from '../../core/story/branch.ts'
import { findRefusal } from '../../core/story/decide.ts'
import { findContinuesProblem } from '../../core/task/continues.ts'
import { findCycle } from '../../core/task/dependencies.ts'
import type { Caches } from '../cache/caches.ts'
import type { ApiContext } from '../context.ts'

/** Why a field of a request cannot stay as it is. */
export interface Refusal {
  readonly field: string
  readonly error: ApiError
}

/** @throws the first of them, if there is one */
export function requireNone([first]: readonly Refusal[]): void {
  if (first !== undefined) throw first.error
}

/**
 * What a resource applied with kubectl would be Stalled for: names of records that do not exist (specification §3.3); and a
 * new task in a DONE story. Only fields in `changed` are looked at, so that a task with an old dangling reference can still
 * be edited.
 */
export async function findRefusedReferences(
  caches: Caches,
  input: TaskInput,
  changed: ReadonlySet<string>,
): Promise<Refusal[]> {
  const named = [
    { field: 'agent.type', from: 'agent', kind: 'agent', cache: caches.agents, ids: [input.agent?.type] },
    { field: 'project', from: 'project', kind: 'project', cache: caches.projects, ids: [input.project] },
    { field: 'depends_on', from: 'depends_on', kind: 'task', cache: caches.tasks, ids: input.depends_on ?? [] },
    { field: 'parent_task_id', from: 'parent_task_id', kind: 'task', cache: caches.tasks, ids: [input.parent_task_id] },
    { field: 'continues', from: 'continues', kind: 'task', cache: caches.tasks, ids: [input.continues] },
  ]
  const story = changed.has('story_id') && input.story_id !== undefined ? input.story_id : undefined
  const image = await findRefusedImage(caches, input, changed)
  return [
    ...(await findUnknown(named, changed)),
    ...image,
    ...(story === undefined ? [] : await findRefusedStory(caches, story)),
  ]
}

/** The image that a task names, where the agent that it names may not run it. The operator looks at those of projects. */
async function findRefusedImage(
  caches: Caches,
  { agent, container_image: image }: TaskInput,
  changed: ReadonlySet<string>,
): Promise<Refusal[]> {
  if (agent?.type === undefined || !(changed.has('agent') || changed.has('container_image'))) return []
  const named = await caches.agents.read(agent.type)
  const problem = named && findImageProblem(named, image)
  const field = 'container_image'
  return problem === undefined ? [] : [{ field, error: apiError('invalid_request', `${field}: ${problem}`) }]
}

/** The same for a story: its project and its epic. @throws ApiError `unknown_reference` */
export async function checkStoryReferences(
  caches: Caches,
  input: StoryInput,
  changed: ReadonlySet<string>,
): Promise<void> {
  const named = [
    { field: 'project_id', from: 'project_id', kind: 'project', cache: caches.projects, ids: [input.project_id] },
    { field: 'epic_id', from: 'epic_id', kind: 'epic', cache: caches.epics, ids: [input.epic_id] },
  ]
  requireNone(await findUnknown(named, changed))
}

/**
 * Refuses the default branch of the story's project, and a branch that git could not keep beside those of tasks or of the
 * project's other stories.
 *
 * @throws ApiError `invalid_request`
 */
export function checkStoryBranch({ caches, branchPrefix }: ApiContext, id: string, input: StoryInput): void {
  const branch = storyBranch(id, input.branch_name)
  const project = caches.projects.find(input.project_id)
  const stories = input.project_id === undefined ? [] : caches.storiesOfProject(input.project_id)
  const others = stories.filter(({ metadata }) => metadata.name !== id)
  const problem =
    (project && findDefaultBranchProblem(branch, project)) ??
    findReservedProblem(branch, branchPrefix) ??
    findBranchObstacle(branch, others)
  if (problem !== undefined) throw apiError('invalid_request', `branch_name: ${problem}`)
}

/** Ids that a field of a request names. */
interface NamedIds {
  readonly field: string
  /** The field of the request as a whole: `agent` of `agent.type`. */
  readonly from: string
  readonly kind: string
  readonly cache: {
    read(id: string): Promise<unknown>
    readonly archived?: ((id: string) => Promise<unknown>) | undefined
  }
  readonly ids: readonly (string | undefined)[]
}

async function findUnknown(named: readonly NamedIds[], changed: ReadonlySet<string>): Promise<Refusal[]> {
  const refusals: Refusal[] = []
  for (const { field, from, kind, cache, ids } of named) {
    for (const id of changed.has(from) ? ids : []) {
      if (id === undefined || (await cache.read(id)) !== undefined) continue
      const place = (await cache.archived?.(id)) === undefined ? 'nowhere' : 'archive'
      refusals.push({ field, error: apiError('unknown_reference', field, kind, id, place) })
    }
  }
  return refusals
}

async function findRefusedStory(caches: Caches, id: string): Promise<Refusal[]> {
  const field = 'story_id'
  const story = await caches.stories.read(id)
  if (story === undefined) return [{ field, error: apiError('unknown_reference', field, 'story', id) }]
  const refusal = findRefusal(story, 'add_task')
  return refusal === undefined ? [] : [{ field, error: apiError('transition_refused', refusal) }]
}

/** Fields that decide whether a task may go on from the one that it names. */
const CONTINUES_FIELDS = ['continues', 'project', 'repository_url', 'story_id']

/** Refuses to go on from a task that is not accepted, or not of the same project. Other changes are not looked at. */
export async function findRefusedContinues(
  caches: Caches,
  task: Task,
  changed: ReadonlySet<string>,
): Promise<Refusal[]> {
  if (!CONTINUES_FIELDS.some((field) => changed.has(field))) return []
  const { continues } = task.spec
  const source = await caches.tasks.read(continues)
  if (source === undefined) return []
  const placed = ({ spec: { storyId } }: Task) => caches.stories.find(storyId)
  const problem = findContinuesProblem({ task, story: placed(task) }, { task: source, story: placed(source) })
  const field = 'continues'
  return problem === undefined ? [] : [{ field, error: apiError('invalid_request', `${field}: ${problem}`) }]
}

/** Refuses a `task` that would wait for itself, through others or through its subtasks. */
export function findCircle(caches: Caches, task: Task): Refusal[] {
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
  if (cycle === undefined) return []
  const field = parent === name ? 'parent_task_id' : 'depends_on'
  return [
    { field, error: apiError('invalid_request', `${field}: tasks would wait for one another: ${cycle.join(' → ')}`) },
  ]
}
