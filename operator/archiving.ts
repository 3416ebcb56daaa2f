/**
 * Moves finished tasks from the cluster to the archive (specification §14.3). For each: the record is written and synced,
 * then the Task is deleted as the version that was written, and its Executions go with it. A crash in between leaves both;
 * the next pass finds the record written, or the task changed, and then the record goes. So a task is in the cluster, in
 * the archive, or in both and the cluster counts.
 */
import { findArchivable } from '../core/task/retention.ts'
import type { Retention } from '../core/task/retention.ts'
import type { Execution, Task } from '../core/crd/types.ts'
import { isOfTask, isTerminal } from '../core/execution/state.ts'
import { LABELS } from '../core/names.ts'
import { toTimestamp } from '../core/time.ts'
import { EXECUTIONS, TASKS } from '../kube/resources.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import type { Archive } from '../lib/archive/archive.ts'
import type { OperatorContext } from './context.ts'
import { indexKey } from './context.ts'

export interface ArchivingContext extends Pick<OperatorContext, 'client' | 'views' | 'clock'> {
  readonly archive: Archive
  readonly retention: Retention
}

/** So many tasks are moved in one pass: a pass ends within seconds, also where years of history wait. */
export const MAX_PER_PASS = 100

/** Moves what exceeds the limits, the oldest first. @returns the names of the tasks that were moved */
export async function archiveFinished(
  context: ArchivingContext,
  namespace: string,
  max = MAX_PER_PASS,
  ended?: AbortSignal,
): Promise<string[]> {
  const { views, retention, clock } = context
  const ofNamespace = <T extends { readonly metadata: { readonly namespace?: string } }>(objects: readonly T[]): T[] =>
    objects.filter(({ metadata }) => metadata.namespace === namespace)
  const view = {
    tasks: ofNamespace(views.tasks.list()),
    stories: ofNamespace(views.stories.list()),
    executionsOf: (task: string) => views.executions.byIndex('ofTask', indexKey(namespace, task)),
  }
  const moved: string[] = []
  for (const task of findArchivable(view, retention, clock.now(), max)) {
    if (ended?.aborted === true) break
    if (await move(context, namespace, task)) moved.push(task.metadata.name)
  }
  return moved
}

/** False when the task is no longer what it was decided by. */
async function move(context: ArchivingContext, namespace: string, decided: Task): Promise<boolean> {
  const { client, archive, clock } = context
  const { name, uid, resourceVersion } = decided.metadata
  const task = await client.find(TASKS, { namespace, name })
  if (task === undefined || task.metadata.resourceVersion !== resourceVersion) return false
  const executions = await readExecutions(context, namespace, task)
  if (executions === undefined) return false
  await archive.add({ archivedAt: toTimestamp(clock.now()), task, executions })
  try {
    await client.delete(TASKS, { namespace, name }, { preconditions: deletionOf(uid, resourceVersion) })
    return true
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
    await archive.remove(namespace, name)
    return false
  }
}

function deletionOf(uid: string | undefined, resourceVersion: string | undefined) {
  return { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) }
}

/** From the server, whole: caches keep parts. Undefined while one of them has not ended. */
async function readExecutions(
  { client }: ArchivingContext,
  namespace: string,
  task: Task,
): Promise<readonly Execution[] | undefined> {
  const query = { namespace, labelSelector: `${LABELS.task}=${task.metadata.name}` }
  const executions = (await client.list(EXECUTIONS, query)).items.filter((execution) => isOfTask(execution, task))
  return executions.every(isTerminal) ? executions : undefined
}

/** Removes records of tasks that are in the cluster: a crash has left them. One without a state is about to be given its own. */
export async function removeStaleRecords({ views, archive }: ArchivingContext, namespace: string): Promise<void> {
  for (const month of await archive.months(namespace)) {
    for (const name of await archive.names(namespace, month)) {
      if (views.tasks.get({ namespace, name })?.status?.state !== undefined) await archive.remove(namespace, name)
    }
  }
}
