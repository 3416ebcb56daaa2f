import type { Task, TaskState } from '../crd/types.ts'
import { stateOf } from './decide.ts'

/** The tasks of a namespace, as far as the relations between them go. */
export interface TaskIndex {
  find(name: string): Task | undefined
  /** The tasks whose `parentTaskId` is `name`. */
  subtasks(name: string): readonly Task[]
}

/** Whether a task in this state satisfies those that depend on it (specification §4.12). */
export function isSatisfied(state: TaskState): boolean {
  return state === 'READY' || state === 'COMPLETED'
}

/** A dependency that keeps a task waiting; without state it is not known (yet). */
export interface OpenDependency {
  readonly name: string
  readonly state?: TaskState
}

/** The dependencies that are not satisfied, in the order of `dependsOn`. */
export function openDependencies(task: Task, index: TaskIndex): OpenDependency[] {
  return (task.spec.dependsOn ?? []).flatMap((name) => {
    const found = index.find(name)
    if (found === undefined) return [{ name }]
    const state = stateOf(found)
    return isSatisfied(state) ? [] : [{ name, state }]
  })
}

/** The subtasks that keep a parent from being READY; CANCELLED ones do not count (specification §4.14). */
export function openSubtasks(task: Task, index: TaskIndex): Task[] {
  return index.subtasks(task.metadata.name).filter((subtask) => {
    const state = stateOf(subtask)
    return !isSatisfied(state) && state !== 'CANCELLED'
  })
}

/**
 * A circle of tasks that wait for one another, as names from `task` back to `task`; undefined when there is none. A
 * parent waits for its subtasks too, so a task that depends on an ancestor is in a circle.
 */
export function findCycle(task: Task, index: TaskIndex): string[] | undefined {
  const goal = task.metadata.name
  const waitsFor = (name: string): string[] => {
    const seen = name === goal ? task : index.find(name)
    return [...(seen?.spec.dependsOn ?? []), ...index.subtasks(name).map(({ metadata }) => metadata.name)]
  }
  const cameFrom = new Map<string, string>()
  const open = [goal]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const next of waitsFor(name)) {
      if (next === goal) return [...tracePath(cameFrom, goal, name), goal]
      if (!cameFrom.has(next)) {
        cameFrom.set(next, name)
        open.push(next)
      }
    }
  }
  return undefined
}

function tracePath(cameFrom: ReadonlyMap<string, string>, from: string, to: string): string[] {
  const path = [to]
  for (let at = to; at !== from;) {
    at = cameFrom.get(at) ?? from
    path.push(at)
  }
  return path.toReversed()
}

const FAILED_STATES: readonly TaskState[] = ['FAILED', 'TIMED_OUT', 'CANCELLED', 'BUDGET_EXCEEDED']

/**
 * The failed tasks that a run of `task` resets and queues before it, those first that others of them wait for. The
 * search goes on behind whatever is not satisfied, but not behind PENDING ones: those wait for a run of their own.
 */
export function failedDependencies(task: Task, index: TaskIndex): Task[] {
  const found = new Map<string, Task>()
  const visited = new Set([task.metadata.name])
  const visit = (current: Task): void => {
    for (const name of current.spec.dependsOn ?? []) {
      const dependency = visited.has(name) ? undefined : index.find(name)
      if (dependency === undefined) continue
      visited.add(name)
      const state = stateOf(dependency)
      if (isSatisfied(state) || state === 'PENDING') continue
      visit(dependency)
      if (FAILED_STATES.includes(state)) found.set(name, dependency)
    }
  }
  visit(task)
  return [...found.values()]
}
