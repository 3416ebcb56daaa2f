/**
 * Which READY tasks give up what their agents worked in, clone and home, before somebody has accepted their work. What did
 * not succeed keeps them: it has pushed nothing, so its work is nowhere else. Pure: the time is passed in.
 *
 * Source: specification §4.21.
 */
import type { Task, TaskStatus } from '../crd/types.ts'
import { withConditions } from '../conditions.ts'
import { omit } from '../omit.ts'
import { formatSize, countOf } from '../sentences/amounts.ts'
import { stateOf } from './decide.ts'
import { lastTransitionAt } from './last-transition.ts'
import type { Room } from './room.ts'

/** What a task's agent works in. */
export interface Workspace {
  readonly task: Task
  readonly bytes: number
}

/** One that goes, and why, in words. */
export interface SpentWorkspace extends Workspace {
  readonly reason: string
}

/** Whether a task is to be gone on with: until its work was accepted and, where it is delivered, has been. */
export function needsWorkspace({ status }: Task): boolean {
  return status?.state !== 'COMPLETED' || status.delivery?.state === 'Pending'
}

/** What was accepted has its own end: once it is delivered, or need not be. */
export function mayLoseWorkspace(task: Task): boolean {
  const { resumeAfter, checkedOut } = task.status ?? {}
  return resumeAfter === undefined && checkedOut === undefined && stateOf(task) === 'READY'
}

/**
 * Those that go: what has been READY for long, and the oldest while all take more than they may.
 *
 * @param others bytes of what belongs to no task of these
 */
export function findSpentWorkspaces(
  workspaces: readonly Workspace[],
  { workspaceBytes, reviewMs }: Pick<Room, 'workspaceBytes' | 'reviewMs'>,
  now: Date,
  others = 0,
): SpentWorkspace[] {
  let bytes = workspaces.reduce((sum, one) => sum + one.bytes, others)
  const total = bytes
  const spent: SpentWorkspace[] = []
  const ready = workspaces.filter(({ task }) => mayLoseWorkspace(task))
  for (const one of ready.toSorted((a, b) => timeOf(a.task) - timeOf(b.task))) {
    const isOld = now.getTime() - timeOf(one.task) > reviewMs
    if (!isOld && bytes <= workspaceBytes) continue
    bytes -= one.bytes
    const reason = isOld
      ? `nobody has decided for ${countOf(Math.floor(reviewMs / DAY_MS), 'day')} (retention.reviewDays)`
      : `all tasks together took ${formatSize(total)} of ${formatSize(workspaceBytes)} (retention.workspaceBytes)`
    spent.push({ ...one, reason })
  }
  return spent
}

/** A session that is kept after its workspace. */
export interface StoredSession {
  /** Below the root of the volume. */
  readonly path: string
  readonly bytes: number
  readonly at: Date
}

/** One that goes, and why, in words. */
export interface SpentSession extends StoredSession {
  readonly reason: string
}

/**
 * Sessions go as workspaces do, and before them: what is older than a review may take, and the oldest while all takes more
 * than it may.
 *
 * @param others bytes of all workspaces
 */
export function findSpentSessions(
  sessions: readonly StoredSession[],
  { workspaceBytes, reviewMs }: Pick<Room, 'workspaceBytes' | 'reviewMs'>,
  now: Date,
  others: number,
): SpentSession[] {
  let bytes = sessions.reduce((sum, one) => sum + one.bytes, others)
  const spent: SpentSession[] = []
  for (const one of sessions.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const isOld = now.getTime() - one.at.getTime() > reviewMs
    if (!isOld && bytes <= workspaceBytes) continue
    bytes -= one.bytes
    spent.push({ ...one, reason: isOld ? 'retention.reviewDays' : 'retention.workspaceBytes' })
  }
  return spent
}

const DAY_MS = 86_400_000

function timeOf(task: Task): number {
  return lastTransitionAt(task)?.getTime() ?? Infinity
}

/** The status of a task whose clone and home go, with what people read of it. */
export function loseWorkspace(task: Task, reason: string, now: Date): { status: TaskStatus; message: string } {
  const message = `its clone and its agent's home were removed because ${reason}; what comes next begins with a fresh clone`
  const [first, ...rest] = task.status?.conditions ?? []
  const claims = first === undefined ? [] : [{ ...first, message: `${first.message}; ${message}` }, ...rest]
  return { status: withConditions(task, omit(task.status ?? {}, ['workspace']), claims, now), message }
}
