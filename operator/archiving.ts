/**
 * Moves finished tasks from the cluster to the archive (specification §14.3). For each: the record is written and synced,
 * then the Task is deleted as the version that was written, and its Executions go with it. A crash in between leaves both;
 * the next pass finds the record written, or the task changed, and then the record goes. So a task is in the cluster, in
 * the archive, or in both and the cluster counts.
 *
 * A record goes only when the task is there in another version: whoever led before may still be about to delete the
 * version that was written, and nothing else.
 *
 * A task that was declared elsewhere stays, for whoever declared it would make it again: its Executions and their files
 * go.
 */
import { type Retention, findArchivable, isOwn } from '../core/task/retention.ts'
import type { Execution, Task } from '../core/crd/types.ts'
import { isOfTask, isTerminal } from '../core/execution/state.ts'
import { executionPath } from '../core/execution/layout.ts'
import { LABELS } from '../core/names.ts'
import { toTimestamp } from '../core/time.ts'
import { EXECUTIONS, TASKS } from '../kube/resources.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import type { Archive } from '../lib/archive/archive.ts'
import { type ArchivedTask, DamagedRecord } from '../lib/archive/record.ts'
import type { Logger } from '../lib/log.ts'
import { type OperatorContext, indexKey } from './context.ts'
import { discardFolder } from './volume.ts'

export interface ArchivingContext extends Pick<OperatorContext, 'client' | 'views' | 'clock' | 'settings'> {
  readonly archive: Archive
  readonly retention: Retention
  /** By which time something is too old. */
  readonly judgedAt: Date
  readonly logger: Pick<Logger, 'warn'>
}

/** So many tasks are moved in one pass: a pass ends within seconds, also where years of history wait. */
export const MAX_PER_PASS = 100
/** What fails for one task may do so for all: the control plane or the volume is out of reach. */
export const MAX_FAILURES = 10

/** What one pass did. */
export interface ArchivingPass {
  /** Names of the tasks that are in the archive now, or whose executions were removed. */
  readonly moved: readonly string[]
  /** Some may have left a record although the task still exists ({@link removeStaleRecords}). */
  readonly failed: readonly string[]
}

/** Moves what exceeds the limits, the oldest first; what fails is logged, and the others are moved all the same. */
export async function archiveFinished(
  context: ArchivingContext,
  namespace: string,
  max = MAX_PER_PASS,
  ended?: AbortSignal,
): Promise<ArchivingPass> {
  const { views, retention, judgedAt, logger } = context
  const ofNamespace = <T extends { readonly metadata: { readonly namespace?: string } }>(objects: readonly T[]): T[] =>
    objects.filter(({ metadata }) => metadata.namespace === namespace)
  const view = {
    tasks: ofNamespace(views.tasks.list()),
    stories: ofNamespace(views.stories.list()),
    executionsOf: (task: string) => views.executions.byIndex('ofTask', indexKey(namespace, task)),
  }
  const [moved, failed]: [string[], string[]] = [[], []]
  const isEnded = (): boolean => ended?.aborted === true
  for (const task of findArchivable(view, retention, judgedAt)) {
    if (isEnded() || moved.length >= max || failed.length >= MAX_FAILURES) break
    const { name } = task.metadata
    try {
      if (await move(context, namespace, task, ended)) moved.push(name)
    } catch (error) {
      failed.push(name)
      // Another operator leads, and goes on with it.
      if (isEnded()) break
      logger.warn({ namespace, task: name, error }, 'a finished task could not be archived: it stays for now')
    }
  }
  return { moved, failed }
}

/** False when the task is no longer what it was decided by. */
async function move(
  context: ArchivingContext,
  namespace: string,
  decided: Task,
  ended: AbortSignal | undefined,
): Promise<boolean> {
  const { client, archive, clock } = context
  const { name, resourceVersion } = decided.metadata
  const task = await client.find(TASKS, { namespace, name })
  if (task === undefined || task.metadata.resourceVersion !== resourceVersion) return false
  const executions = await readExecutions(context, namespace, task)
  if (executions === undefined) return false
  ended?.throwIfAborted()
  if (!isOwn(task)) return removeExecutions(context, executions)
  await archive.add({ archivedAt: toTimestamp(clock.now()), task, executions })
  ended?.throwIfAborted()
  try {
    await client.delete(TASKS, { namespace, name }, { preconditions: deletionOf(task) })
  } catch (error) {
    // Gone: perhaps by a try of ours whose answer was lost, and then the record is all that is left.
    if (isNotFound(error)) return true
    if (!isConflict(error)) throw error
    await removeStaleRecord(context, namespace, name, ended)
    return false
  }
  return true
}

function deletionOf({ metadata: { uid, resourceVersion } }: Task | Execution) {
  return { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) }
}

/** Files first, so that a crash leaves nothing that nobody comes back to. False when there were none, or one has changed. */
async function removeExecutions(
  { client, settings }: ArchivingContext,
  executions: readonly Execution[],
): Promise<boolean> {
  for (const execution of executions) {
    const { name, namespace } = execution.metadata
    await discardFolder(settings.volumeRoot, executionPath(name), () => Promise.resolve(true))
    try {
      await client.delete(EXECUTIONS, { name, namespace }, { preconditions: deletionOf(execution) })
    } catch (error) {
      if (isNotFound(error)) continue
      if (isConflict(error)) return false
      throw error
    }
  }
  return executions.length > 0
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

/**
 * Removes what a crash has left: records that are not whole, and those of tasks that are in the cluster in another
 * version. One without a state is about to be given its own.
 */
export async function removeStaleRecords(
  context: ArchivingContext,
  namespace: string,
  ended?: AbortSignal,
): Promise<void> {
  const { views, archive } = context
  await archive.removeUnfinished(namespace)
  for (const month of await archive.months(namespace)) {
    for (const name of await archive.names(namespace, month)) {
      ended?.throwIfAborted()
      if (views.tasks.get({ namespace, name })?.status?.state === undefined) continue
      await removeStaleRecord(context, namespace, name, ended)
    }
  }
}

/** The server is asked, for a cache may still have what was archived a moment ago. */
async function removeStaleRecord(
  { client, archive }: ArchivingContext,
  namespace: string,
  name: string,
  ended: AbortSignal | undefined,
): Promise<void> {
  const live = await client.find(TASKS, { namespace, name })
  if (live?.status?.state === undefined) return
  const { uid, resourceVersion } = (await findReadable(archive, namespace, name))?.task.metadata ?? {}
  const isCurrent = uid === live.metadata.uid && resourceVersion === live.metadata.resourceVersion
  // Whoever leads by now may have archived it once more.
  ended?.throwIfAborted()
  if (!isCurrent) await archive.remove(namespace, name)
}

/** The record of a task; undefined also for one that is damaged. */
export async function findReadable(
  archive: Archive,
  namespace: string,
  name: string,
): Promise<ArchivedTask | undefined> {
  try {
    return await archive.find(namespace, name)
  } catch (error) {
    if (error instanceof DamagedRecord) return undefined
    throw error
  }
}
