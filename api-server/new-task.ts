import type { Task } from '../core/crd/types.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../core/names.ts'
import { toTaskInput, toTaskSpec } from '../core/rest/map/task.ts'
import type { TaskCreate } from '../core/rest/requests/task.ts'
import { stateOf } from '../core/task/decide.ts'
import type { ApiContext } from './context.ts'
import { checkCycle, checkReferences } from './references.ts'
import { changeRecord, createRecord } from './writes.ts'

/**
 * Creates a task as REST does, whoever asks for it: references are checked, the label says who made it, and its state
 * is there from the start.
 *
 * @throws UnknownReference, InvalidRequest, TransitionRefused for a task in a DONE story, RecordExists
 */
export async function createTask(context: ApiContext, create: TaskCreate): Promise<Task> {
  const { caches, namespace } = context
  const { id = context.makeId('task'), ...input } = create
  const spec = toTaskSpec(input)
  const wanted = toTaskInput(spec)
  await checkReferences(caches, wanted, new Set(Object.keys(wanted)))
  const metadata = { name: id, namespace, labels: { [LABELS.managedBy]: MANAGED_BY } }
  const task = { apiVersion: API_VERSION, kind: 'Task', metadata, spec } as const
  checkCycle(caches, task)
  await createRecord<Task>(context.client, caches.tasks, 'task', task)
  return writeFirstState(context, id)
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
