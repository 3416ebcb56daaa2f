import type { Writable } from 'node:stream'
import { type ServedObject, findSecretProblem, toBackupObject } from '../../core/backup/objects.ts'
import { isBackedUp, isOfMirror, taskOfSandbox } from '../../core/backup/paths.ts'
import { findWorkedOn, settleExecution } from '../../core/backup/settle.ts'
import type { Execution } from '../../core/crd/types.ts'
import { clonePath, EXECUTIONS_PATH, REPOSITORIES_PATH, SANDBOXES_PATH } from '../../core/execution/layout.ts'
import type { Generation } from '../../core/execution/alternates.ts'
import { isTerminal } from '../../core/execution/state.ts'
import { API_VERSION, LABELS } from '../../core/names.ts'
import { toTimestamp } from '../../core/time.ts'
import { apiVersionOf, EXECUTIONS, OUR_RESOURCES, SECRETS } from '../../kube/resources.ts'
import type { KubeClient, KubeObject, ListOptions, Resource } from '../../kube/types.ts'
import { type End, bytesOf, SCHEMA_VERSION } from '../../lib/backup/format.ts'
import { walkVolume } from '../../lib/backup/walk.ts'
import { type BackupWriter, writeBackup } from '../../lib/backup/write.ts'
import { readBorrowed } from '../../operator/kept-clone.ts'
import { readExecutionOwner, readFolder, readSandboxOwner } from '../../operator/volume.ts'
import { readImportMark } from './mark.ts'

export interface ExportOptions {
  readonly client: Pick<KubeClient, 'list'>
  readonly namespace: string
  /** The data volume, absolute. */
  readonly volumeRoot: string
  readonly sink: Writable
  /** Slipway's version. */
  readonly version: string
  readonly now: Date
  readonly hasSecrets: boolean
  readonly hasWorkspaces: boolean
  /** Work that is under way counts as lost, rather than keeping the backup from being made. */
  readonly allowsRunning: boolean
  /** The size of the largest file that comes along. */
  readonly maxFileBytes: number
  readonly warn: (text: string) => void
  readonly signal: AbortSignal
}

/** A backup would not have all of it: agents are at work, or an import has not ended. */
export class ExportRefused extends Error {
  override readonly name = 'ExportRefused'
}

const PAGE = 200

/**
 * Writes everything of a namespace and its data volume to `sink`; what it wrote is whole only if this resolves.
 *
 * @throws ExportRefused while an import has not ended, and while agents are at work unless that is allowed
 */
export async function exportBackup(options: ExportOptions): Promise<End> {
  const { sink, namespace, now, version, hasSecrets, hasWorkspaces } = options
  const writer = writeBackup(sink)
  try {
    if ((await readImportMark(options.volumeRoot)) !== undefined)
      throw new ExportRefused('an import has not ended: finish it first')
    const createdAt = toTimestamp(now)
    const header = { schemaVersion: SCHEMA_VERSION, createdAt, version, namespace, hasSecrets, hasWorkspaces }
    await writer.add({ kind: 'SlipwayBackup', ...header })
    const { objects, ended, running } = await addObjects(options, writer)
    const { files, bytes } = await addFiles(options, writer, running)
    const begun = new Set<string>()
    for await (const execution of pagesOf(options, EXECUTIONS)) {
      const task = findWorkedOn(ended, execution)
      if (task !== undefined && !running.has(task)) begun.add(task)
    }
    const workedOn = [...begun].toSorted()
    if (workedOn.length > 0) refuseRunning(options, workedOn)
    const end = { kind: 'End', objects, files, bytes, changedWorkspaces: hasWorkspaces ? workedOn : [] } as const
    await writer.add(end)
    await writer.end()
    return end
  } catch (error) {
    await writer.abort()
    throw error
  }
}

interface Exported {
  readonly objects: number
  /** Names of executions. */
  readonly ended: ReadonlySet<string>
  /** Tasks with executions that had not ended; their clones are being written. */
  readonly running: ReadonlySet<string>
}

async function addObjects(options: ExportOptions, writer: BackupWriter): Promise<Exported> {
  const uids = new Set<string>()
  const [ended, running] = [new Set<string>(), new Set<string>()]
  const add = async (resource: Resource<KubeObject>, object: KubeObject): Promise<void> => {
    const served: ServedObject = { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }
    if (!isKept(served, uids)) return
    uids.add(served.metadata.uid ?? '')
    await writer.add({ kind: 'Object', object: toBackupObject(served) })
  }
  for (const resource of OUR_RESOURCES.filter(({ kind }) => kind !== EXECUTIONS.kind)) {
    if (resource.kind === 'StoryEvent') {
      for await (const execution of pagesOf(options, EXECUTIONS)) {
        if (isTerminal(execution)) ended.add(execution.metadata.name)
        else running.add(subjectOf(execution))
        await add(EXECUTIONS, settleExecution(execution, options.now))
      }
      if (running.size > 0) refuseRunning(options, running)
    }
    for await (const object of pagesOf(options, resource)) await add(resource, object)
  }
  const labelSelector = LABELS.usableBy
  if (options.hasSecrets)
    for await (const secret of pagesOf(options, SECRETS, { labelSelector })) {
      const problem = findSecretProblem({ ...secret, kind: SECRETS.kind })
      if (problem === undefined) await add(SECRETS, secret)
      else options.warn(`Secret ${secret.metadata.name} is not in the backup: ${problem}`)
    }
  return { objects: uids.size, ended, running }
}

/** An object that is being deleted is not exported, nor is anything that it owns. */
function isKept({ metadata }: ServedObject, uids: ReadonlySet<string>): boolean {
  const ours = (metadata.ownerReferences ?? []).filter(({ apiVersion }) => apiVersion === API_VERSION)
  return metadata.deletionTimestamp === undefined && ours.every(({ uid }) => uids.has(uid))
}

function subjectOf({ spec, metadata }: Execution): string {
  return spec.taskRef?.name ?? metadata.name
}

function refuseRunning({ allowsRunning, warn }: ExportOptions, names: Iterable<string>): void {
  const shown = [...names].join(', ')
  if (!allowsRunning)
    throw new ExportRefused(
      `agents are at work on ${shown}: wait until they have ended and try again, or give --running, and what they have begun does not come along`,
    )
  warn(`agents are at work on ${shown}: in the backup that counts as lost, without its clones`)
}

async function addFiles(
  options: ExportOptions,
  writer: BackupWriter,
  running: ReadonlySet<string>,
): Promise<Pick<End, 'files' | 'bytes'>> {
  const { volumeRoot, namespace, hasWorkspaces, maxFileBytes, warn, signal } = options
  let [files, bytes] = [0, 0]
  const isIncluded = async (path: string): Promise<boolean> =>
    isBackedUp(path, namespace, hasWorkspaces) &&
    !(await isOfOthers(volumeRoot, path, namespace)) &&
    !running.has(taskOfSandbox(path) ?? '')
  const mirrors = await findBorrowed(volumeRoot, isIncluded)
  const includes = async (path: string): Promise<boolean> =>
    (await isIncluded(path)) &&
    (!path.startsWith(`${REPOSITORIES_PATH}/`) || mirrors.some((mirror) => isOfMirror(path, mirror)))
  const leaveOut = (path: string, reason: string): void => warn(`${path} is not in the backup: ${reason}`)
  for await (const entry of walkVolume(volumeRoot, { includes, leaveOut, maxFileBytes })) {
    signal.throwIfAborted()
    await writer.add(entry)
    if (entry.kind === 'File' || entry.kind === 'Link') files += 1
    if (entry.kind === 'Data') bytes += bytesOf(entry).length
  }
  return { files, bytes }
}

/**
 * What the clones that come along borrow from: it comes with them. An agent can change what its clone says, and the mirrors
 * of another namespace are none of this one's, so only what the mark says too.
 */
async function findBorrowed(root: string, isIncluded: (path: string) => Promise<boolean>): Promise<Generation[]> {
  const found: Generation[] = []
  for (const name of await readFolder(root, SANDBOXES_PATH)) {
    if (!(await isIncluded(`${SANDBOXES_PATH}/${name}`))) continue
    const borrowed = await readBorrowed(root, clonePath(name))
    if (typeof borrowed !== 'object') continue
    if (borrowed.key === (await readSandboxOwner(root, name))?.mirror) found.push(borrowed)
  }
  return found
}

/** Whether the path is a folder, or the mark of one, that another namespace has on the volume. */
async function isOfOthers(root: string, path: string, namespace: string): Promise<boolean> {
  const [top, name = '', ...rest] = path.split('/')
  if (name === '' || rest.length > 0) return false
  const sandbox = taskOfSandbox(path)
  if (sandbox === undefined && top !== EXECUTIONS_PATH) return false
  const owner = await (sandbox === undefined ? readExecutionOwner(root, name) : readSandboxOwner(root, sandbox))
  return owner?.namespace !== undefined && owner.namespace !== namespace
}

async function* pagesOf<T extends KubeObject>(
  { client, namespace }: Pick<ExportOptions, 'client' | 'namespace'>,
  resource: Resource<T>,
  query: ListOptions = {},
): AsyncGenerator<T> {
  let next: string | undefined
  do {
    const page = { ...query, namespace, limit: PAGE, ...(next !== undefined && { continue: next }) }
    const list = await client.list(resource, page)
    yield* list.items
    next = list.continue
  } while (next !== undefined)
}
