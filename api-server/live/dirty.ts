/**
 * Which tasks a change elsewhere may have given other words for what they wait for.
 *
 * A task hangs on its dependencies, its subtasks and what these hang on in turn (a circle), its project, its agent, and
 * on who stands before it in the agent's line. Only tasks that wait are named, found by indexes: what is finished costs
 * nothing, however much of it there is.
 */
import { agentOf } from '../../core/agent/waiting.ts'
import type { Agent, Execution, Task, TaskState } from '../../core/crd/types.ts'
import { isWork } from '../../core/execution/state.ts'
import { agentOfSlot } from '../../core/names.ts'
import { stateOf } from '../../core/task/decide.ts'
import { isSatisfied } from '../../core/task/dependencies.ts'
import type { Lease } from '../../kube/builtin.ts'
import { holderOf } from '../../kube/lease.ts'
import type { Change } from '../../kube/cache.ts'
import type { Caches } from '../cache/caches.ts'

/** What may be out of date since the last look. */
export interface Suspects {
  /** Names of tasks. */
  readonly tasks: Set<string>
  /** Names of agents whose lines have changed; "" is that of tasks without one. */
  readonly lines: Set<string>
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

/** Takes down what hangs on a task that has changed; the task itself is told of by its own message. */
export function suspectByTask(suspects: Suspects, tasks: TaskCache, change: Change<Task>): void {
  for (const version of versionsOf(change))
    if (stateOf(version) === 'QUEUED') suspects.lines.add(agentOf(version) ?? '')
  if (change.type === 'update' && !isOtherForOthers(change.previous, change.object)) return
  const isShape = change.type !== 'update' || !hasSameRelations(change.previous, change.object)
  const open = versionsOf(change).flatMap((task) => hangersOn(tasks, task))
  const seen = new Set<string>()
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    if (seen.has(task.metadata.name)) continue
    seen.add(task.metadata.name)
    suspect(suspects, task)
    // A circle is told to each task in it; one step is enough for everything else.
    if (isShape) open.push(...hangersOn(tasks, task))
  }
}

/** The tasks that wait for this one: those that depend on it, and its parent. */
function hangersOn(tasks: TaskCache, { metadata, spec }: Task): Task[] {
  const parent = spec.parentTaskId === undefined ? undefined : tasks.find(spec.parentTaskId)
  const dependents = tasks.informer.byIndex('dependency', metadata.name)
  return [...dependents, ...(parent === undefined ? [] : [parent])].filter((task) => !isSatisfied(stateOf(task)))
}

/** What is no longer held up stands in its agent's line. */
function suspect({ tasks, lines }: Suspects, task: Task): void {
  tasks.add(task.metadata.name)
  if (stateOf(task) === 'QUEUED') lines.add(agentOf(task) ?? '')
}

function isOtherForOthers(a: Task, b: Task): boolean {
  return stateOf(a) !== stateOf(b) || !hasSameRelations(a, b)
}

function hasSameRelations(a: Task, b: Task): boolean {
  const relations = ({ spec }: Task): string => JSON.stringify([spec.dependsOn, spec.parentTaskId])
  return relations(a) === relations(b)
}

/** That an agent comes or goes concerns all tasks that wait; everything else of it its line, and its retries. */
export function suspectByAgent(suspects: Suspects, tasks: TaskCache, change: Change<Agent>): void {
  const [first] = versionsOf(change)
  suspects.lines.add(first?.metadata.name ?? '')
  if (change.type !== 'update') return suspectAll(suspects, tasks)
  if (change.object.spec.autoResume === change.previous.spec.autoResume) return
  for (const state of ['FAILED', 'BUDGET_EXCEEDED'] as const)
    for (const task of tasks.informer.byIndex('state', state)) suspects.tasks.add(task.metadata.name)
}

/** A project comes or goes: seldom, and only what waits is looked at. */
export function suspectAll(suspects: Suspects, tasks: TaskCache): void {
  for (const task of waitingTasks(tasks)) suspect(suspects, task)
}

/** A slot has another holder; a Lease that is only renewed says nothing. */
export function suspectByLease({ lines }: Suspects, change: Change<Lease>): void {
  const [first] = versionsOf(change)
  const agent = agentOfSlot(first?.metadata.name ?? '')
  if (change.type === 'update' && holderOf(change.object) === holderOf(change.previous)) return
  if (agent !== undefined) lines.add(agent)
}

/** Whose execution holds a slot is told by the Execution. */
export function suspectByExecution({ lines }: Suspects, change: Change<Execution>): void {
  const [first] = versionsOf(change)
  if (change.type !== 'update' && first !== undefined && isWork(first)) lines.add(first.spec.agent ?? '')
}

/** Both sides of an update: what a task leaves changes as well as what it joins. */
export function versionsOf<T>(change: Change<T>): readonly T[] {
  if (change.type === 'delete') return [change.previous]
  return change.type === 'update' ? [change.previous, change.object] : [change.object]
}
