/**
 * Clears up among what the setups of projects have prepared (layout.ts), and measures it, once an hour. What goes is first
 * taken out of its project's status, and then off the volume: after a crash between the two the folder has no entry, and
 * goes the next time.
 *
 * A folder without an entry stays while the Execution of its name has not ended, or may still have a pod, and while its
 * mark names a namespace that this operator does not serve. Nothing that a Job mounts goes.
 */
import type { Execution, PreparedEnvironment, Project } from '../core/crd/types.ts'
import { findSpentEnvironments } from '../core/environment/room.ts'
import { environmentPath, ENVIRONMENTS_PATH, OWNER_SUFFIX } from '../core/execution/layout.ts'
import { isTerminal } from '../core/execution/state.ts'
import { isSame } from '../core/json.ts'
import { withoutAbsent } from '../core/omit.ts'
import type { Room } from '../core/task/room.ts'
import { parseTimestamp } from '../core/time.ts'
import { EXECUTIONS, PROJECTS } from '../kube/resources.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import { measureFolders } from '../lib/disk-usage.ts'
import { safeJoin } from '../lib/files.ts'
import { removeTree } from '../lib/remove-tree.ts'
import { type OperatorContext, type ServedNamespace, indexKey } from './context.ts'
import { toHour } from './project/environments.ts'
import { isMounted } from './sweep.ts'
import { discardFolder, listNames, namesOfOwned, readEnvironmentOwner, readFolder, removeDiscarded } from './volume.ts'

export interface EnvironmentSweep {
  readonly served: readonly ServedNamespace[]
  /** Of the volume, absolute. */
  readonly root: string
  readonly room: Room
  /** Aborts when another operator may lead. */
  readonly ended: AbortSignal
}

/**
 * Clears up once.
 *
 * @param now by which time something is old
 * @returns the folders that were removed, relative to the volume
 */
export async function sweepEnvironments(sweep: EnvironmentSweep, now: Date): Promise<string[]> {
  const { root } = sweep
  const stored = await measureEnvironments(sweep)
  const isInUse = ({ context, project, entry, folder }: Stored): boolean =>
    isMounted(context, folder) ||
    context.views.executions.byIndex('openWith', indexKey(project.metadata.namespace, entry.execution)).length > 0
  const spent = findSpentEnvironments(stored, isInUse, sweep.room, now)
  for (const { context, project } of projectsOf(sweep)) {
    sweep.ended.throwIfAborted()
    const own = stored.filter((one) => one.project === project)
    const gone = own.filter((one) => spent.includes(one))
    await orChanged(writeEntries(context, project, own, gone))
  }
  return removeUnnamed(sweep, root)
}

interface Stored {
  readonly context: OperatorContext
  readonly project: Project
  readonly entry: PreparedEnvironment
  readonly folder: string
  readonly bytes: number
}

function projectsOf({ served }: Pick<EnvironmentSweep, 'served'>) {
  return served.flatMap(({ namespace, context }) =>
    context.views.projects
      .list(namespace)
      .filter(({ status }) => (status?.environments ?? []).length > 0)
      .map((project) => ({ context, project })),
  )
}

async function measureEnvironments(sweep: Pick<EnvironmentSweep, 'served' | 'root' | 'ended'>): Promise<Stored[]> {
  const entries = projectsOf(sweep).flatMap(({ context, project }) =>
    (project.status?.environments ?? []).map((entry) => {
      const folder = environmentPath(project.metadata.uid ?? '', entry.execution)
      return { context, project, entry, folder }
    }),
  )
  const paths = entries.map(({ folder }) => safeJoin(sweep.root, folder))
  const sizes = paths.length === 0 ? [] : await measureFolders(paths, sweep.ended)
  return entries.map((one, n) => ({ ...one, bytes: sizes[n] ?? 0 }))
}

/** The executions that began with an environment. */
function usesOf({ views }: OperatorContext, environment: string): Execution[] {
  return views.executions.list().filter(({ status }) => status?.environment?.execution === environment)
}

/** What a setup that goes on will take is not known yet. */
async function writeEntries(
  context: OperatorContext,
  project: Project,
  own: readonly Stored[],
  gone: readonly Stored[],
): Promise<void> {
  const environments = own
    .filter((one) => !gone.includes(one))
    .map(({ entry, bytes }) => {
      if (entry.state !== 'Ready') return entry
      const starts = usesOf(context, entry.execution).flatMap(({ status }) => status?.startedAt ?? [])
      const hours = [
        ...starts.map((at) => toHour(parseTimestamp(at))),
        ...(entry.usedAt === undefined ? [] : [entry.usedAt]),
      ]
      return { ...entry, bytes, ...withoutAbsent({ usedAt: hours.sort().at(-1) }) }
    })
  if (isSame(environments, project.status?.environments)) return
  const status = { ...project.status, environments }
  context.views.projects.observe(await context.client.replaceStatus(PROJECTS, { ...project, status }))
}

/** Another one wrote the project meanwhile: it is looked at again the next time. */
async function orChanged(writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
  }
}

/** Removes what no project names. */
async function removeUnnamed(sweep: EnvironmentSweep, root: string): Promise<string[]> {
  const removed: string[] = []
  for (const uid of await namesOfOwned(root, ENVIRONMENTS_PATH)) {
    const owner = await readEnvironmentOwner(root, uid)
    const place = sweep.served.find(({ namespace }) => namespace === owner?.namespace)
    // Another operator that shares the volume may own what bears no mark of ours.
    if (owner?.uid !== uid || place === undefined) continue
    const ofProject = `${ENVIRONMENTS_PATH}/${uid}`
    await removeDiscarded(root, ofProject)
    for (const execution of await listNames(root, ofProject)) {
      sweep.ended.throwIfAborted()
      const isUnnamed = () => isUnnamedNow(sweep, place, { uid, project: owner.name ?? '', execution })
      if (await discardFolder(root, environmentPath(uid, execution), isUnnamed))
        removed.push(environmentPath(uid, execution))
    }
    if ((await readFolder(root, ofProject)).length === 0 && !(await isProject(place, owner.name ?? '', uid))) {
      await removeTree(safeJoin(root, ofProject))
      await removeTree(safeJoin(root, `${ofProject}${OWNER_SUFFIX}`))
    }
  }
  return removed
}

async function isProject({ namespace, context }: ServedNamespace, name: string, uid: string): Promise<boolean> {
  const project = await context.client.find(PROJECTS, { namespace, name })
  return project?.metadata.uid === uid
}

/** The server is asked: what the caches do not know of may have been made a moment ago. */
async function isUnnamedNow(
  { ended }: EnvironmentSweep,
  { namespace, context }: ServedNamespace,
  { uid, project: name, execution }: { readonly uid: string; readonly project: string; readonly execution: string },
): Promise<boolean> {
  const [project, prepare] = await Promise.all([
    context.client.find(PROJECTS, { namespace, name }),
    context.client.find(EXECUTIONS, { namespace, name: execution }),
  ])
  ended.throwIfAborted()
  const isNamed =
    project?.metadata.uid === uid &&
    project.status?.environments?.some((entry) => entry.execution === execution) === true
  const isOpen = prepare !== undefined && !isTerminal(prepare)
  return !isNamed && !isOpen && !isMounted(context, environmentPath(uid, execution))
}
