/**
 * Who holds the slots of which agent, who waits for one, why, and in which order.
 *
 * One object at a time is applied as it changes, in any order. A change costs the objects that it concerns and the
 * logarithm of the queues that they stand in, never the length of a queue, and comes to the same as all objects applied
 * anew. Operator and API server feed it from their caches (kube/scheduling.ts), so that both know the same.
 *
 * Time passes in questions alone (`now`): limits end, and pods turn out not to go away.
 */
import type { Execution, Project, Story, Task } from '../crd/types.ts'
import { agentOfSlot } from '../names.ts'
import { type FindEnvironmentWait, isOtherEnvironment } from '../environment/choose.ts'
import { stateOf } from '../task/decide.ts'
import { WAITING } from '../sentences/waiting.ts'
import { storyStatus } from '../story/status.ts'
import { type TaskIndex, findCycle, openSubtasks } from '../task/dependencies.ts'
import { isTerminal, isWork } from '../execution/state.ts'
import { findHolders } from './holders.ts'
import {
  type ScheduledTask,
  type SlotHolder,
  type Start,
  compareScheduled,
  nextExecution,
  nextToStart,
  slotCount,
  toScheduledTask,
} from './schedule.ts'
import {
  type SchedulingChange,
  type SchedulingObjects,
  agentsHeldBy,
  createSchedulingObjects,
  mayStillRun,
  replaceObject,
} from './scheduling-objects.ts'
import { type OpenQueue, isSameLane, openQueue } from './agent-queue.ts'
import { findReachedLimit, isLaneOpen, isSameReviewLimit } from './review-limit.ts'
import {
  type FindSharedBranch,
  type QueuedTask,
  type SchedulingEffects,
  type TaskQueues,
  createTaskQueues,
  dequeue,
  enqueue,
  isInQueue,
  queueFactsOf,
  reassess,
  reassessLimited,
  trackReview,
  trackWriter,
} from './task-queues.ts'
import { formatNoAgentMessage } from './cures.ts'
import {
  type Wait,
  type WaitingFacts,
  agentOf,
  formatWaitMessage,
  findHold,
  findWait,
  isStartable,
  mayWait,
  NO_AGENT,
} from './waiting.ts'

/** How a task stands, as plain data. */
export interface TaskSchedule {
  /** Why it waits; undefined where it waits for nothing. */
  readonly wait: Wait | undefined
  /** Whether it is QUEUED and lacks nothing but an agent and a slot. */
  readonly isStartable: boolean
  /** Its place in its agent's queue, from 0; undefined where it stands in none. */
  readonly position: number | undefined
  /** The slot in which it starts now; undefined while it is not its turn. */
  readonly slot: number | undefined
}

export interface SchedulingSnapshot {
  /** Takes in one object as it is now. @returns what that may have changed for others */
  apply(change: SchedulingChange): SchedulingEffects
  /** The tasks, as far as the relations between them go. */
  readonly tasks: TaskIndex
  scheduleOf(task: Task, now: Date): TaskSchedule
  /** Why a task waits, with holder and place as they are now; undefined where it waits for nothing. */
  formatWaitMessage(task: Task, now: Date): string | undefined
  /** Whether a pod of any execution of a task can still run. */
  mayStillRun(task: string): boolean
  /** The tasks that start now with an agent. */
  nextToStart(agent: string, now: Date): readonly Start[]
  /** Who holds the agent's slots, by slot. */
  holdersOf(agent: string, now: Date): readonly SlotHolder[]
  /** Part of the agent's queue, in the order of starting; `end` is not part of it. */
  queueOf(agent: string, start?: number, end?: number): readonly ScheduledTask[]
  /** The slot in which a QUEUED task starts now; undefined while it is not its turn. */
  slotOf(task: string, now: Date): number | undefined
  /**
   * The slot in which a PENDING task with an agent of its own would start if it were queued now, where nobody waits for
   * that agent; else undefined.
   */
  slotIfQueued(task: Task, now: Date): number | undefined
  /** The place of a QUEUED task in its agent's queue, from 0; undefined where it stands in none. */
  positionOf(task: string): number | undefined
  /** The QUEUED tasks of a project. */
  queuedOf(project: string): readonly Task[]
  /** How many tasks stand in the agent's queue. */
  queueLength(agent: string): number
  /** The QUEUED tasks of an agent, whether they could start or not; under "" those whose agent is still to be chosen. */
  queuedFor(agent: string): ReadonlySet<string>
  /** Whether as many tasks of an agent wait for a person as its limit says. */
  isAtReviewLimit(agent: string): boolean
}

const WAITS_FOR_NOTHING: TaskSchedule = { wait: undefined, isStartable: false, position: undefined, slot: undefined }

/**
 * An empty snapshot.
 *
 * @param findBranch pure: it is asked again only when task, story or project have changed
 * @param findEnvironmentWait pure: when task, agent or project have; absent: there are no environments
 */
export function createSchedulingSnapshot(
  findBranch: FindSharedBranch,
  findEnvironmentWait: FindEnvironmentWait = () => undefined,
): SchedulingSnapshot {
  const objects = createSchedulingObjects()
  const queues = createTaskQueues(findBranch, findEnvironmentWait)
  const state = { objects, queues }
  const holdersOf = (agent: string, now: Date): readonly SlotHolder[] => findHolders(objects, queues, agent, now)
  const openQueueOf = (agent: string): OpenQueue =>
    openQueue(queues.queues.get(agent), (lane) => isLaneOpen(queues.reviews, objects, agent, lane))
  const queueOf = (agent: string, start = 0, end = Infinity): readonly ScheduledTask[] =>
    openQueueOf(agent).slice(start, end)
  const positionOf = (name: string): number | undefined => {
    const entry = queues.entries.get(name)
    if (entry?.agent === undefined || !isInQueue(queues, objects, entry)) return undefined
    return openQueueOf(entry.agent).indexOf(entry.scheduled)
  }
  const startsOf = (name: string, now: Date): readonly Start[] => {
    const agent = objects.agents.get(name)
    if (agent === undefined) return []
    const holders = holdersOf(name, now)
    return nextToStart({ agent, holders, first: queueOf(name, 0, slotCount(agent) + holders.length), now })
  }
  const slotOf = (task: string, now: Date): number | undefined => {
    const { agent } = queues.entries.get(task) ?? {}
    return agent === undefined ? undefined : startsOf(agent, now).find((start) => start.task === task)?.slot
  }
  const slotIfQueued = (task: Task, now: Date): number | undefined => {
    const facts = waitingFactsOf(state, task, now)
    const { agent } = facts
    if (agent === undefined || !isStartable(task, facts)) return undefined
    const { name } = agent.metadata
    if (openQueueOf(name).length > 0) return undefined
    const [start] = nextToStart({ agent, holders: holdersOf(name, now), first: [toScheduledTask(task)], now })
    return start?.slot
  }
  return {
    apply: (change) => applyChange(state, change),
    tasks: objects.index,
    scheduleOf(task, now) {
      if (!mayWait(task)) return WAITS_FOR_NOTHING
      const facts = waitingFactsOf(state, task, now)
      const { name } = task.metadata
      return {
        wait: findWait(task, facts),
        isStartable: stateOf(task) === 'QUEUED' && findHold(task, facts) === undefined,
        position: positionOf(name),
        slot: slotOf(name, now),
      }
    },
    formatWaitMessage(task, now) {
      if (!mayWait(task)) return undefined
      const facts = waitingFactsOf(state, task, now)
      const wait = findWait(task, facts)
      const [agent, position] = [facts.agent, positionOf(task.metadata.name)]
      if (wait === NO_AGENT) return formatNoAgentMessage(objects.agents.values(), now)
      if (wait?.reason === 'WaitingForReview' && facts.reviewLimit) return WAITING.reviewLimit(facts.reviewLimit)
      if (wait?.reason !== 'WaitingForAgent' || agent === undefined || position === undefined) return wait?.summary
      return formatWaitMessage(task, { agent, holders: holdersOf(agent.metadata.name, now), position })
    },
    mayStillRun: (task) => mayStillRun(objects, task),
    nextToStart: startsOf,
    holdersOf,
    queueOf,
    slotOf,
    slotIfQueued,
    positionOf,
    queuedOf: (project) => [...queues.byProject.get(project)].flatMap((name) => queues.entries.get(name)?.task ?? []),
    queueLength: (agent) => openQueueOf(agent).length,
    queuedFor: (agent) => queues.byAgent.get(agent),
    isAtReviewLimit: (name) => findReachedLimit(queues.reviews, objects, { kind: 'agent', name }) !== undefined,
  }
}

interface State {
  readonly objects: SchedulingObjects
  readonly queues: TaskQueues
}

function applyChange({ objects, queues }: State, change: SchedulingChange): SchedulingEffects {
  const effects = { agents: new Set<string>(), tasks: new Set<string>() }
  const { kind } = change
  switch (kind) {
    case 'task':
      applyTask({ objects, queues }, change, effects)
      break
    case 'story':
      applyStory({ objects, queues }, change, effects)
      break
    case 'project':
      applyProject({ objects, queues }, change, effects)
      break
    case 'agent':
      applyAgent({ objects, queues }, change, effects)
      break
    case 'execution':
      applyExecution({ objects, queues }, change, effects)
      break
    case 'lease':
      applyLease({ objects, queues }, change, effects)
      break
    case 'job':
    case 'pod':
      applyWorkload({ objects, queues }, change, effects)
      break
    default:
      kind satisfies never
  }
  return effects
}

type ChangeOf<K extends SchedulingChange['kind']> = Extract<SchedulingChange, { readonly kind: K }>

function applyTask({ objects, queues }: State, change: ChangeOf<'task'>, effects: SchedulingEffects): void {
  const { name, object } = change
  const previous = objects.tasks.get(name)
  const stood = queues.entries.get(name)
  const moved = { agents: new Set<string>(), tasks: new Set<string>() }
  dequeue(queues, name, moved)
  const begun = (story = ''): boolean => objects.begunOf.get(story).size > 0
  const stories = [...new Set([previous?.spec.storyId, object?.spec.storyId])].flatMap((id) => id ?? [])
  const hadBegun = stories.filter(begun)
  replaceObject(objects, change)
  const wasRunning = previous !== undefined && stateOf(previous) === 'RUNNING'
  if (wasRunning || (object !== undefined && stateOf(object) === 'RUNNING')) trackWriter(queues, objects, name, effects)
  // Behind trackWriter, which takes away relations that a QUEUED task may have again.
  if (object !== undefined && stateOf(object) === 'QUEUED') enqueue(queues, objects, object, moved)
  // A condition that is written moves nobody.
  if (!isSamePosition(stood, queues.entries.get(name))) for (const agent of moved.agents) effects.agents.add(agent)
  trackReview(queues, objects, name, effects)
  for (const story of stories.filter((id) => begun(id) !== hadBegun.includes(id)))
    for (const other of Array.from(queues.byStory.get(story))) reassess(queues, objects, other, effects)
  const [before, after] = [previous && stateOf(previous), object && stateOf(object)]
  if (before !== after) for (const other of queues.byDependency.get(name)) reassess(queues, objects, other, effects)
  if (before === after && previous?.status?.execution === object?.status?.execution) return
  // What runs without a Lease holds a slot by the word of its task alone.
  for (const execution of objects.openExecutionsOf.get(name)) {
    const agent = objects.executions.get(execution)?.spec.agent
    if (agent !== undefined) effects.agents.add(agent)
  }
}

function isSamePosition(a: QueuedTask | undefined, b: QueuedTask | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const isSamePlace = a.agent === b.agent && compareScheduled(a.scheduled, b.scheduled) === 0
  const isSameQueue = a.isStartable === b.isStartable && isSameLane(a.lane, b.lane)
  return isSameQueue && isSamePlace && nextExecution(a.task) === nextExecution(b.task)
}

function applyProject({ objects, queues }: State, change: ChangeOf<'project'>, effects: SchedulingEffects): void {
  const previous = objects.projects.get(change.name)
  const isOther = isOtherRemote(previous, change.object)
  requeue({ objects, queues }, change, isOther, effects)
  if (!isOther && !isSameReviewLimit(previous, change.object))
    reassessLimited(queues, objects, { kind: 'project', name: change.name }, effects)
  if (isOther || !isOtherEnvironment(previous, change.object)) return
  for (const task of queues.byProject.get(change.name)) reassess(queues, objects, task, effects)
}

/** What its tasks find prepared depends on its image. */
function applyAgent({ objects, queues }: State, change: ChangeOf<'agent'>, effects: SchedulingEffects): void {
  const { name, object } = change
  const previous = objects.agents.get(name)
  replaceObject(objects, change)
  effects.agents.add(name)
  const isOther = (previous === undefined) !== (object === undefined) || previous?.spec.image !== object?.spec.image
  if (isOther) for (const task of queues.byAgent.get(name)) reassess(queues, objects, task, effects)
  else if (!isSameReviewLimit(previous, object)) reassessLimited(queues, objects, { kind: 'agent', name }, effects)
}

/** Puts the tasks of a story or a project in anew where their branch may be another one, or came or went. */
function requeue(
  { objects, queues }: State,
  change: ChangeOf<'story' | 'project'>,
  isOther: boolean,
  effects: SchedulingEffects,
): void {
  replaceObject(objects, change)
  if (!isOther) return
  const concerned = (change.kind === 'story' ? queues.byStory : queues.byProject).get(change.name)
  for (const name of Array.from(concerned)) {
    const entry = queues.entries.get(name)
    if (queues.running.has(name)) trackWriter(queues, objects, name, effects)
    if (entry === undefined) continue
    effects.tasks.add(name)
    dequeue(queues, name, effects)
    enqueue(queues, objects, entry.task, effects)
  }
}

function applyStory({ objects, queues }: State, change: ChangeOf<'story'>, effects: SchedulingEffects): void {
  const { name, object } = change
  const previous = objects.stories.get(name)
  requeue(
    { objects, queues },
    change,
    isOtherBranch(previous, object) || isInProgress(previous) !== isInProgress(object),
    effects,
  )
  if (previous?.spec.projectId === object?.spec.projectId) return
  for (const task of objects.awaitingOf.get(name)) trackReview(queues, objects, task, effects)
}

/** Then limits on what waits for a person do not keep its tasks. */
function isInProgress(story: Story | undefined): boolean {
  return story !== undefined && storyStatus(story) === 'IN_PROGRESS'
}

function isOtherBranch(a: Story | undefined, b: Story | undefined): boolean {
  return a?.spec.branchName !== b?.spec.branchName || a?.spec.projectId !== b?.spec.projectId
}

function isOtherRemote(a: Project | undefined, b: Project | undefined): boolean {
  return (a === undefined) !== (b === undefined) || a?.spec.remoteUrl !== b?.spec.remoteUrl
}

function applyExecution({ objects, queues }: State, change: ChangeOf<'execution'>, effects: SchedulingEffects): void {
  const previous = objects.executions.get(change.name)
  replaceObject(objects, change)
  const versions = [previous, change.object]
  if (previous?.metadata.uid !== change.object?.metadata.uid) {
    for (const task of new Set(versions.map((version) => version?.spec.taskRef?.name)))
      if (task !== undefined) reassess(queues, objects, task, effects)
  }
  if (isSameHolder(previous, change.object)) return
  for (const version of versions) if (version?.spec.agent !== undefined) effects.agents.add(version.spec.agent)
  for (const agent of agentsHeldBy(objects, change.name)) effects.agents.add(agent)
}

/** Whether two versions of an execution say the same of the slot that it may hold; its progress says nothing of it. */
function isSameHolder(a: Execution | undefined, b: Execution | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const isSameWork = a.spec.agent === b.spec.agent && a.spec.taskRef?.name === b.spec.taskRef?.name
  return isSameWork && isWork(a) === isWork(b) && isTerminal(a) === isTerminal(b)
}

function applyLease({ objects, queues }: State, change: ChangeOf<'lease'>, effects: SchedulingEffects): void {
  const before = objects.holders.get(change.name)
  replaceObject(objects, change)
  if (before === change.object?.holder) return
  const agent = agentOfSlot(change.name)
  if (agent !== undefined) effects.agents.add(agent)
  for (const name of queues.byBranch.get(change.name)) reassess(queues, objects, name, effects)
}

function applyWorkload({ objects, queues }: State, change: ChangeOf<'job' | 'pod'>, effects: SchedulingEffects): void {
  const previous = change.kind === 'pod' ? objects.pods.get(change.name) : objects.jobs.get(change.name)
  replaceObject(objects, change)
  for (const task of new Set([previous?.task, change.object?.task]))
    if (task !== undefined) reassess(queues, objects, task, effects)
  if (change.kind !== 'pod') return
  for (const pod of [previous, change.object]) {
    const execution = pod !== undefined && 'execution' in pod ? pod.execution : undefined
    for (const agent of execution === undefined ? [] : agentsHeldBy(objects, execution)) effects.agents.add(agent)
  }
}

function waitingFactsOf({ objects, queues }: State, task: Task, now: Date): WaitingFacts {
  const { storyId } = task.spec
  const entry = queues.entries.get(task.metadata.name)
  const name = agentOf(task)
  const queueFacts = queueFactsOf(queues, objects, { task, branch: entry?.branch })
  const nameAndState = (subtask: Task) => ({ name: subtask.metadata.name, state: stateOf(subtask) })
  return {
    now,
    ...queueFacts,
    // Once its dependencies are satisfied a task waits for none of them, whatever the graph looks like.
    cycle: queueFacts.openDependencies.length > 0 ? findCycle(task, objects.index) : undefined,
    openSubtasks: stateOf(task) === 'BLOCKED' ? openSubtasks(task, objects.index).map(nameAndState) : [],
    story: storyId === undefined ? undefined : objects.stories.get(storyId),
    agent: name === undefined ? undefined : objects.agents.get(name),
  }
}
