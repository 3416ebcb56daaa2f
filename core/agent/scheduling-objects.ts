/**
 * What scheduling depends on, one object at a time, and the relations between these objects by which a change of one
 * finds the others that it concerns. Every change costs the number of such others, not the number of objects.
 */
import type { Agent, Execution, Project, Story, Task } from '../crd/types.ts'
import { isOfTask, isTerminal, isWork, taskOfExecution } from '../execution/state.ts'
import { type MultiMap, createMultiMap } from '../multi-map.ts'
import { agentOfSlot } from '../names.ts'
import { awaitsPerson } from '../task/awaiting-review.ts'
import type { TaskIndex } from '../task/dependencies.ts'

/** A Lease that is a slot of an agent or a branch; free where it has no holder. */
export interface ScheduledLease {
  readonly holder: string | undefined
}

/** A Job of an execution. */
export interface ScheduledJob {
  readonly task: string | undefined
  readonly isFinished: boolean
}

/** A Pod of an execution. */
export interface ScheduledPod {
  readonly task: string | undefined
  readonly execution: string | undefined
  /** The Job that made it. */
  readonly job: string | undefined
  /** Whether no container of it can run any more. */
  readonly hasEnded: boolean
  /** The end of its grace, once it was told to stop (RFC 3339). */
  readonly deletedAt: string | undefined
}

/** One object as it is now; without `object` it is gone, or as good as gone: one that is being deleted counts no more. */
export type SchedulingChange =
  | { readonly kind: 'task'; readonly name: string; readonly object: Task | undefined }
  | { readonly kind: 'story'; readonly name: string; readonly object: Story | undefined }
  | { readonly kind: 'project'; readonly name: string; readonly object: Project | undefined }
  | { readonly kind: 'agent'; readonly name: string; readonly object: Agent | undefined }
  | { readonly kind: 'execution'; readonly name: string; readonly object: Execution | undefined }
  | { readonly kind: 'lease'; readonly name: string; readonly object: ScheduledLease | undefined }
  | { readonly kind: 'job'; readonly name: string; readonly object: ScheduledJob | undefined }
  | { readonly kind: 'pod'; readonly name: string; readonly object: ScheduledPod | undefined }

/** The objects by name, and what is found by their relations. */
export interface SchedulingObjects {
  readonly tasks: Map<string, Task>
  readonly stories: Map<string, Story>
  readonly projects: Map<string, Project>
  readonly agents: Map<string, Agent>
  readonly executions: Map<string, Execution>
  /** Lease → who holds it; free ones are left out. */
  readonly holders: Map<string, string>
  readonly jobs: Map<string, ScheduledJob>
  readonly pods: Map<string, ScheduledPod>
  /** Relations between the tasks. */
  readonly index: TaskIndex
  readonly subtasks: MultiMap<string, string>
  /** Story → its tasks that have started at least once. */
  readonly begunOf: MultiMap<string, string>
  /** Story → its tasks that wait for a person. */
  readonly awaitingOf: MultiMap<string, string>
  /** Agent → its slots that are held. */
  readonly heldSlots: MultiMap<string, string>
  /** Execution → the Leases that it holds. */
  readonly leasesOf: MultiMap<string, string>
  /** Agent, and task, → their executions that have not ended. */
  readonly openExecutions: MultiMap<string, string>
  readonly openExecutionsOf: MultiMap<string, string>
  /** Task, or an earlier one of its name, → the executions that do its work. */
  readonly workOf: MultiMap<string, string>
  /** Task → its Jobs and its Pods. */
  readonly jobsOf: MultiMap<string, string>
  readonly podsOf: MultiMap<string, string>
  /** Execution → its Pods. */
  readonly podsOfExecution: MultiMap<string, string>
}

export function createSchedulingObjects(): SchedulingObjects {
  const tasks = new Map<string, Task>()
  const subtasks = createMultiMap<string, string>()
  // By name, so that whoever tells of several tells of them in the same order.
  const findTasks = (names: ReadonlySet<string>): Task[] => [...names].sort().flatMap((name) => tasks.get(name) ?? [])
  return {
    tasks,
    subtasks,
    begunOf: createMultiMap(),
    awaitingOf: createMultiMap(),
    index: { find: (name) => tasks.get(name), subtasks: (name) => findTasks(subtasks.get(name)) },
    stories: new Map(),
    projects: new Map(),
    agents: new Map(),
    executions: new Map(),
    holders: new Map(),
    jobs: new Map(),
    pods: new Map(),
    heldSlots: createMultiMap(),
    leasesOf: createMultiMap(),
    openExecutions: createMultiMap(),
    openExecutionsOf: createMultiMap(),
    workOf: createMultiMap(),
    jobsOf: createMultiMap(),
    podsOf: createMultiMap(),
    podsOfExecution: createMultiMap(),
  }
}

/** Puts an object in the place of its former version, relations included. */
export function replaceObject(objects: SchedulingObjects, change: SchedulingChange): void {
  const { name } = change
  switch (change.kind) {
    case 'task':
      return replace(objects.tasks, change, [
        [objects.subtasks, ({ spec }) => spec.parentTaskId],
        [objects.begunOf, ({ spec, status }) => ((status?.executions ?? 0) > 0 ? spec.storyId : undefined)],
        [objects.awaitingOf, (task) => (awaitsPerson(task) ? task.spec.storyId : undefined)],
      ])
    case 'story':
      return replace(objects.stories, change)
    case 'project':
      return replace(objects.projects, change)
    case 'agent':
      return replace(objects.agents, change)
    case 'execution':
      return replace(objects.executions, change, [
        [objects.openExecutions, (execution) => (isTerminal(execution) ? undefined : execution.spec.agent)],
        [objects.openExecutionsOf, (execution) => (isTerminal(execution) ? undefined : execution.spec.taskRef?.name)],
        [objects.workOf, (execution) => (isWork(execution) ? execution.spec.taskRef?.name : undefined)],
      ])
    case 'lease':
      return replace(objects.holders, { name, object: change.object?.holder }, [
        [objects.leasesOf, (holder) => holder],
        [objects.heldSlots, () => agentOfSlot(name)],
      ])
    case 'job':
      return replace(objects.jobs, change, [[objects.jobsOf, ({ task }) => task]])
    case 'pod':
      return replace(objects.pods, change, [
        [objects.podsOf, ({ task }) => task],
        [objects.podsOfExecution, ({ execution }) => execution],
      ])
    default:
      return change satisfies never
  }
}

/** A relation, and under which key of it an object stands; undefined: under none. */
type Relation<T> = readonly [MultiMap<string, string>, (object: T) => string | undefined]

function replace<T>(
  objects: Map<string, T>,
  { name, object }: { readonly name: string; readonly object: T | undefined },
  relations: readonly Relation<T>[] = [],
): void {
  const previous = objects.get(name)
  for (const [relation, keyOf] of relations) {
    const [before, after] = [previous && keyOf(previous), object && keyOf(object)]
    if (before === after) continue
    if (before !== undefined) relation.delete(before, name)
    if (after !== undefined) relation.add(after, name)
  }
  if (object === undefined) objects.delete(name)
  else objects.set(name, object)
}

/**
 * Whether a pod of any execution of a task can still run. By the label, not by the executions: those may be gone while
 * their pods and Jobs are not. A Job that retries nothing makes no second pod; one without any may be about to make it.
 */
export function mayStillRun({ jobs, pods, jobsOf, podsOf }: SchedulingObjects, task: string): boolean {
  const own = [...podsOf.get(task)].flatMap((name) => pods.get(name) ?? [])
  if (own.some(({ hasEnded }) => !hasEnded)) return true
  const isAwaited = (name: string): boolean =>
    jobs.get(name)?.isFinished === false && !own.some(({ job }) => job === name)
  return [...jobsOf.get(task)].some(isAwaited)
}

/** Whether executions are still there of an earlier task of this one's name. */
export function hasOrphans({ executions, workOf }: SchedulingObjects, task: Task): boolean {
  return [...workOf.get(task.metadata.name)].some((name) => {
    const execution = executions.get(name)
    return execution !== undefined && !isOfTask(execution, task)
  })
}

/** The agents that have a slot held by an execution of a task. */
export function agentsHeldBy({ leasesOf }: SchedulingObjects, execution: string): string[] {
  return [...leasesOf.get(execution)].flatMap((lease) => agentOfSlot(lease) ?? [])
}

/** The task whose work an execution does, by its record, else by its name; undefined for a query or delivery. */
export function taskOf({ executions }: SchedulingObjects, name: string): string | undefined {
  const execution = executions.get(name)
  if (execution === undefined) return taskOfExecution(name)
  return isWork(execution) ? execution.spec.taskRef?.name : undefined
}
