/**
 * Sessions for tasks that go on from accepted work (docs/adr/0017-continues.md). While a task has its workspace, its session
 * lies in its agent's home; when that goes, the one file of the session moves into the folder of its execution, where no
 * step sees it: it goes with the task's files, and with age and room as workspaces do.
 *
 * All of it is what an agent has left: it is copied as bytes, of a bounded number, from a plain file without links.
 */
import { lstat, rm } from 'node:fs/promises'
import { type CopyingAdapter, COPYING_ADAPTERS, MAX_COPIED_SESSION_BYTES } from '../core/agent/session-files.ts'
import { EXECUTION_FILES, EXECUTIONS_PATH, executionPath, homePath, keptSessionPath } from '../core/execution/layout.ts'
import type { Execution, Task } from '../core/crd/types.ts'
import { executionName } from '../core/names.ts'
import {
  type CopiedSession,
  type PlacedTask,
  type TaskSession,
  findSessionHolder,
  placeOf,
} from '../core/task/continues.ts'
import { type SpentSession, type StoredSession, findSpentSessions } from '../core/task/workspaces.ts'
import type { Room } from '../core/task/room.ts'
import { ifPlain, ifThere, isOutOfSpace, readRegularNoFollow, safeJoin, writeFileAtomic } from '../lib/files.ts'
import { findSessionFile } from '../lib/session-file.ts'
import type { Views } from './context.ts'
import { readExecutionOwner, readFolder, readSandboxOwner } from './volume.ts'

/** A task with its story, as the caches know it. */
export function withStory(views: Pick<Views, 'stories'>, task: Task): PlacedTask {
  const { storyId: name } = task.spec
  return {
    task,
    story: name === undefined ? undefined : views.stories.get({ namespace: task.metadata.namespace, name }),
  }
}

/** The session that a task's work ended with. */
export function findTaskSession(views: Pick<Views, 'executions' | 'stories'>, task: Task): TaskSession | undefined {
  const { name, namespace, uid = '' } = task.metadata
  const place = placeOf(withStory(views, task))
  const find = (n: number): Execution | undefined =>
    views.executions.get({ namespace, name: executionName(name, n + 1) })
  const executions = Array.from({ length: task.status?.executions ?? 0 }, (_, n) => find(n) ?? [])
  const holder = findSessionHolder(task, executions.flat())
  const id = holder?.status?.sessionId
  return holder === undefined || id === undefined
    ? undefined
    : { task: name, uid, place, execution: holder.metadata.name, id }
}

/** Keeps the session of a task whose workspace is about to go. Without room for it, it is not kept. */
export async function keepSession(root: string, session: TaskSession): Promise<void> {
  if (!(await isOwnFolder(root, session))) return
  for (const adapter of COPYING_ADAPTERS) {
    const bytes = await readFromHome(root, session, adapter)
    if (bytes !== undefined) await write(safeJoin(root, keptSessionPath(session.execution, adapter)), bytes)
  }
}

const MODE = 0o600

/** Whether a session of a task is there for that program; its bytes are read when it is copied. */
export async function hasSession(root: string, session: TaskSession, adapter: CopyingAdapter): Promise<boolean> {
  if (!(await isOwnFolder(root, session))) return false
  if ((await findInHome(root, session, adapter)) !== undefined) return true
  return (await ifThere(lstat(safeJoin(root, keptSessionPath(session.execution, adapter))))) !== undefined
}

/** The bytes of a session of a task, wherever they are; undefined where none are kept for that program. */
export async function readSession(
  root: string,
  session: TaskSession,
  adapter: CopyingAdapter,
): Promise<Buffer | undefined> {
  if (!(await isOwnFolder(root, session))) return undefined
  return (await readFromHome(root, session, adapter)) ?? (await readKept(root, session, adapter))
}

/** Copies a session to where prepare finds it; without room or session the agent is told what the task did. */
export async function copySession(root: string, { session, adapter }: CopiedSession, execution: string): Promise<void> {
  const bytes = await readSession(root, session, adapter)
  if (bytes !== undefined)
    await write(safeJoin(root, `${executionPath(execution)}/${EXECUTION_FILES.continued}`), bytes)
}

async function write(path: string, bytes: Buffer): Promise<void> {
  try {
    await ifThere(writeFileAtomic(path, bytes, MODE))
  } catch (error) {
    if (!isOutOfSpace(error)) throw error
  }
}

function readKept(root: string, { execution }: TaskSession, adapter: CopyingAdapter): Promise<Buffer | undefined> {
  return ifPlain(readRegularNoFollow(root, keptSessionPath(execution, adapter), MAX_COPIED_SESSION_BYTES))
}

/** Whether the session is the task's, and was made for the project that the task is in now: a task can be moved. */
async function isOwnFolder(root: string, { execution, uid, place }: TaskSession): Promise<boolean> {
  const owner = await readExecutionOwner(root, execution)
  return owner?.task === uid && owner.place === place
}

async function readFromHome(root: string, session: TaskSession, adapter: CopyingAdapter): Promise<Buffer | undefined> {
  const found = await findInHome(root, session, adapter)
  return found && ifPlain(readRegularNoFollow(root, found.path, MAX_COPIED_SESSION_BYTES))
}

async function findInHome(root: string, { task, uid, id }: TaskSession, adapter: CopyingAdapter) {
  if ((await readSandboxOwner(root, task))?.uid !== uid) return undefined
  return findSessionFile(root, homePath(task), { adapter, id }, MAX_COPIED_SESSION_BYTES)
}

/** The sessions that are kept on a volume. */
async function listSessions(root: string): Promise<(StoredSession & { readonly namespace: string | undefined })[]> {
  const sessions = []
  for (const execution of await readFolder(root, EXECUTIONS_PATH)) {
    for (const adapter of COPYING_ADAPTERS) {
      const path = keptSessionPath(execution, adapter)
      const found = await ifThere(lstat(safeJoin(root, path)), 'ENOENT', 'ENOTDIR')
      if (found === undefined) continue
      const namespace = (await readExecutionOwner(root, execution))?.namespace
      sessions.push({ path, bytes: found.size, at: found.mtime, namespace })
    }
  }
  return sessions
}

/** What a volume has for its sessions. */
export interface SessionSweep {
  readonly root: string
  readonly room: Pick<Room, 'workspaceBytes' | 'reviewMs'>
  /** Sessions of other namespaces take room alone. */
  readonly namespaces: readonly string[]
  /** Bytes of workspaces. */
  readonly others: number
  readonly ended: AbortSignal
}

/** Removes those that are old, and the oldest while all that is kept takes more than it may. */
export async function sweepSessions(
  { root, room, namespaces, others, ended }: SessionSweep,
  now: Date,
): Promise<{ readonly removed: readonly SpentSession[]; readonly leftBytes: number }> {
  const stored = await listSessions(root)
  const own = stored.filter(({ namespace }) => namespace !== undefined && namespaces.includes(namespace))
  const sum = (list: readonly StoredSession[]): number => list.reduce((bytes, one) => bytes + one.bytes, 0)
  const foreign = sum(stored) - sum(own)
  const removed = findSpentSessions(own, room, now, others + foreign)
  for (const { path } of removed) {
    ended.throwIfAborted()
    await rm(safeJoin(root, path), { force: true })
  }
  return { removed, leftBytes: sum(stored) - sum(removed) }
}
