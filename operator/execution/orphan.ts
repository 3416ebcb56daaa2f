/**
 * Executions that nobody waits for any more: their task was deleted, is being deleted, or is another one of its name.
 * They are ended like those of a cancelled task, so that no process is left behind and a login that the agent's program
 * renewed is kept; a finalizer keeps the record until then (specification §3.24).
 */
import type { Execution, Task } from '../../core/crd/types.ts'
import { isOfTask, isTerminal } from '../../core/execution/state.ts'
import { API_VERSION, FINALIZER } from '../../core/names.ts'
import { addMs, parseTimestamp, toTimestamp } from '../../core/time.ts'
import { findNamespace } from '../../kube/namespace.ts'
import { TASKS } from '../../kube/resources.ts'
import type { ObjectKey } from '../../kube/types.ts'
import { type Step, idle } from '../action.ts'
import { type OperatorContext, indexKey } from '../context.ts'
import { mayJobRun } from '../../kube/workload.ts'

/** How long a deletion waits for the processes to end (specification §3.25); then the collector takes what is left. */
const DELETE_PATIENCE_MS = 60_000

/** The executions that do the work of a task, or of earlier ones of its name. */
export interface Executions {
  readonly own: readonly Execution[]
  readonly orphaned: readonly Execution[]
}

/** Sorts the executions that name a task, as the caches know both. */
export function sortExecutions(
  { views }: Pick<OperatorContext, 'views'>,
  key: ObjectKey,
  task: Task | undefined,
): Executions {
  const named = views.executions.byIndex('ofTask', indexKey(key.namespace, key.name))
  const isOwn = (execution: Execution): boolean =>
    task !== undefined && task.metadata.deletionTimestamp === undefined && isOfTask(execution, task)
  return { own: named.filter(isOwn), orphaned: named.filter((execution) => !isOwn(execution)) }
}

/** Whether an execution really has no task: a cache that has yet to hear of one must not have its work cancelled. */
export async function isOrphanByServer(
  { client }: OperatorContext,
  execution: Execution,
  key: ObjectKey,
): Promise<boolean> {
  if (execution.metadata.deletionTimestamp !== undefined) return true
  const task = await client.find(TASKS, key)
  return task === undefined || task.metadata.deletionTimestamp !== undefined || !isOfTask(execution, task)
}

/** Stands for the task of an execution that is to end: cancelled. */
export function toCancelledTask(execution: Execution, key: ObjectKey, now: Date): Task {
  const { name, deletionTimestamp, ownerReferences = [] } = execution.metadata
  const uid = ownerReferences.find(({ kind }) => kind === 'Task')?.uid
  return {
    apiVersion: API_VERSION,
    kind: 'Task',
    metadata: {
      name: key.name,
      ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
      ...(uid === undefined ? {} : { uid }),
    },
    spec: { title: key.name },
    status: { state: 'RUNNING', execution: name, cancelRequestedAt: deletionTimestamp ?? toTimestamp(now) },
  }
}

/** A task whose running execution somebody deletes: that is ended first, as if the task were cancelled. */
export function withCancelledExecution(task: Task, { metadata }: Execution): Task {
  const { deletionTimestamp } = metadata
  if (deletionTimestamp === undefined || task.status?.execution !== metadata.name) return task
  return { ...task, status: { ...task.status, cancelRequestedAt: task.status.cancelRequestedAt ?? deletionTimestamp } }
}

/**
 * An execution that is deleted with its namespace. The operator goes too, often before the pod has ended, and then nobody
 * would remove the finalizer, for which the namespace waits. The cluster ends the pod.
 */
export async function findGoingWithNamespace(
  context: Pick<OperatorContext, 'client' | 'views'>,
  { namespace = '', name }: ObjectKey,
): Promise<Execution | undefined> {
  const going = context.views.executions
    .byIndex('ofTask', indexKey(namespace, name))
    .find(
      ({ metadata }) => metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FINALIZER) === true,
    )
  if (going === undefined) return undefined
  return (await findNamespace(context, namespace))?.status?.phase === 'Terminating' ? going : undefined
}

/** Lets an execution go that has ended with all its processes, or whose deletion has waited long enough for that. */
export function removeFinalizerIfEnded(
  { views, clock }: Pick<OperatorContext, 'views' | 'clock'>,
  execution: Execution,
): Step {
  const { namespace, name, finalizers = [], deletionTimestamp } = execution.metadata
  if (!finalizers.includes(FINALIZER)) return idle()
  const index = indexKey(namespace, name)
  const pods = views.pods.byIndex('ofExecution', index)
  const hasEnded =
    isTerminal(execution) && !views.jobs.byIndex('ofExecution', index).some((job) => mayJobRun(job, pods))
  const giveUpAt =
    deletionTimestamp === undefined ? undefined : addMs(parseTimestamp(deletionTimestamp), DELETE_PATIENCE_MS)
  const isOverdue = giveUpAt !== undefined && giveUpAt <= clock.now()
  if (!hasEnded && !isOverdue) return idle(giveUpAt)
  return { actions: [{ kind: 'removeFinalizer', of: { kind: 'Execution', object: execution } }] }
}
