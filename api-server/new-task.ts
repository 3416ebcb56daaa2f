import type { Task } from '../core/crd/types.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../core/names.ts'
import { toTaskInput, toTaskSpec } from '../core/rest/map/task.ts'
import type { TaskCreate } from '../core/rest/requests/task.ts'
import type { ApiContext } from './context.ts'
import { findRefusedUrl } from './local-paths.ts'
import type { Refusal } from './references.ts'
import { demandNone, findCircle, findRefusedReferences } from './references.ts'
import { createRecord } from './writes.ts'

/**
 * Creates a task as REST does, whoever asks for it: references are checked, and the label says who made it.
 *
 * @throws UnknownReference, InvalidRequest, TransitionRefused for a task in a DONE story, RecordExists
 */
export async function createTask(
  context: ApiContext,
  create: TaskCreate,
  annotations: Readonly<Record<string, string>> = {},
): Promise<Task> {
  const draft = await draftTask(context, create)
  const task = { ...draft, metadata: { ...draft.metadata, annotations } }
  demandNone(await findRefusals(context, task))
  return createRecord(context.client, context.caches.tasks, 'task', task)
}

/** The task that a create would store, with an id of its own where the caller names none. */
export async function draftTask(context: ApiContext, create: TaskCreate): Promise<Task> {
  const { id = context.makeId('task'), ...input } = { ...(await findPlace(context, create)), ...create }
  const metadata = { name: id, namespace: context.namespace, labels: { [LABELS.managedBy]: MANAGED_BY } }
  return { apiVersion: API_VERSION, kind: 'Task', metadata, spec: toTaskSpec(input) }
}

/** A task of a story works on the story's project, unless it names a project or a repository of its own. */
async function findPlace({ caches }: ApiContext, create: TaskCreate): Promise<Pick<TaskCreate, 'project'>> {
  if (create.story_id === undefined || create.project !== undefined || create.repository_url !== undefined) return {}
  const story = await caches.stories.read(create.story_id)
  return story?.spec.projectId === undefined ? {} : { project: story.spec.projectId }
}

/** Why a draft cannot be created, as far as this server can tell; the control plane judges the rest. */
export async function findRefusals(context: ApiContext, task: Task): Promise<Refusal[]> {
  const { caches } = context
  const wanted = toTaskInput(task.spec)
  const references = await findRefusedReferences(caches, wanted, new Set(Object.keys(wanted)))
  const repository = findRefusedUrl(context, 'repository_url', task.spec.repositoryUrl)
  return [...references, ...repository, ...findCircle(caches, task)]
}
