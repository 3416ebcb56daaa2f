import type { Task } from '../crd/types.ts'
import { parseTimestamp } from '../time.ts'

/**
 * The tasks that lack nothing but a slot of one agent.
 *
 * Sorted when somebody asks for the order and then only once: each task of a long list asks for its own place, and
 * while no slot is free nobody needs to know who is next.
 */
export interface Line {
  /** In no particular order. */
  readonly tasks: readonly Task[]
  /** In the order of starting: priority (lower first), then queue time, then name. */
  inOrder(): readonly Task[]
  /** Counted from 0; undefined for a task that does not stand in the line. */
  placeOf(task: string): number | undefined
}

/** Puts the tasks in line; they must not change afterwards. */
export function lineUp(tasks: readonly Task[]): Line {
  let sorted: readonly Task[] | undefined
  let places: ReadonlyMap<string, number> | undefined
  const inOrder = (): readonly Task[] => (sorted ??= sort(tasks))
  return {
    tasks,
    inOrder,
    placeOf(task) {
      places ??= new Map(inOrder().map(({ metadata }, place) => [metadata.name, place]))
      return places.get(task)
    },
  }
}

function sort(tasks: readonly Task[]): Task[] {
  const keyed = tasks.map((task) => ({ task, priority: task.spec.priority ?? 0, queuedAt: queueTime(task) }))
  keyed.sort((a, b) => a.priority - b.priority || a.queuedAt - b.queuedAt || compareNames(a.task, b.task))
  return keyed.map(({ task }) => task)
}

function compareNames(a: Task, b: Task): number {
  return a.metadata.name < b.metadata.name ? -1 : 1
}

/** Infinity would make NaN of the difference of two tasks without a queue time. */
function queueTime(task: Task): number {
  const at = task.status?.queuedAt
  return at === undefined ? Number.MAX_SAFE_INTEGER : parseTimestamp(at).getTime()
}
