/**
 * Which tasks a change elsewhere may have given other words for what they wait for.
 *
 * What is QUEUED, and on what it waits, is the scheduling snapshot's to say. Here is what depends on what beyond that: a
 * task on its dependencies, its subtasks and what these depend on in turn (a circle), its project and its agent. Only tasks
 * that wait are named, found by indexes: what is finished costs nothing, however much of it there is.
 */
import type { Agent, Task, TaskState } from '../../core/crd/types.ts'
import { stateOf } from '../../core/task/decide.ts'
import { isSatisfied } from '../../core/task/dependencies.ts'
import { type Change, versionsOf } from '../../kube/cache.ts'
import type { Caches } from '../cache/caches.ts'

/** What may be out of date since the last look. */
export interface Dirty {
  /** Names of tasks. */
  readonly tasks: Set<string>
  /** Names of agents whose queues, or slots, have changed. */
  readonly queues: Set<string>
}

export type TaskCache = Pick<Caches['tasks'], 'find'> & {
  readonly informer: Pick<Caches['tasks']['informer'], 'byIndex'>
}

/** States whose words are made of more than the task alone. */
const WAITING: readonly TaskState[] = ['PENDING', 'QUEUED', 'BLOCKED']

/** The tasks that wait for something, of all that there are. */
export function waitingTasks(tasks: TaskCache): readonly Task[] {
  return WAITING.flatMap((state) => tasks.informer.byIndex('state', state))
}

/** Marks the dependents of a task that has changed; the task itself has its own message. */
export function markByTask(dirty: Dirty, tasks: TaskCache, change: Change<Task>): void {
  if (change.type === 'update' && !isOtherForOthers(change.previous, change.object)) return
  const isShape = change.type !== 'update' || !hasSameRelations(change.previous, change.object)
  const open = versionsOf(change).flatMap((task) => dependentsOf(tasks, task))
  const seen = new Set<string>()
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    if (seen.has(task.metadata.name)) continue
    seen.add(task.metadata.name)
    dirty.tasks.add(task.metadata.name)
    // In a circle each task is marked; one step is enough for everything else.
    if (isShape) open.push(...dependentsOf(tasks, task))
  }
}

/** The tasks that wait for this one: those that depend on it, and its parent. */
function dependentsOf(tasks: TaskCache, { metadata, spec }: Task): Task[] {
  const parent = tasks.find(spec.parentTaskId)
  const dependents = tasks.informer.byIndex('dependency', metadata.name)
  return [...dependents, ...(parent === undefined ? [] : [parent])].filter((task) => !isSatisfied(stateOf(task)))
}

function isOtherForOthers(a: Task, b: Task): boolean {
  return stateOf(a) !== stateOf(b) || !hasSameRelations(a, b)
}

function hasSameRelations(a: Task, b: Task): boolean {
  const relations = ({ spec }: Task): string => JSON.stringify([spec.dependsOn, spec.parentTaskId])
  return relations(a) === relations(b)
}

/** That an agent comes or goes concerns all tasks that wait; of the rest only its retries are not in its queue. */
export function markByAgent(dirty: Dirty, tasks: TaskCache, change: Change<Agent>): void {
  if (change.type !== 'update') return markWaiting(dirty, tasks)
  if (change.object.spec.autoResume === change.previous.spec.autoResume) return
  for (const state of ['FAILED', 'BUDGET_EXCEEDED'] as const)
    for (const task of tasks.informer.byIndex('state', state)) dirty.tasks.add(task.metadata.name)
}

/** A project comes or goes: seldom, and only what waits is looked at. */
export function markWaiting(dirty: Dirty, tasks: TaskCache): void {
  for (const task of waitingTasks(tasks)) dirty.tasks.add(task.metadata.name)
}
