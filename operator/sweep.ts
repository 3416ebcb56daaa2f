/**
 * Removes what has no owner from the data volume: the files of executions and the sandboxes whose Task or Execution is
 * gone, and the sandboxes of COMPLETED tasks whose work is delivered, which nobody goes back to (specification §3.24, §4.21). The sandbox of a
 * task that was deleted while it ran stays for a while (execution/kept-work.ts).
 *
 * No finalizer waits for it, so that nothing has to be written before a task may go, and a deletion ends whether an
 * operator runs or not. What is deleted meanwhile is found at the next start, which looks at every folder; while the
 * operator runs it looks at those of which it hears.
 *
 * A folder goes only when the server says that its owner is gone, whatever the caches think; when no Job or Pod that
 * may still run mounts it; and never when its owner is of a namespace that this operator does not serve. What bears no
 * mark has been left by an earlier version, or is about to be taken by an Execution: its name decides, in every
 * namespace that may be read, and only when it is old.
 */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution, Task } from '../core/crd/types.ts'
import { EXECUTIONS_PATH, OWNER_SUFFIX, SANDBOXES_PATH } from '../core/execution/layout.ts'
import type { FolderOwner } from '../core/execution/owner.ts'
import { isTerminal, isWork, taskOfExecution } from '../core/execution/state.ts'
import { needsWorkspace } from '../core/task/workspaces.ts'
import { parseTimestamp } from '../core/time.ts'
import { EXECUTIONS, TASKS } from '../kube/resources.ts'
import { type KubeObject, type Resource, isForbidden } from '../kube/types.ts'
import { openArchive } from '../lib/archive/archive.ts'
import { DamagedRecord } from '../lib/archive/record.ts'
import { ifThere } from '../lib/files.ts'
import type { OperatorContext, View } from './context.ts'
import { hasPodEnded, mayJobRun } from '../kube/workload.ts'
import { findTaskSession, keepSession } from './sessions.ts'
import {
  discardFolder,
  listNames,
  namesOfOwned,
  readExecutionOwner,
  readSandboxOwner,
  removeDiscarded,
} from './volume.ts'

/** A folder below sandboxes/ or executions/, by the name of what it belongs to. */
export interface OwnedFolder {
  readonly parent: typeof SANDBOXES_PATH | typeof EXECUTIONS_PATH
  readonly name: string
}

/** A namespace that is served. */
export interface SweptNamespace {
  readonly namespace: string
  readonly context: Pick<OperatorContext, 'client' | 'views' | 'settings' | 'clock'>
}

/** Asks the server, where the caches know of no owner. */
export interface Lookup {
  task(one: SweptNamespace, name: string): Promise<Task | undefined>
  execution(one: SweptNamespace, name: string): Promise<Execution | undefined>
}

/** How folders are judged. */
export interface Sweep {
  readonly served: readonly SweptNamespace[]
  /** Default: one request for each object; {@link openLookup} asks for many at once. */
  readonly lookup?: Lookup
  /** Aborts when another operator may lead: what was found out before says nothing any more. */
  readonly ended?: AbortSignal | undefined
}

/** `busy`: it has no owner, and something may still write into it. */
export type SweepOutcome = 'absent' | 'owned' | 'busy' | 'removed'

/** A folder without a mark is left alone for so long: a prompt is written before its Execution is made. */
const UNMARKED_MS = 3_600_000

/** Removes what an earlier sweep had begun to remove. */
export async function finishRemovals(root: string): Promise<void> {
  for (const parent of [SANDBOXES_PATH, EXECUTIONS_PATH]) await removeDiscarded(root, parent)
}

/** Every folder that a volume holds. */
export async function listFolders(root: string): Promise<OwnedFolder[]> {
  return [
    ...(await namesOfOwned(root, SANDBOXES_PATH)).map((name) => ({ parent: SANDBOXES_PATH, name }) as const),
    ...(await listNames(root, EXECUTIONS_PATH)).map((name) => ({ parent: EXECUTIONS_PATH, name }) as const),
  ]
}

/**
 * Removes one folder if it has no owner.
 *
 * @param sweep with every namespace whose objects have folders on this volume; all caches are filled
 */
export async function sweepFolder(sweep: Sweep, folder: OwnedFolder): Promise<SweepOutcome> {
  const root = sweep.served[0]?.context.settings.volumeRoot
  if (root === undefined) return 'owned'
  let outcome: SweepOutcome = 'owned'
  await discardFolder(root, pathOf(folder), async () => {
    outcome = await judgeFolder(sweep, root, folder)
    sweep.ended?.throwIfAborted()
    if (outcome === 'removed') await keepSessionOf(sweep, root, folder)
    return outcome === 'removed'
  })
  return outcome
}

/** Of a task that is done with its sandbox: another one may go on from it. */
async function keepSessionOf({ served }: Sweep, root: string, { parent, name }: OwnedFolder): Promise<void> {
  if (parent !== SANDBOXES_PATH) return
  const owner = await readSandboxOwner(root, name)
  const place = served.find(({ namespace }) => namespace === owner?.namespace)
  const task = place?.context.views.tasks.get({ namespace: place.namespace, name })
  if (place === undefined || task === undefined || task.metadata.uid !== owner?.uid) return
  const session = findTaskSession(place.context.views, task)
  if (session !== undefined) await keepSession(root, session)
}

function pathOf({ parent, name }: OwnedFolder): string {
  return `${parent}/${name}`
}

/** What a sweep of all folders would remove. */
export interface Unowned {
  /** That their owner is gone. */
  readonly gone: readonly OwnedFolder[]
  /** That their owner is there and done with them. */
  readonly spent: readonly OwnedFolder[]
}

/** Sorts folders, and removes none; asks the server by lists. */
export async function findUnowned(sweep: Sweep, folders: readonly OwnedFolder[]): Promise<Unowned> {
  const root = sweep.served[0]?.context.settings.volumeRoot
  const [gone, spent]: [OwnedFolder[], OwnedFolder[]] = [[], []]
  if (root === undefined) return { gone, spent }
  const judge = async (lookup: Lookup, among: readonly OwnedFolder[], whileThere = false): Promise<OwnedFolder[]> => {
    const found: OwnedFolder[] = []
    for (const folder of among) {
      sweep.ended?.throwIfAborted()
      const outcome = await judgeFolder({ ...sweep, lookup }, root, folder, whileThere)
      if (outcome === 'removed' || outcome === 'busy') found.push(folder)
    }
    return found
  }
  const unknown = await judge(NOBODY, folders)
  if (unknown.length === 0) return { gone, spent }
  const lookup = await openLookup(sweep, unknown)
  const unneeded = await judge(lookup, unknown)
  gone.push(...(await judge(lookup, unneeded, true)))
  spent.push(...unneeded.filter((folder) => !gone.includes(folder)))
  return { gone, spent }
}

/** What the caches alone know. */
const NOBODY: Lookup = { task: () => Promise.resolve(undefined), execution: () => Promise.resolve(undefined) }

const ONE_BY_ONE: Lookup = {
  task: ({ namespace, context }, name) => context.client.find(TASKS, { namespace, name }),
  execution: ({ namespace, context }, name) => context.client.find(EXECUTIONS, { namespace, name }),
}

const PAGE = 500

/** One list of tasks and one of executions in place of a request for each: it keeps what may own one of the folders. */
export async function openLookup({ served, ended }: Sweep, folders: readonly OwnedFolder[]): Promise<Lookup> {
  const root = served[0]?.context.settings.volumeRoot ?? ''
  const names = new Set<string | undefined>()
  for (const { parent, name } of folders) {
    names.add(name).add(taskOfExecution(name))
    if (parent === SANDBOXES_PATH) names.add((await readSandboxOwner(root, name))?.name)
  }
  const readAll = async <T extends KubeObject>(
    resource: Resource<T>,
  ): Promise<(one: SweptNamespace, name: string) => Promise<T | undefined>> => {
    const found = new Map<string, T>()
    for (const { namespace, context } of served) {
      let next: string | undefined
      do {
        const query = { namespace, limit: PAGE, ...(next !== undefined && { continue: next }) }
        const page = await context.client.list(resource, query, { signal: ended })
        for (const object of page.items) {
          if (names.has(object.metadata.name)) found.set(`${namespace}/${object.metadata.name}`, object)
        }
        next = page.continue
      } while (next !== undefined)
    }
    return (one, name) => Promise.resolve(found.get(`${one.namespace}/${name}`))
  }
  return { task: await readAll(TASKS), execution: await readAll(EXECUTIONS) }
}

async function judgeFolder(
  { served, lookup = ONE_BY_ONE }: Sweep,
  root: string,
  folder: OwnedFolder,
  whileThere = false,
): Promise<SweepOutcome> {
  const path = pathOf(folder)
  const isSandbox = folder.parent === SANDBOXES_PATH
  const changedAt = await findChange(root, isSandbox ? [path, `${path}${OWNER_SUFFIX}`] : [path])
  if (changedAt === undefined) return 'absent'
  const owner = await (isSandbox ? readSandboxOwner(root, folder.name) : readExecutionOwner(root, folder.name))
  const isFresh = served.some(({ context }) => context.clock.now().getTime() - changedAt.getTime() < UNMARKED_MS)
  const keptUntil = owner?.keptUntil === undefined ? undefined : parseTimestamp(owner.keptUntil)
  if (keptUntil !== undefined && served.some(({ context }) => context.clock.now() < keptUntil)) return 'owned'
  if ((owner === undefined && isFresh) || (await isOwned(served, folder, owner, lookup, whileThere))) return 'owned'
  const isBusy = served.some(({ context }) => isMounted(context, path) || isBeingEnded(context, folder))
  return isBusy ? 'busy' : 'removed'
}

async function findChange(root: string, paths: readonly string[]): Promise<Date | undefined> {
  for (const path of paths) {
    const found = await ifThere(lstat(join(root, path)))
    if (found !== undefined) return found.mtime
  }
  return undefined
}

/** An object that folders belong to, and how it is told from an earlier one of its name. */
interface Candidate<T extends KubeObject> {
  readonly resource: Resource<T>
  readonly ask: (one: SweptNamespace, name: string) => Promise<T | undefined>
  readonly view: (context: SweptNamespace['context']) => View<T>
  readonly name: string
  readonly uid: string | undefined
  /** Whether the object still needs the folder. */
  readonly needs: (object: T) => boolean
}

async function isOwned(
  served: readonly SweptNamespace[],
  { parent, name }: OwnedFolder,
  owner: FolderOwner | undefined,
  lookup: Lookup,
  whileThere: boolean,
): Promise<boolean> {
  const { namespace } = owner ?? {}
  const isTaskThere = (task: string, uid: string | undefined, needs: (task: Task) => boolean): Promise<boolean> =>
    isNeeded(served, namespace, {
      resource: TASKS,
      ask: lookup.task,
      view: ({ views }) => views.tasks,
      name: task,
      uid,
      needs,
    })
  const isExecutionThere = (execution: string): Promise<boolean> =>
    isNeeded(served, namespace, {
      resource: EXECUTIONS,
      ask: lookup.execution,
      view: ({ views }) => views.executions,
      name: execution,
      uid: owner?.uid,
      needs: () => true,
    })
  if (parent === SANDBOXES_PATH) {
    const { name: ownerName = name } = owner ?? {}
    return ownerName === name
      ? isTaskThere(name, owner?.uid, (task) => whileThere || needsWorkspace(task))
      : isExecutionThere(ownerName)
  }
  if (await isExecutionThere(name)) return true
  // A kept clone was made by one of them: their files stay as long as the task, also in the archive.
  const task = taskOfExecution(name)
  if (task === name) return false
  if (owner !== undefined && (await isArchived(served, task, owner))) return true
  return isTaskThere(task, owner?.task, () => true)
}

/**
 * By the uid of the execution too, for marks of deliveries once named no task. A record that cannot be read keeps the
 * files: what it says can be mended.
 */
async function isArchived(
  served: readonly SweptNamespace[],
  name: string,
  { namespace, task, uid }: FolderOwner,
): Promise<boolean> {
  const root = served[0]?.context.settings.volumeRoot
  if (root === undefined || namespace === undefined) return false
  try {
    const record = await openArchive(root).find(namespace, name)
    if (record === undefined) return false
    return record.task.metadata.uid === task || record.executions.some(({ metadata }) => metadata.uid === uid)
  } catch (error) {
    if (error instanceof DamagedRecord) return true
    throw error
  }
}

/** By the caches first, and where they know of no owner by the server. */
async function isNeeded<T extends KubeObject>(
  served: readonly SweptNamespace[],
  namespace: string | undefined,
  candidate: Candidate<T>,
): Promise<boolean> {
  const { ask, view, name, uid, needs } = candidate
  const isIt = (object: T | undefined): boolean =>
    object !== undefined && (uid === undefined || object.metadata.uid === uid) && needs(object)
  // Another operator that shares the volume owns it.
  if (namespace !== undefined && !served.some((one) => one.namespace === namespace)) return true
  const places = served.filter((one) => namespace === undefined || one.namespace === namespace)
  if (places.some((one) => isIt(view(one.context).get({ namespace: one.namespace, name })))) return true
  for (const one of places) {
    if (isIt(await ask(one, name))) return true
  }
  return namespace === undefined && (await isInAnyNamespace(served, candidate, isIt))
}

/** Without the right to look there, the volume is taken for that of the namespaces that are served. */
async function isInAnyNamespace<T extends KubeObject>(
  served: readonly SweptNamespace[],
  { resource, name }: Candidate<T>,
  isIt: (object: T) => boolean,
): Promise<boolean> {
  try {
    const found = await served[0]?.context.client.list(resource, { fieldSelector: `metadata.name=${name}` })
    return found?.items.some(isIt) === true
  } catch (error) {
    if (isForbidden(error)) return false
    throw error
  }
}

/** Whether a container that may still run has the folder, or a part of it. */
export function isMounted({ views }: Pick<OperatorContext, 'views'>, path: string): boolean {
  const pods = views.pods.byIndex('ofFolder', path)
  return (
    pods.some((pod) => !hasPodEnded(pod)) || views.jobs.byIndex('ofFolder', path).some((job) => mayJobRun(job, pods))
  )
}

/** The end of an execution takes its agent's renewed login out of the sandbox of its task, though that may be gone. */
function isBeingEnded({ views }: Pick<OperatorContext, 'views'>, { parent, name }: OwnedFolder): boolean {
  if (parent !== SANDBOXES_PATH) return false
  return views.executions
    .list()
    .some((execution) => isWork(execution) && execution.spec.taskRef?.name === name && !isTerminal(execution))
}
