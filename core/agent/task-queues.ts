/** The QUEUED tasks, what each waits for, and the queues of those that lack nothing but a slot. */
import type { Project, Story, Task } from '../crd/types.ts'
import { taskOfExecution } from '../execution/state.ts'
import type { MultiMap } from '../multi-map.ts'
import { createMultiMap } from '../multi-map.ts'
import type { OrderedSet } from '../ordered-set.ts'
import { createOrderedSet } from '../ordered-set.ts'
import { openDependencies } from '../task/dependencies.ts'
import { projectOf } from '../task/project.ts'
import type { ScheduledTask } from './schedule.ts'
import { compareScheduled, nextExecution, toScheduledTask } from './schedule.ts'
import type { SchedulingObjects } from './scheduling-objects.ts'
import { hasOrphans, mayStillRun } from './scheduling-objects.ts'
import type { QueueFacts } from './waiting.ts'
import { agentOf, isStartable } from './waiting.ts'

/** A branch that several tasks may write, one at a time: who does, holds its Lease. */
export interface SharedBranch {
  /** Name of the Lease. */
  readonly lease: string
  readonly branch: string
  readonly repository: string
}

/** The branch that a task shares with others; undefined for one of its own, or while the repository is not known. */
export type FindSharedBranch = (
  task: Task,
  story: Story | undefined,
  project: Project | undefined,
) => SharedBranch | undefined

/** A task that waits. */
export interface QueuedTask {
  readonly task: Task
  readonly scheduled: ScheduledTask
  /** Undefined: still to be chosen. */
  readonly agent: string | undefined
  readonly branch: SharedBranch | undefined
  /** Whether it lacks nothing but an agent and a slot: then it stands in the queue of its agent, if it has one. */
  readonly isStartable: boolean
  /** Where it is found by what it depends on. */
  readonly links: readonly Link[]
}

/** A relation, and the key under which a task stands in it. */
type Link = readonly [relation: MultiMap<string, string>, key: string]

export interface TaskQueues {
  readonly findBranch: FindSharedBranch
  /** By the name of the task, as all that follows. */
  readonly entries: Map<string, QueuedTask>
  readonly byDependency: MultiMap<string, string>
  readonly byProject: MultiMap<string, string>
  readonly byStory: MultiMap<string, string>
  /** By the Lease of the branch. */
  readonly byBranch: MultiMap<string, string>
  /** Startable or not; under "" those whose agent is still to be chosen. */
  readonly byAgent: MultiMap<string, string>
  /** Of the startable ones. */
  readonly queues: Map<string, OrderedSet<ScheduledTask>>
}

/** What a change may have changed for others. */
export interface SchedulingEffects {
  /** Agents whose slots or queues are others now: another task may have its turn, and positions may have moved. */
  readonly agents: Set<string>
  /** QUEUED tasks that did not change themselves, but what they wait for may have. */
  readonly tasks: Set<string>
}

export function createTaskQueues(findBranch: FindSharedBranch): TaskQueues {
  return {
    findBranch,
    entries: new Map(),
    byDependency: createMultiMap(),
    byProject: createMultiMap(),
    byStory: createMultiMap(),
    byBranch: createMultiMap(),
    byAgent: createMultiMap(),
    queues: new Map(),
  }
}

/** Takes in a task that became QUEUED. */
export function enqueue(queues: TaskQueues, objects: SchedulingObjects, task: Task, effects: SchedulingEffects): void {
  const { storyId } = task.spec
  const story = storyId === undefined ? undefined : objects.stories.get(storyId)
  const project = projectOf(task, story)
  const branch = queues.findBranch(task, story, project === undefined ? undefined : objects.projects.get(project))
  const agent = agentOf(task)
  const links = linksOf(queues, task, { agent, project, branch })
  const entry = { task, scheduled: toScheduledTask(task), agent, branch, links, isStartable: false }
  queues.entries.set(task.metadata.name, entry)
  for (const [relation, key] of links) relation.add(key, task.metadata.name)
  updateQueue(queues, objects, entry, effects)
}

/** Takes out a task that is no longer QUEUED, or not as it was. */
export function dequeue(queues: TaskQueues, name: string, effects: SchedulingEffects): void {
  const entry = queues.entries.get(name)
  if (entry === undefined) return
  for (const [relation, key] of entry.links) relation.delete(key, name)
  queues.entries.delete(name)
  if (entry.isStartable) leave(queues, entry, effects)
}

/** Looks again at what a QUEUED task waits for, because an object that it depends on has changed. */
export function reassess(
  queues: TaskQueues,
  objects: SchedulingObjects,
  name: string,
  effects: SchedulingEffects,
): void {
  const entry = queues.entries.get(name)
  if (entry === undefined) return
  effects.tasks.add(name)
  updateQueue(queues, objects, entry, effects)
}

/** What keeps a QUEUED task out of its agent's queue. */
export function queueFactsOf(
  objects: SchedulingObjects,
  { task, branch }: Pick<QueuedTask, 'task' | 'branch'>,
): QueueFacts {
  const { project } = task.spec
  return {
    openDependencies: openDependencies(task, objects.index),
    hasProject: project === undefined || objects.projects.has(project),
    branchWriter: branch && formatBranchWriter(task, branch, objects.holders.get(branch.lease)),
    mayStillRun: mayStillRun(objects, task.metadata.name),
    hasOrphans: hasOrphans(objects, task),
  }
}

function updateQueue(
  queues: TaskQueues,
  objects: SchedulingObjects,
  entry: QueuedTask,
  effects: SchedulingEffects,
): void {
  const next = { ...entry, isStartable: isStartable(entry.task, queueFactsOf(objects, entry)) }
  if (next.isStartable === entry.isStartable) return
  queues.entries.set(entry.task.metadata.name, next)
  if (next.isStartable) join(queues, next, effects)
  else leave(queues, entry, effects)
}

function join({ queues }: TaskQueues, { agent, scheduled }: QueuedTask, effects: SchedulingEffects): void {
  if (agent === undefined) return
  const queue = queues.get(agent) ?? createOrderedSet(compareScheduled)
  queues.set(agent, queue)
  queue.add(scheduled)
  effects.agents.add(agent)
}

function leave({ queues }: TaskQueues, { agent, scheduled }: QueuedTask, effects: SchedulingEffects): void {
  if (agent === undefined) return
  const queue = queues.get(agent)
  queue?.delete(scheduled)
  if (queue?.size === 0) queues.delete(agent)
  effects.agents.add(agent)
}

function linksOf(
  { byDependency, byProject, byStory, byBranch, byAgent }: TaskQueues,
  { spec }: Task,
  { agent = '', project, branch }: { readonly project: string | undefined } & Pick<QueuedTask, 'agent' | 'branch'>,
): Link[] {
  const { storyId, dependsOn = [] } = spec
  return [
    [byAgent, agent],
    ...dependsOn.map((name): Link => [byDependency, name]),
    ...(project === undefined ? [] : [[byProject, project] as const]),
    ...(storyId === undefined ? [] : [[byStory, storyId] as const]),
    ...(branch === undefined ? [] : [[byBranch, branch.lease] as const]),
  ]
}

function formatBranchWriter(
  task: Task,
  { branch, repository }: SharedBranch,
  holder: string | undefined,
): string | undefined {
  if (holder === undefined || holder === nextExecution(task)) return undefined
  const writer = taskOfExecution(holder)
  const who = writer === task.metadata.name ? `its own earlier execution ${holder}` : writer
  return `branch ${branch} of ${repository} is written by ${who}`
}
