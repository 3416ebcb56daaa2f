import type { Task } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { authoredBy } from '../../core/four-eyes.ts'
import { LABELS, MANAGED_BY } from '../../core/names.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { type TaskCreate, TASK } from '../../core/kinds/task.ts'
import { projectOf } from '../../core/task/project.ts'
import type { ApiContext } from '../context.ts'
import { type LocalPathRule, findRefusedUrl } from './local-paths.ts'
import { type Refusal, requireNone, findCircle, findRefusedContinues, findRefusedReferences } from './references.ts'
import { createRecord, isArchived } from './writes.ts'

/** What creating tasks takes. */
export type CreateTaskContext = ApiContext & Pick<LocalPathRule, 'embedded'>

/**
 * Creates a task as REST does, whoever asks for it: references are checked, and the label says that REST made it.
 *
 * @param more annotations beside that of the author
 * @throws ApiError `unknown_reference`, `invalid_request`, `transition_refused` for a task in a DONE story, `already_exists`,
 * `archived` for the id of a task that can be restored
 */
export async function createTask(
  context: CreateTaskContext,
  create: TaskCreate,
  author: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Task> {
  const draft = await draftTask(context, create)
  const task = { ...draft, metadata: { ...draft.metadata, annotations: { ...more, ...authoredBy(author) } } }
  const [refusals, isTaken] = await Promise.all([
    findRefusals(context, task),
    create.id !== undefined && isArchived(context.caches.tasks, create.id),
  ])
  requireNone(refusals)
  // The operator would give it what the archive has of that name, and not run it.
  if (isTaken) throw apiError('archived', 'task')
  return createRecord(context, context.caches.tasks, 'task', task)
}

/** The task that a create would store, with an id of its own where the caller names none. */
export async function draftTask(context: ApiContext, create: TaskCreate): Promise<Task> {
  const parent = await context.caches.tasks.read(create.parent_task_id)
  const within = joinStory(create, parent)
  const { id = context.makeId('task'), ...input } = { ...(await findPlace(context, within, parent)), ...within }
  const metadata = { name: id, namespace: context.namespace, labels: { [LABELS.managedBy]: MANAGED_BY } }
  return TASK.make(metadata, TASK.toSpec(input))
}

/**
 * A subtask belongs to its parent's story unless it names another one: it writes the same branch, and counts there. It
 * is no link of the story's chain, because its parent queues it.
 */
function joinStory(create: TaskCreate, parent: Task | undefined): TaskCreate {
  const story = parent?.spec.storyId
  return create.story_id !== undefined || story === undefined ? create : { ...create, story_id: story }
}

type Place = Pick<TaskCreate, 'project' | 'repository_url'>

/**
 * Where a task works that names neither a project nor a repository: where its parent does, else on its story's project,
 * else where the task does that it goes on from. Of a subtask in another story than its parent, the story comes first.
 */
async function findPlace({ caches }: ApiContext, create: TaskCreate, parent: Task | undefined): Promise<Place> {
  if (create.project !== undefined || create.repository_url !== undefined) return {}
  const story = await caches.stories.read(create.story_id)
  const ofStory: Place = withoutAbsent({ project: story?.spec.projectId })
  const { project, repositoryUrl: repository_url } = parent?.spec ?? {}
  const ofParent: Place = withoutAbsent({ project, repository_url })
  const [first, second] = create.story_id === parent?.spec.storyId ? [ofParent, ofStory] : [ofStory, ofParent]
  const [place] = [first, second].filter((one) => Object.keys(one).length > 0)
  return place ?? findContinuedPlace(caches, create.continues)
}

async function findContinuedPlace({ tasks, stories }: ApiContext['caches'], id: string | undefined): Promise<Place> {
  const source = await tasks.read(id)
  if (source === undefined) return {}
  const { storyId, repositoryUrl: repository_url } = source.spec
  return withoutAbsent({ project: projectOf(source, stories.find(storyId)), repository_url })
}

/** Why a draft cannot be created, as far as this server can tell; the control plane judges the rest. */
export async function findRefusals(context: CreateTaskContext, task: Task): Promise<Refusal[]> {
  const { caches } = context
  const wanted = TASK.toInput(task.spec)
  const fields = new Set(Object.keys(wanted))
  const references = await findRefusedReferences(caches, wanted, fields)
  const repository = findRefusedUrl(context, 'repository_url', task.spec.repositoryUrl)
  const continued = await findRefusedContinues(caches, task, fields)
  return [...references, ...continued, ...repository, ...findCircle(caches, task)]
}
