/**
 * Limits on how many tasks of a project, or of an agent, wait for a person: while so many do, nothing new starts.
 *
 * The tasks that wait are kept in order, so that a question costs the logarithm of their number. Source: specification §6.15.
 */
import type { Agent, Project, Task } from '../crd/types.ts'
import { type OrderedSet, createOrderedSet } from '../ordered-set.ts'
import type { ReviewLimit } from '../sentences/waiting.ts'
import { storyStatus } from '../story/status.ts'
import { awaitsPerson, isNewWork } from '../task/awaiting-review.ts'
import { lastTransitionAt } from '../task/last-transition.ts'
import { projectOf } from '../task/project.ts'
import { stateOf } from '../task/decide.ts'
import { type ScheduledTask, compareScheduled } from './schedule.ts'
import type { SchedulingObjects } from './scheduling-objects.ts'

/** A project or an agent, which may have such a limit. */
export interface ReviewPlace {
  readonly kind: ReviewLimit['kind']
  readonly name: string
}

/** A task that waits for a person. */
interface Awaiting {
  /** In the order in which they came to wait. */
  readonly since: ScheduledTask
  readonly places: readonly ReviewPlace[]
}

/** The tasks that wait for a person. */
export interface ReviewIndex {
  readonly entries: Map<string, Awaiting>
  /** By {@link keyOf} their project and their agent. */
  readonly sets: Map<string, OrderedSet<ScheduledTask>>
}

export function createReviewIndex(): ReviewIndex {
  return { entries: new Map(), sets: new Map() }
}

/** A project or an agent of which other tasks wait for a person than before. */
export interface ReviewChange {
  readonly place: ReviewPlace
  readonly wasReached: boolean
  readonly isReached: boolean
}

/** Takes in a task as it is now. */
export function trackAwaiting(index: ReviewIndex, objects: SchedulingObjects, name: string): readonly ReviewChange[] {
  const { entries, sets } = index
  const task = objects.tasks.get(name)
  const before = entries.get(name)
  const after = task === undefined || !awaitsPerson(task) ? undefined : toAwaiting(objects, task)
  if (isSameAwaiting(before, after)) return []
  const places = new Map([...(before?.places ?? []), ...(after?.places ?? [])].map((place) => [keyOf(place), place]))
  const isReached = (place: ReviewPlace): boolean => findReachedLimit(index, objects, place) !== undefined
  const reached = new Set([...places].flatMap(([key, place]) => (isReached(place) ? [key] : [])))
  if (before !== undefined) leave(index, before)
  if (after !== undefined) for (const place of after.places) setOf(sets, place).add(after.since)
  if (after === undefined) entries.delete(name)
  else entries.set(name, after)
  return [...places].map(([key, place]) => ({ place, wasReached: reached.has(key), isReached: isReached(place) }))
}

function leave({ sets }: ReviewIndex, { since, places }: Awaiting): void {
  for (const place of places) {
    const set = sets.get(keyOf(place))
    set?.delete(since)
    if (set?.size === 0) sets.delete(keyOf(place))
  }
}

function setOf(sets: ReviewIndex['sets'], place: ReviewPlace): OrderedSet<ScheduledTask> {
  const found = sets.get(keyOf(place))
  if (found !== undefined) return found
  const made = createOrderedSet(compareScheduled)
  sets.set(keyOf(place), made)
  return made
}

/** Whether as many tasks of a project or an agent wait for a person as its limit says, or more. */
export function findReachedLimit(
  index: ReviewIndex,
  objects: SchedulingObjects,
  place: ReviewPlace,
): ReviewLimit | undefined {
  const { kind, name } = place
  const limit = limitOf(objects, place)
  if (limit === undefined) return undefined
  const set = index.sets.get(keyOf(place))
  const [oldest, count] = [set?.at(0), set?.size ?? 0]
  if (oldest === undefined || count < limit) return undefined
  const task = objects.tasks.get(oldest.name)
  const state = task && stateOf(task)
  const waitsFor = state === 'BLOCKED' ? 'answer' : state === 'FAILED' ? 'checks' : 'review'
  return { kind, name, limit, count, oldest: oldest.name, waitsFor }
}

function limitOf({ projects, agents }: SchedulingObjects, { kind, name }: ReviewPlace): number | undefined {
  return (kind === 'project' ? projects : agents).get(name)?.spec?.maxAwaitingReview
}

/**
 * What keeps a task from starting because too many others wait for a person: its project's limit, else its agent's. Work
 * that goes on is not kept, nor is a task of a story in progress of which some task has started: that is finished first.
 */
export function findReviewLimit(
  index: ReviewIndex,
  objects: SchedulingObjects,
  task: Task,
  agent: string | undefined,
): ReviewLimit | undefined {
  if (!isNewWork(task) || isOfBegunStory(objects, task)) return undefined
  return placesOf(objects, task, agent)
    .map((place) => findReachedLimit(index, objects, place))
    .find((limit) => limit !== undefined)
}

/**
 * The lane of its agent's queue that a task stands in: that of its project where this has a limit, else that of its agent;
 * undefined where neither has one, or none would hold it.
 */
export function laneOf(objects: SchedulingObjects, task: Task, agent: string | undefined): ReviewPlace | undefined {
  if (!isNewWork(task) || isOfBegunStory(objects, task)) return undefined
  return placesOf(objects, task, agent).find((place) => limitOf(objects, place) !== undefined)
}

/** Whether the tasks of a lane of an agent's queue may start: no limit that concerns them is reached. */
export function isLaneOpen(
  index: ReviewIndex,
  objects: SchedulingObjects,
  agent: string,
  lane: ReviewPlace | undefined,
): boolean {
  const places = lane === undefined ? [] : [lane, { kind: 'agent', name: agent } as const]
  return places.every((place) => findReachedLimit(index, objects, place) === undefined)
}

/** Whether two versions of a project or an agent limit what waits for a person alike. */
export function isSameReviewLimit(a: Agent | Project | undefined, b: Agent | Project | undefined): boolean {
  return a?.spec?.maxAwaitingReview === b?.spec?.maxAwaitingReview
}

function isOfBegunStory({ stories, begunOf }: SchedulingObjects, { spec }: Task): boolean {
  const story = spec.storyId === undefined ? undefined : stories.get(spec.storyId)
  if (story === undefined || storyStatus(story) !== 'IN_PROGRESS') return false
  return begunOf.get(story.metadata.name).size > 0
}

function toAwaiting(objects: SchedulingObjects, task: Task): Awaiting {
  const queuedAtMs = lastTransitionAt(task)?.getTime() ?? 0
  const since = { name: task.metadata.name, priority: 0, queuedAtMs }
  return { since, places: placesOf(objects, task, task.status?.agent?.type) }
}

function placesOf({ stories }: SchedulingObjects, task: Task, agent: string | undefined): ReviewPlace[] {
  const project = projectOf(task, task.spec.storyId === undefined ? undefined : stories.get(task.spec.storyId))
  return [
    ...(project === undefined ? [] : [{ kind: 'project', name: project } as const]),
    ...(agent === undefined ? [] : [{ kind: 'agent', name: agent } as const]),
  ]
}

function isSameAwaiting(a: Awaiting | undefined, b: Awaiting | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return compareScheduled(a.since, b.since) === 0 && a.places.map(keyOf).join() === b.places.map(keyOf).join()
}

/** A key for each place. */
export function keyOf({ kind, name }: ReviewPlace): string {
  return `${kind} ${name}`
}
