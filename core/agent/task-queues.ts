/** The QUEUED tasks, what each waits for, and the queues of those that lack nothing but a slot. */
import type { Project, Story, Task } from '../crd/types.ts'
import type { FindEnvironmentWait } from '../environment/choose.ts'
import { taskOfExecution } from '../execution/state.ts'
import { type MultiMap, createMultiMap } from '../multi-map.ts'
import { WAITING } from '../sentences/waiting.ts'
import { stateOf } from '../task/decide.ts'
import { openDependencies } from '../task/dependencies.ts'
import { projectOf } from '../task/project.ts'
import { type AgentQueue, type Lane, isLimitedBy, isSameLane, joinLane, leaveLane } from './agent-queue.ts'
import { type ScheduledTask, nextExecution, toScheduledTask } from './schedule.ts'
import {
  type ReviewIndex,
  type ReviewPlace,
  createReviewIndex,
  findReviewLimit,
  isLaneOpen,
  laneOf,
  trackAwaiting,
} from './review-limit.ts'
import { type SchedulingObjects, hasOrphans, mayStillRun } from './scheduling-objects.ts'
import { type QueueFacts, agentOf, isStartable } from './waiting.ts'

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
  /**
   * Whether it lacks nothing but an agent and a slot, as far as no limit on reviews holds it: then it stands in the queue of
   * its agent, if it has one.
   */
  readonly isStartable: boolean
  /** Where it stands there. */
  readonly lane: Lane
  /** Where it is found by what it depends on. */
  readonly links: readonly Link[]
}

/** A relation, and the key under which a task stands in it. */
type Link = readonly [relation: MultiMap<string, string>, key: string]

/** A RUNNING task of a story. */
interface Writer {
  /** The Lease of its branch; undefined while that is not known. */
  readonly lease: string | undefined
  readonly execution: string | undefined
  readonly links: readonly Link[]
}

export interface TaskQueues {
  readonly findBranch: FindSharedBranch
  readonly findEnvironmentWait: FindEnvironmentWait
  /** By the name of the task, as all that follows. */
  readonly entries: Map<string, QueuedTask>
  readonly byDependency: MultiMap<string, string>
  readonly byProject: MultiMap<string, string>
  readonly byStory: MultiMap<string, string>
  /** By the Lease of the branch. */
  readonly byBranch: MultiMap<string, string>
  /** RUNNING tasks by the Lease of their branch, which somebody may have deleted by hand. */
  readonly writersOf: MultiMap<string, string>
  /** Those of them that belong to a story. */
  readonly running: Map<string, Writer>
  /** Startable or not; under "" those whose agent is still to be chosen. */
  readonly byAgent: MultiMap<string, string>
  /** The tasks that could start. */
  readonly queues: Map<string, AgentQueue>
  /** The tasks that wait for a person. */
  readonly reviews: ReviewIndex
}

/** What a change may have changed for others. */
export interface SchedulingEffects {
  /** Agents whose slots or queues are others now: another task may have its turn, and positions may have moved. */
  readonly agents: Set<string>
  /** QUEUED tasks that did not change themselves, but what they wait for may have. */
  readonly tasks: Set<string>
}

export function createTaskQueues(findBranch: FindSharedBranch, findEnvironmentWait: FindEnvironmentWait): TaskQueues {
  return {
    findBranch,
    findEnvironmentWait,
    entries: new Map(),
    byDependency: createMultiMap(),
    byProject: createMultiMap(),
    byStory: createMultiMap(),
    byBranch: createMultiMap(),
    writersOf: createMultiMap(),
    running: new Map(),
    byAgent: createMultiMap(),
    queues: new Map(),
    reviews: createReviewIndex(),
  }
}

/** Takes in a task that became QUEUED. */
export function enqueue(queues: TaskQueues, objects: SchedulingObjects, task: Task, effects: SchedulingEffects): void {
  const { project, branch } = findPlace(queues, objects, task)
  const agent = agentOf(task)
  const links = linksOf(queues, task, { agent, project, branch })
  const entry = { task, scheduled: toScheduledTask(task), agent, branch, links, isStartable: false, lane: undefined }
  queues.entries.set(task.metadata.name, entry)
  for (const [relation, key] of links) relation.add(key, task.metadata.name)
  updateQueue(queues, objects, entry, effects)
}

/** The project and the branch that a task works on. */
function findPlace({ findBranch }: TaskQueues, objects: SchedulingObjects, task: Task) {
  const { storyId } = task.spec
  const story = storyId === undefined ? undefined : objects.stories.get(storyId)
  const project = projectOf(task, story)
  return { project, branch: findBranch(task, story, project === undefined ? undefined : objects.projects.get(project)) }
}

/** Takes in which branch a task writes, from when it is RUNNING until it is not. */
export function trackWriter(
  queues: TaskQueues,
  objects: SchedulingObjects,
  name: string,
  effects: SchedulingEffects,
): void {
  const task = objects.tasks.get(name)
  const before = queues.running.get(name)
  const after = task !== undefined && stateOf(task) === 'RUNNING' ? toWriter(queues, objects, task) : undefined
  for (const [relation, key] of before?.links ?? []) relation.delete(key, name)
  for (const [relation, key] of after?.links ?? []) relation.add(key, name)
  if (after === undefined) queues.running.delete(name)
  else queues.running.set(name, after)
  if (before?.lease === after?.lease && before?.execution === after?.execution) return
  for (const lease of [before?.lease, after?.lease])
    for (const other of lease === undefined ? [] : queues.byBranch.get(lease)) reassess(queues, objects, other, effects)
}

/** @returns undefined for a task without a story, whose branch is its own */
function toWriter(queues: TaskQueues, objects: SchedulingObjects, task: Task): Writer | undefined {
  const { storyId } = task.spec
  if (storyId === undefined) return undefined
  const { project, branch } = findPlace(queues, objects, task)
  const links: Link[] = [
    [queues.byStory, storyId],
    ...(project === undefined ? [] : [[queues.byProject, project] as const]),
    ...(branch === undefined ? [] : [[queues.writersOf, branch.lease] as const]),
  ]
  return { lease: branch?.lease, execution: task.status?.execution, links }
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

/** Whether a task stands in the queue of its agent, and no limit on reviews holds it there. */
export function isInQueue({ reviews }: TaskQueues, objects: SchedulingObjects, entry: QueuedTask): boolean {
  const { agent, lane, isStartable: mayStart } = entry
  return mayStart && agent !== undefined && isLaneOpen(reviews, objects, agent, lane)
}

/**
 * So many of the tasks that a limit keeps, or no longer keeps, are told at once; the others when they are looked at: not each
 * review is to write the conditions of thousands.
 */
const MAX_TOLD = 100

/** Takes in whether a task waits for a person, and tells whom the limits on such tasks let go or keep now. */
export function trackReview(
  queues: TaskQueues,
  objects: SchedulingObjects,
  name: string,
  effects: SchedulingEffects,
): void {
  for (const { place, wasReached, isReached } of trackAwaiting(queues.reviews, objects, name)) {
    if (wasReached !== isReached)
      for (const [agent, queue] of queues.queues)
        if ((place.kind === 'project' || place.name === agent) && isLimitedBy(queue, place)) effects.agents.add(agent)
    // Where it stays reached, the words that say so are others.
    if (wasReached || isReached) for (const task of firstLimited(queues, place)) effects.tasks.add(task)
  }
}

/** Looks again at the QUEUED tasks of a project or an agent whose limit on reviews is another one. */
export function reassessLimited(
  queues: TaskQueues,
  objects: SchedulingObjects,
  place: ReviewPlace,
  effects: SchedulingEffects,
): void {
  const untold = { agents: effects.agents, tasks: new Set<string>() }
  for (const task of Array.from(limitedBy(queues, place))) reassess(queues, objects, task, untold)
  for (const [agent, queue] of queues.queues) if (isLimitedBy(queue, place)) effects.agents.add(agent)
  for (const task of firstLimited(queues, place)) effects.tasks.add(task)
}

function limitedBy({ byProject, byAgent }: TaskQueues, { kind, name }: ReviewPlace): ReadonlySet<string> {
  return (kind === 'project' ? byProject : byAgent).get(name)
}

/** Some of them; what runs is not told. */
function firstLimited(queues: TaskQueues, place: ReviewPlace): string[] {
  const first: string[] = []
  for (const name of limitedBy(queues, place)) {
    if (first.length === MAX_TOLD) break
    if (queues.entries.has(name)) first.push(name)
  }
  return first
}

/** What keeps a QUEUED task from being started by its agent. */
export function queueFactsOf(
  queues: Pick<TaskQueues, 'writersOf' | 'findEnvironmentWait' | 'reviews'>,
  objects: SchedulingObjects,
  { task, branch }: Pick<QueuedTask, 'task' | 'branch'>,
): QueueFacts {
  const reviewLimit = findReviewLimit(queues.reviews, objects, task, agentOf(task))
  return { ...findLacks(queues, objects, { task, branch }), reviewLimit }
}

function findLacks(
  queues: Pick<TaskQueues, 'writersOf' | 'findEnvironmentWait'>,
  objects: SchedulingObjects,
  { task, branch }: Pick<QueuedTask, 'task' | 'branch'>,
): Omit<QueueFacts, 'reviewLimit'> {
  const { project } = task.spec
  return {
    openDependencies: openDependencies(task, objects.index),
    hasProject: project === undefined || objects.projects.has(project),
    branchWriter: branch && formatBranchWriter(task, branch, findWriter(queues, objects, branch)),
    mayStillRun: mayStillRun(objects, task.metadata.name),
    hasOrphans: hasOrphans(objects, task),
    environmentWait: findEnvironmentWait(queues, objects, task),
  }
}

/** Of the image of its agent, so nothing while that is still to be chosen. */
function findEnvironmentWait(
  queues: Pick<TaskQueues, 'findEnvironmentWait'>,
  { stories, projects, agents }: SchedulingObjects,
  task: Task,
): string | undefined {
  const story = task.spec.storyId === undefined ? undefined : stories.get(task.spec.storyId)
  const project = projects.get(projectOf(task, story) ?? '')
  const agent = agents.get(agentOf(task) ?? '')
  return project && agent && queues.findEnvironmentWait(task, project, agent)
}

function updateQueue(
  queues: TaskQueues,
  objects: SchedulingObjects,
  entry: QueuedTask,
  effects: SchedulingEffects,
): void {
  const { task, agent } = entry
  const facts = { ...findLacks(queues, objects, entry), reviewLimit: undefined }
  const next = { ...entry, isStartable: isStartable(task, facts), lane: laneOf(objects, task, agent) }
  if (next.isStartable === entry.isStartable && isSameLane(next.lane, entry.lane)) return
  queues.entries.set(task.metadata.name, next)
  if (entry.isStartable) leave(queues, entry, effects)
  if (next.isStartable) join(queues, next, effects)
}

function join({ queues }: TaskQueues, { agent, lane, scheduled }: QueuedTask, effects: SchedulingEffects): void {
  if (agent === undefined) return
  const queue: AgentQueue = queues.get(agent) ?? new Map()
  queues.set(agent, queue)
  joinLane(queue, lane, scheduled)
  effects.agents.add(agent)
}

function leave({ queues }: TaskQueues, { agent, lane, scheduled }: QueuedTask, effects: SchedulingEffects): void {
  if (agent === undefined) return
  const queue = queues.get(agent)
  if (queue === undefined) return
  leaveLane(queue, lane, scheduled)
  if (queue.size === 0) queues.delete(agent)
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

/** The execution that holds the Lease of a branch; where that was deleted by hand, one that runs on it still writes it. */
function findWriter(
  { writersOf }: Pick<TaskQueues, 'writersOf'>,
  { holders, tasks }: SchedulingObjects,
  { lease }: SharedBranch,
): string | undefined {
  const running = [...writersOf.get(lease)].sort().flatMap((name) => tasks.get(name)?.status?.execution ?? [])
  return holders.get(lease) ?? running[0]
}

function formatBranchWriter(
  task: Task,
  { branch, repository }: SharedBranch,
  holder: string | undefined,
): string | undefined {
  if (holder === undefined || holder === nextExecution(task)) return undefined
  const writer = taskOfExecution(holder)
  const who = writer === task.metadata.name ? `its own earlier execution ${holder}` : writer
  return WAITING.branch(branch, repository, who)
}
