import type { Task } from '../core/crd/types.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../core/names.ts'
import { toTaskInput, toTaskSpec } from '../core/rest/map/task.ts'
import type { TaskCreate } from '../core/rest/requests/task.ts'
import { stateOf } from '../core/task/decide.ts'
import type { ApiContext } from './context.ts'
import { findRefusedUrl } from './local-paths.ts'
import type { Refusal } from './references.ts'
import { demandNone, findCircle, findRefusedReferences } from './references.ts'
import { changeRecord, createRecord } from './writes.ts'

/**
 * Creates a task as REST does, whoever asks for it: references are checked, the label says who made it, and its state
 * is there from the start.
 *
 * @throws UnknownReference, InvalidRequest, TransitionRefused for a task in a DONE story, RecordExists
 */
export async function createTask(
  context: ApiContext,
  create: TaskCreate,
  annotations: Readonly<Record<string, string>> = {},
): Promise<Task> {
  const draft = draftTask(context, create)
  const task = { ...draft, metadata: { ...draft.metadata, annotations } }
  demandNone(await findRefusals(context, task))
  await createRecord(context.client, context.caches.tasks, 'task', task)
  return writeFirstState(context, task.metadata.name)
}

/** The task that a create would store, with an id of its own where the caller names none. */
export function draftTask(context: ApiContext, create: TaskCreate): Task {
  const { id = context.makeId('task'), ...input } = create
  const metadata = { name: id, namespace: context.namespace, labels: { [LABELS.managedBy]: MANAGED_BY } }
  return { apiVersion: API_VERSION, kind: 'Task', metadata, spec: toTaskSpec(input) }
}

/** Why a draft cannot be created, as far as this server can tell; the control plane judges the rest. */
export async function findRefusals(context: ApiContext, task: Task): Promise<Refusal[]> {
  const { caches } = context
  const wanted = toTaskInput(task.spec)
  const references = await findRefusedReferences(caches, wanted, new Set(Object.keys(wanted)))
  const repository = findRefusedUrl(context, 'repository_url', task.spec.repositoryUrl)
  return [...references, ...repository, ...findCircle(caches, task)]
}

/**
 * The state that absence stands for, which a create cannot carry. Were it left to the operator, the entity tag of the
 * answer would be out of date a moment later, with nothing changed that anybody asked for.
 */
async function writeFirstState({ client, caches }: ApiContext, id: string): Promise<Task> {
  const { object } = await changeRecord(client, caches.tasks, { kind: 'task', id }, (task) => {
    const status = { ...task.status, state: stateOf(task) }
    return {
      write: task.status?.state === undefined ? { ...task, status } : undefined,
      subresource: 'status',
      result: undefined,
    }
  })
  return object
}
