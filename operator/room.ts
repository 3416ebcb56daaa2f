/**
 * Keeps the room on the data volume that mirrors, environments and workspaces take within its limits. Nothing waits for it: it looks once
 * an hour, and what takes room is measured by a process of its own.
 */
import { statfs } from 'node:fs/promises'
import type { Task } from '../core/crd/types.ts'
import { SANDBOXES_PATH, sandboxPath } from '../core/execution/layout.ts'
import { type Room, type RoomSettings, toRoom } from '../core/task/room.ts'
import { findSpentWorkspaces, loseWorkspace, mayLoseWorkspace } from '../core/task/workspaces.ts'
import { TASKS } from '../kube/resources.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import { orAborted } from '../lib/async.ts'
import { delay } from '../lib/clock.ts'
import { measureFolders } from '../lib/disk-usage.ts'
import { safeJoin } from '../lib/files.ts'
import { createSettledTime } from '../lib/settled-time.ts'
import type { OperatorContext, ServedNamespace } from './context.ts'
import { sweepEnvironments } from './environments.ts'
import { tellMirrorSizes } from './mirror-sizes.ts'
import { sweepRepositories } from './repositories.ts'
import { findTaskSession, keepSession, sweepSessions } from './sessions.ts'
import { isMounted, listFolders } from './sweep.ts'
import { discardFolder, readSandboxOwner } from './volume.ts'

export interface RoomKeeperOptions extends Pick<OperatorContext, 'clock' | 'logger' | 'events'> {
  readonly served: readonly ServedNamespace[]
  /** Absolute. */
  readonly volumeRoot: string
  readonly room: RoomSettings
}

/** The start of an operator has more urgent work. */
const BEGIN_MS = 60_000
const PACE_MS = 3_600_000
/** A clock that is wrong for a shorter time makes nothing old. */
const SETTLE_MS = 2 * PACE_MS

/** Looks now and then until `ended` aborts; for the operator that leads, whose caches are filled. */
export async function runRoomKeeper(options: RoomKeeperOptions, ended: AbortSignal): Promise<void> {
  const { volumeRoot: root, clock, logger } = options
  const settledTime = createSettledTime(clock, SETTLE_MS)
  await delay(clock, BEGIN_MS, ended)
  while (!ended.aborted) {
    try {
      const settled = settledTime()
      const room = await readRoom(root, options.room)
      const how = {
        ...options,
        room: settled === undefined ? { ...room, reviewMs: Infinity, environmentMs: Infinity } : room,
        ended,
      }
      await orAborted(keepRoom(how, settled ?? clock.now()), ended)
    } catch (error) {
      if (!ended.aborted)
        logger.warn({ error }, 'the room on the data volume cannot be looked after; it is tried again')
    }
    await delay(clock, PACE_MS, ended)
  }
}

/** The limits of a volume, by its size where nobody has set them. */
export async function readRoom(root: string, settings: RoomSettings): Promise<Room> {
  const { blocks, bsize } = await statfs(root)
  return toRoom(settings, blocks === 0 ? Infinity : blocks * bsize)
}

export interface RoomKeeping extends Pick<RoomKeeperOptions, 'clock' | 'logger' | 'events' | 'volumeRoot'> {
  readonly served: readonly ServedNamespace[]
  readonly room: Room
  readonly ended: AbortSignal
}

/** Looks once. @param now by which time something is old */
export async function keepRoom(keeping: RoomKeeping, now: Date): Promise<void> {
  const { served, volumeRoot: root, room, clock, logger, ended } = keeping
  for (const { folder, task, reason } of await findSpent(keeping, now)) {
    ended.throwIfAborted()
    if (await orChanged(removeWorkspace(keeping, task, reason, now)))
      logger.info({ folder, reason }, 'a workspace was removed')
  }
  // Those that nobody borrows from any more are seen by now.
  const isInUse = (path: string): boolean => served.some(({ context }) => isMounted(context, path))
  const onFailure = (folder: string, error: unknown): void =>
    logger.warn({ folder, error }, 'a repository of mirrors cannot be cleared up: the others are')
  const sweep = { root, clock, maxBytes: room.mirrorBytes, isMounted: isInUse, ended, onFailure }
  const { removed, left } = await sweepRepositories(sweep)
  for (const folder of removed) logger.info({ folder }, 'a mirror that nobody borrows from was removed')
  for (const folder of await sweepEnvironments({ served, root, room, ended }, now))
    logger.info({ folder }, 'an environment that no project has any more was removed')
  await tellMirrorSizes(served, left, ended)
}

/** The folders of clones and homes, and what each takes on the disk. */
export async function measureSandboxes(
  root: string,
  signal?: AbortSignal,
): Promise<readonly { readonly name: string; readonly bytes: number }[]> {
  const names = (await listFolders(root)).flatMap(({ parent, name }) => (parent === SANDBOXES_PATH ? [name] : []))
  const sizes = await measureFolders(
    names.map((name) => safeJoin(root, sandboxPath(name))),
    signal,
  )
  return names.map((name, n) => ({ name, bytes: sizes[n] ?? 0 }))
}

async function findSpent({ served, volumeRoot: root, room, logger, ended }: RoomKeeping, now: Date) {
  const found = []
  const sandboxes = await measureSandboxes(root, ended)
  const namespaces = served.map(({ namespace }) => namespace)
  const taken = sandboxes.reduce((sum, { bytes }) => sum + bytes, 0)
  const sessions = await sweepSessions({ root, room, namespaces, others: taken, ended }, now)
  for (const { path, reason } of sessions.removed)
    logger.info({ path, reason }, 'the session of accepted work was removed')
  let others = sessions.leftBytes
  for (const { name, bytes } of sandboxes) {
    const owner = await readSandboxOwner(root, name)
    const place = served.find(({ namespace }) => namespace === owner?.namespace)
    const task = place?.context.views.tasks.get({ namespace: place.namespace, name })
    if (task !== undefined && task.metadata.uid === owner?.uid) found.push({ task, bytes })
    else others += bytes
  }
  return findSpentWorkspaces(found, room, now, others).map((one) => ({
    ...one,
    folder: sandboxPath(one.task.metadata.name),
  }))
}

/** Another one wrote the task meanwhile: it is looked at again the next time. */
async function orChanged(removing: Promise<boolean>): Promise<boolean> {
  try {
    return await removing
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
    return false
  }
}

/** The task says so first: whoever resumes it meanwhile writes it too, and one of the two comes too late. */
async function removeWorkspace(
  { served, volumeRoot, events, ended }: RoomKeeping,
  { metadata: { name, namespace, uid } }: Task,
  reason: string,
  now: Date,
): Promise<boolean> {
  const context = served.find((one) => one.namespace === namespace)?.context
  const path = sandboxPath(name)
  if (context === undefined) return false
  return discardFolder(volumeRoot, path, async () => {
    const task = await context.client.find(TASKS, { namespace, name })
    if (task?.metadata.uid !== uid || task === undefined || !mayLoseWorkspace(task)) return false
    if (isMounted(context, path)) return false
    ended.throwIfAborted()
    const { status, message } = loseWorkspace(task, reason, now)
    context.views.tasks.observe(await context.client.replaceStatus(TASKS, { ...task, status }))
    events.record(task, { type: 'Normal', reason: 'WorkspaceRemoved', message })
    const session = findTaskSession(context.views, task)
    if (session !== undefined) await keepSession(volumeRoot, session)
    ended.throwIfAborted()
    return true
  })
}
