/**
 * Which finished tasks leave the cluster for the archive (specification §14.3). Pure: the time is passed in.
 *
 * What may go on decides: it may still look at a finished task, so nothing that it refers to goes. A task that somebody
 * has just asked something of stays too, whatever its age.
 */
import type { Execution, Story, Task } from '../crd/types.ts'
import { isTerminal } from '../execution/state.ts'
import { ANNOTATIONS, LABELS, MANAGED_BY } from '../names.ts'
import { isSpent } from '../spent-actions.ts'
import { stateOf } from './decide.ts'
import { parseTimestamp } from '../time.ts'
import { lastTransitionAt } from './last-transition.ts'

/** How long finished tasks or their records stay, and how many of a namespace; what exceeds either goes. */
export interface RetentionLimit {
  readonly ageMs: number
  readonly count: number
}

export interface Retention {
  /** For tasks that are COMPLETED or CANCELLED: nobody goes on with them. */
  readonly closed: RetentionLimit
  /** For tasks that FAILED, TIMED_OUT or exceeded their budget. */
  readonly failed: RetentionLimit
  /** For records in the archive (forgetting.ts); Infinity: for ever. */
  readonly archive: RetentionLimit
}

const DAY_MS = 86_400_000

/** Source: decisions on transitions, "Retention defaults"; specification §14.3. */
export const DEFAULT_RETENTION: Retention = {
  closed: { ageMs: 30 * DAY_MS, count: 5000 },
  failed: { ageMs: 90 * DAY_MS, count: 5000 },
  archive: { ageMs: Infinity, count: Infinity },
}

/** Limits as configured, in days; what is missing is the default. */
export interface RetentionSettings {
  readonly closedDays?: number
  readonly closedCount?: number
  readonly failedDays?: number
  readonly failedCount?: number
  readonly archiveDays?: number
  readonly archiveCount?: number
}

export function toRetention(settings: RetentionSettings): Retention {
  const { closedDays, closedCount, failedDays, failedCount, archiveDays, archiveCount } = settings
  const limit = (days: number | undefined, count: number | undefined, { ageMs, count: most }: RetentionLimit) => ({
    ageMs: days === undefined ? ageMs : days * DAY_MS,
    count: count ?? most,
  })
  return {
    closed: limit(closedDays, closedCount, DEFAULT_RETENTION.closed),
    failed: limit(failedDays, failedCount, DEFAULT_RETENTION.failed),
    archive: limit(archiveDays, archiveCount, DEFAULT_RETENTION.archive),
  }
}

/** The limits without their ages, for while no time is known that could be trusted. */
export function countsAlone({ closed, failed, archive }: Retention): Retention {
  const counted = ({ count }: RetentionLimit): RetentionLimit => ({ ageMs: Infinity, count })
  return { closed: counted(closed), failed: counted(failed), archive: counted(archive) }
}

/** The objects of one namespace. */
export interface RetentionView {
  readonly tasks: readonly Task[]
  readonly stories: readonly Story[]
  readonly executionsOf: (task: string) => readonly Execution[]
}

/** The tasks to archive now, the oldest first; of those declared elsewhere, only what they still hold can go. */
export function findArchivable(view: RetentionView, retention: Retention, now: Date): Task[] {
  const referred = findReferences(view)
  const isFree = (task: Task): boolean =>
    !referred.has(task.metadata.name) &&
    isAtRest(task, view) &&
    (isOwn(task) || view.executionsOf(task.metadata.name).length > 0)
  const of = (limit: RetentionLimit, states: ReadonlySet<string>): Dated[] =>
    exceeding(
      view.tasks.filter((task) => states.has(stateOf(task))),
      limit,
      now,
    ).filter(({ task }) => isFree(task))
  return [...of(retention.closed, CLOSED), ...of(retention.failed, FAILED)].toSorted(byAge).map(({ task }) => task)
}

const CLOSED: ReadonlySet<string> = new Set(['COMPLETED', 'CANCELLED'])
const FAILED: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'BUDGET_EXCEEDED'])

interface Dated {
  readonly task: Task
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Without a time that can be told, a task counts as the newest. */
function exceeding(tasks: readonly Task[], { ageMs, count }: RetentionLimit, now: Date): Dated[] {
  const dated = tasks.map((task) => ({ task, at: restingSince(task) ?? now.getTime() })).toSorted(byAge)
  const surplus = dated.length - count
  return dated.filter(({ at }, i) => i < surplus || now.getTime() - at > ageMs)
}

/** A task that was restored begins anew here: it would go back at once, before anybody could do something with it. */
function restingSince(task: Task): number | undefined {
  const { creationTimestamp } = task.metadata
  const times = [
    lastTransitionAt(task),
    creationTimestamp === undefined ? undefined : parseTimestamp(creationTimestamp),
  ]
  const known = times.flatMap((time) => time?.getTime() ?? [])
  return known.length === 0 ? undefined : Math.max(...known)
}

function byAge(a: Dated, b: Dated): number {
  return a.at - b.at || (a.task.metadata.name < b.task.metadata.name ? -1 : 1)
}

/**
 * Names of tasks that something refers to which may go on, or that refer to it: what failed can be resumed, and then
 * looks at what it depends on.
 */
function findReferences({ tasks, stories }: RetentionView): ReadonlySet<string> {
  const openStories = new Set(
    stories.filter(({ status }) => status?.status !== 'DONE').map(({ metadata }) => metadata.name),
  )
  const open = new Set(tasks.filter(mayGoOn).map(({ metadata }) => metadata.name))
  const names = new Set<string>()
  for (const { metadata, spec } of tasks) {
    const { storyId, parentTaskId, dependsOn = [], continues } = spec
    const isInOpenStory = storyId !== undefined && openStories.has(storyId)
    const isOfOpenParent = parentTaskId !== undefined && open.has(parentTaskId)
    if (isInOpenStory || isOfOpenParent) names.add(metadata.name)
    if (!open.has(metadata.name)) continue
    for (const name of dependsOn) names.add(name)
    if (continues !== undefined) names.add(continues)
    if (parentTaskId !== undefined) names.add(parentTaskId)
  }
  return names
}

/** Whether somebody may still go on with a task: anything but COMPLETED and CANCELLED. */
function mayGoOn(task: Task): boolean {
  return !CLOSED.has(stateOf(task))
}

/** Whether REST or the command line made it. What a manifest elsewhere declares would come back if it were deleted. */
export function isOwn({ metadata }: Task): boolean {
  return metadata.labels?.[LABELS.managedBy] === MANAGED_BY
}

/** With nothing under way and nothing asked of it. */
function isAtRest({ metadata, status = {} }: Task, { executionsOf }: RetentionView): boolean {
  const { annotations = {}, deletionTimestamp, finalizers = [] } = metadata
  const { [ANNOTATIONS.action]: action, [ANNOTATIONS.actionId]: id } = annotations
  const isAsked = action !== undefined && (id === undefined || !isSpent(status, { action, id }))
  const isUnderWay =
    status.resumeAfter !== undefined || status.checkedOut !== undefined || status.delivery?.state === 'Pending'
  return (
    deletionTimestamp === undefined &&
    finalizers.length === 0 &&
    !isAsked &&
    !isUnderWay &&
    executionsOf(metadata.name).every(hasEnded)
  )
}

function hasEnded(execution: Execution): boolean {
  return isTerminal(execution) && (execution.metadata.finalizers ?? []).length === 0
}
