/**
 * Brings an archived task back (docs/adr/0010-archive.md). Whoever makes a task under an archived name, `slipway restore`,
 * kubectl or a GitOps tool, gets the archived one: it has its state again, and is not run anew.
 *
 * Every step may be repeated, and the record goes last. Until the task has a state nothing else is decided about it, so
 * nobody takes its executions, which have no status for a moment, for new ones.
 */
import { withConditions } from '../../core/conditions.ts'
import type { Execution, Task } from '../../core/crd/types.ts'
import { ARCHIVE_PATH, executionPath } from '../../core/execution/layout.ts'
import { EXECUTIONS, TASKS } from '../../kube/resources.ts'
import { type ObjectKey, isAlreadyExists, KubeError } from '../../kube/types.ts'
import { type Archive, openArchive } from '../../lib/archive/archive.ts'
import { type ArchivedTask, DamagedRecord } from '../../lib/archive/record.ts'
import { recordEvent } from '../action.ts'
import { applyStep, ownerOf, writingUntil } from '../apply.ts'
import type { OperatorContext } from '../context.ts'
import { takeExecutionFolder } from '../volume.ts'

/**
 * @throws DamagedRecord, which the task's condition says then too, and KubeError: nothing was decided about the task, and
 * it is tried again
 */
export async function restoreArchived(given: OperatorContext, key: ObjectKey, lost?: AbortSignal): Promise<void> {
  const context = lost === undefined ? given : { ...given, client: writingUntil(given.client, lost) }
  const { client, views, settings, onVolume } = context
  const task = views.tasks.get(key)
  if (task === undefined || task.status?.state !== undefined) return
  const archive = openArchive(settings.volumeRoot)
  const record = await findRecord(context, archive, task, lost)
  if (record === undefined) return
  for (const execution of record.executions) await restoreExecution(context, task, execution)
  // Its clone is gone, and what the record says of the object's generation was said of another object.
  const { workspace: _, observedGeneration: __, ...status } = record.task.status ?? {}
  views.tasks.observe(await client.replaceStatus(TASKS, { ...task, status }))
  lost?.throwIfAborted()
  const { name, namespace = '' } = key
  await onVolume({ kind: 'remove', path: ARCHIVE_PATH }, (signal) => archive.remove(namespace, name, signal))
}

async function findRecord(
  context: OperatorContext,
  archive: Archive,
  task: Task,
  lost: AbortSignal | undefined,
): Promise<ArchivedTask | undefined> {
  const { name, namespace = '' } = task.metadata
  try {
    return await context.onVolume({ kind: 'read', path: ARCHIVE_PATH }, () => archive.find(namespace, name))
  } catch (error) {
    if (error instanceof DamagedRecord) await showDamage(context, task, error, lost)
    throw error
  }
}

/** Without a state, so that the record is looked for again. */
async function showDamage(
  context: OperatorContext,
  task: Task,
  { message }: DamagedRecord,
  lost: AbortSignal | undefined,
): Promise<void> {
  const cure = 'put it back from a backup, or remove it, and the task begins anew'
  const claim = { type: 'Stalled', status: 'True', reason: 'ArchiveDamaged', message: `${message}; ${cure}` } as const
  const shown = task.status?.conditions?.some(
    ({ reason, message: said }) => reason === claim.reason && said === claim.message,
  )
  if (shown === true) return
  const status = withConditions(task, task.status ?? {}, [claim], context.clock.now())
  const event = recordEvent(task, 'Warning', claim.reason, claim.message)
  await applyStep(context, [{ kind: 'writeTask', task, status }, event], lost)
}

async function restoreExecution(
  { client, views, settings, onVolume }: OperatorContext,
  task: Task,
  archived: Execution,
): Promise<void> {
  const { name: owner, uid = '', namespace } = task.metadata
  const { name, labels, annotations } = archived.metadata
  const reference = {
    apiVersion: task.apiVersion,
    kind: task.kind,
    name: owner,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  }
  const metadata = {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ownerReferences: [reference],
  }
  const made = await createOrFind(client, { ...archived, metadata })
  const mark = { uid: made.metadata.uid ?? '', ...(namespace !== undefined && { namespace }), name, task: uid }
  const path = executionPath(name)
  await onVolume({ kind: 'write', path }, (lost) => takeExecutionFolder(settings.volumeRoot, name, mark, lost))
  const isWhole = made.status?.state === archived.status?.state
  views.executions.observe(
    isWhole || archived.status === undefined
      ? made
      : await client.replaceStatus(EXECUTIONS, { ...made, status: archived.status }),
  )
}

async function createOrFind(client: OperatorContext['client'], execution: Execution): Promise<Execution> {
  const { status: _, ...spec } = execution
  try {
    return await client.create(EXECUTIONS, spec)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const { name, namespace } = execution.metadata
    const found = await client.get(EXECUTIONS, { name, namespace })
    if (ownerOf(found) === ownerOf(execution)) return found
    throw new KubeError(409, 'Conflict', `execution ${name} of the archived task is still being collected`)
  }
}
