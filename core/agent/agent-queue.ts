/**
 * The queue of one agent: the tasks that lack nothing but a slot.
 *
 * They stand in lanes by the limit on reviews that may hold them (review-limit.ts), each lane in the order of starting. Such a
 * limit is reached and left with every few reviews; then all tasks of its lane stop or go on at once, and none of them moves.
 */
import { type OrderedSet, createOrderedSet } from '../ordered-set.ts'
import { type ReviewPlace, keyOf } from './review-limit.ts'
import { type ScheduledTask, compareScheduled } from './schedule.ts'

/** Whose limit may hold the tasks of a lane; undefined: nobody's. */
export type Lane = ReviewPlace | undefined

/** The lanes by their keys; none is empty. */
export type AgentQueue = Map<string, { readonly lane: Lane; readonly tasks: OrderedSet<ScheduledTask> }>

/** The tasks of a queue that may start now: those of the open lanes. */
export interface OpenQueue {
  readonly length: number
  /** In the order of starting, from index `start` up to but not `end`. */
  slice(start: number, end: number): readonly ScheduledTask[]
  /** The place of a task of an open lane, from 0. */
  indexOf(task: ScheduledTask): number
}

/** Puts a task into a lane. */
export function joinLane(queue: AgentQueue, lane: Lane, task: ScheduledTask): void {
  const key = keyOfLane(lane)
  const { tasks } = queue.get(key) ?? { tasks: createOrderedSet(compareScheduled) }
  tasks.add(task)
  queue.set(key, { lane, tasks })
}

/** Takes a task out of a lane. */
export function leaveLane(queue: AgentQueue, lane: Lane, task: ScheduledTask): void {
  const key = keyOfLane(lane)
  const { tasks } = queue.get(key) ?? {}
  tasks?.delete(task)
  if (tasks?.size === 0) queue.delete(key)
}

/** Whether two tasks stand in the same lane. */
export function isSameLane(a: Lane, b: Lane): boolean {
  return keyOfLane(a) === keyOfLane(b)
}

/** Whether a queue has tasks that a limit may hold: of an agent all that stand in a lane of any limit. */
export function isLimitedBy(queue: AgentQueue, place: ReviewPlace): boolean {
  const isConcerned = ({ lane }: { readonly lane: Lane }): boolean =>
    lane !== undefined && (place.kind === 'agent' || isSameLane(lane, place))
  return [...queue.values()].some(isConcerned)
}

/** A queue as it is while only some of its lanes are open. */
export function openQueue(queue: AgentQueue | undefined, isOpen: (lane: Lane) => boolean): OpenQueue {
  const lanes = [...(queue?.values() ?? [])].flatMap(({ lane, tasks }) => (isOpen(lane) ? [tasks] : []))
  const [only, ...others] = lanes
  return {
    length: lanes.reduce((sum, { size }) => sum + size, 0),
    slice(start, end) {
      if (others.length === 0) return only?.slice(start, end) ?? []
      const first = lanes.flatMap((tasks) => tasks.slice(0, end))
      return first.sort(compareScheduled).slice(start, end)
    },
    indexOf: (task) => lanes.reduce((sum, tasks) => sum + tasks.countBefore(task), 0),
  }
}

function keyOfLane(lane: Lane): string {
  return lane === undefined ? '' : keyOf(lane)
}
