import type { Agent, Story, Task } from '../crd/types.ts'
import { type ReviewLimit, WAITING } from '../sentences/waiting.ts'
import { findDoneRefusal } from '../story/done.ts'
import { agentWish, SCRIPT_AGENT } from '../task/agent-spec.ts'
import { isQueuedByPolicy, stateOf } from '../task/decide.ts'
import type { OpenDependency } from '../task/dependencies.ts'
import { findGoingOn } from '../task/going-on.ts'
import { closedReasonWithCure, NO_AGENT_SUMMARY, startCure } from './cures.ts'
import { type SlotHolder, limitedUntil, slotCount } from './schedule.ts'

/** What the reason of a task's waiting depends on beside the task, as plain data. */
export interface WaitingFacts {
  readonly now: Date
  readonly openDependencies: readonly OpenDependency[]
  /** Tasks that wait for one another, from the task back to it; looked for only where a dependency is open. */
  readonly cycle?: readonly string[] | undefined
  readonly openSubtasks: readonly OpenDependency[]
  /** True also for a task that names no project. */
  readonly hasProject: boolean
  readonly story?: Story | undefined
  /** The one that the task waits for or runs with, where that exists. */
  readonly agent?: Agent | undefined
  /** Who else writes the branch that the task is to work on, in words; absent while nobody does. */
  readonly branchWriter?: string | undefined
  /** Whether a pod of an earlier execution can still run: clone and session are the task's, not the slot's. */
  readonly mayStillRun: boolean
  /** Whether executions of an earlier task of its name are still there: their names and its sandbox are taken. */
  readonly hasOrphans: boolean
  /** What is being prepared for it, in words; absent: nothing that it waits for. */
  readonly environmentWait?: string | undefined
  /** The limit on what waits for a person that keeps it from starting; absent: none does. */
  readonly reviewLimit?: ReviewLimit | undefined
}

/** Why a task waits. */
export interface Wait {
  /** Reason of the condition that carries it. */
  readonly reason:
    | 'UnknownDependency'
    | 'UnknownProject'
    | 'UnknownAgent'
    | 'DependencyCycle'
    | 'StoryDone'
    | 'Suspended'
    | 'CheckedOut'
    | 'WaitingForDependencies'
    | 'WaitingForSubtasks'
    | 'WaitingForAgent'
    | 'WaitingForPod'
    | 'WaitingForBranch'
    | 'WaitingForEnvironment'
    | 'WaitingForReview'
    | 'WaitingForClassification'
    | 'AgentDrained'
    | 'AgentRateLimited'
    | 'RetryScheduled'
  /** True: it does not resolve without somebody changing a resource. */
  readonly stalled: boolean
  /** In words; stored in the condition. It changes only when the reason does, never with the queue. */
  readonly summary: string
}

/** The agent of the task is still to be chosen. */
export const NO_AGENT = makeWait('WaitingForAgent', NO_AGENT_SUMMARY)

/** The task was queued a moment ago. */
const CHOOSING = makeWait('WaitingForClassification', WAITING.choosing)

/** Whether a task may have something to wait for; of the others nobody needs to know what stands around them. */
export function mayWait({ status }: Task): boolean {
  const { state = 'PENDING', question, resumeAfter, checkedOut } = status ?? {}
  if (checkedOut !== undefined) return true
  if (state === 'BLOCKED') return question === undefined
  return state === 'PENDING' || state === 'QUEUED' || resumeAfter !== undefined
}

/**
 * Why a task that could go on does not.
 *
 * @returns undefined for a task that waits for nothing: one that runs, one that is done, one that waits for a person
 */
export function findWait(task: Task, facts: WaitingFacts): Wait | undefined {
  const state = stateOf(task)
  const held = findCheckout(task)
  if (held !== undefined && state !== 'QUEUED') return held
  switch (state) {
    case 'PENDING':
      return findBrokenReference(task, facts) ?? (isQueuedByPolicy(task) ? findDone(facts) : undefined)
    case 'QUEUED':
      return findHold(task, facts) ?? waitForAgent(task, facts)
    case 'BLOCKED':
      return task.status?.question === undefined ? waitForSubtasks(facts) : undefined
    case 'FAILED':
    case 'BUDGET_EXCEEDED':
      return waitForRetry(task, facts)
    case 'RUNNING':
    case 'READY':
    case 'COMPLETED':
    case 'TIMED_OUT':
    case 'CANCELLED':
      return undefined
    default:
      return state satisfies never
  }
}

/** What keeps a QUEUED task from starting even if its agent had a slot for it; undefined when nothing does. */
export function findHold(task: Task, facts: WaitingFacts): Wait | undefined {
  const broken = findBrokenReference(task, facts)
  if (broken !== undefined) return broken
  if (task.spec.suspend === true) return makeWait('Suspended', WAITING.suspended)
  const held = findCheckout(task)
  if (held !== undefined) return held
  const { openDependencies: open, branchWriter, mayStillRun, hasOrphans, environmentWait, reviewLimit } = facts
  if (open.length > 0) return makeWait('WaitingForDependencies', WAITING.tasks(open) + startCure(open))
  if (branchWriter !== undefined) return makeWait('WaitingForBranch', branchWriter)
  if (hasOrphans) return makeWait('WaitingForPod', WAITING.orphans)
  if (mayStillRun) return makeWait('WaitingForPod', WAITING.pod)
  if (environmentWait !== undefined) return makeWait('WaitingForEnvironment', environmentWait)
  // Last: what it needs is prepared meanwhile.
  return reviewLimit && makeWait('WaitingForReview', WAITING.atReviewLimit(reviewLimit))
}

/** A person goes on by hand, whatever the state: nothing starts meanwhile. */
function findCheckout({ status }: Task): Wait | undefined {
  const { by } = status?.checkedOut ?? {}
  return by === undefined ? undefined : makeWait('CheckedOut', WAITING.checkedOut(by))
}

/** What the schema cannot check, because resources may be applied in any order (specification §3.3). */
function findBrokenReference(task: Task, facts: WaitingFacts): Wait | undefined {
  const unknown = facts.openDependencies.filter(({ state }) => state === undefined)
  if (unknown.length > 0) {
    return stalled('UnknownDependency', WAITING.unknownTasks(unknown.map(({ name }) => name)))
  }
  const { cycle, hasProject } = facts
  if (cycle !== undefined) return stalled('DependencyCycle', WAITING.cycle(cycle))
  if (!hasProject) return stalled('UnknownProject', WAITING.unknownProject(task.spec.project ?? ''))
  const agent = agentOf(task)
  const isKnown = agent === undefined || facts.agent !== undefined
  return isKnown ? undefined : stalled('UnknownAgent', WAITING.unknownAgent(agent))
}

/** Nothing starts by itself in a DONE story (specification §4.18). */
function findDone({ story }: WaitingFacts): Wait | undefined {
  const refusal = findDoneRefusal(story)
  return refusal === undefined ? undefined : stalled('StoryDone', refusal)
}

/**
 * The agent a task waits for or runs with: the classified one, else, while it never ran, the one its spec names; a
 * script is always a script.
 */
export function agentOf(task: Task): string | undefined {
  const classified = task.status?.agent?.type
  if (classified !== undefined) return classified
  const { type } = agentWish(task)
  return type === SCRIPT_AGENT || (task.status?.executions ?? 0) === 0 ? type : undefined
}

/** What keeps a QUEUED task out of its agent's queue, where it is so. */
export type QueueFacts = Pick<
  WaitingFacts,
  'openDependencies' | 'hasProject' | 'branchWriter' | 'mayStillRun' | 'hasOrphans' | 'environmentWait' | 'reviewLimit'
>

/** Whether a QUEUED task lacks nothing but an agent and its slot: only such tasks stand in their agent's queue. */
export function isStartable({ spec, status }: Task, facts: QueueFacts): boolean {
  const { openDependencies, hasProject, branchWriter, mayStillRun, hasOrphans, environmentWait, reviewLimit } = facts
  const isTaken = spec.suspend === true || status?.checkedOut !== undefined
  const isHeld = isTaken || branchWriter !== undefined || mayStillRun || hasOrphans
  return (
    !isHeld && reviewLimit === undefined && environmentWait === undefined && hasProject && openDependencies.length === 0
  )
}

function waitForAgent(task: Task, { agent, now }: WaitingFacts): Wait {
  const { classification } = task.status ?? {}
  if (agentOf(task) === undefined && classification !== undefined) {
    return makeWait('WaitingForClassification', WAITING.asked(classification.agent))
  }
  if (agent === undefined) return wasFoundNoAgent(task) ? NO_AGENT : CHOOSING
  const closed = closedReasonWithCure(agent, now)
  if (closed !== undefined) {
    return makeWait(limitedUntil(agent, now) === undefined ? 'AgentDrained' : 'AgentRateLimited', closed)
  }
  return makeWait('WaitingForAgent', WAITING.slot(agent.metadata.name))
}

/** Whether the operator has looked, and says so in the task's condition; until then nobody knows. */
export function wasFoundNoAgent({ status }: Task): boolean {
  return status?.conditions?.some(({ message }) => message === NO_AGENT.summary) === true
}

/** Where a task stands in its agent's queue, and who is before it. */
export interface QueuePosition {
  readonly agent: Agent
  readonly holders: readonly SlotHolder[]
  /** Counted from 0. */
  readonly position: number
}

/** Words for a task that waits for nothing but its turn, such as `agent claude is busy with task-a; 3rd in line`. */
export function formatWaitMessage(task: Task, { agent, holders, position }: QueuePosition): string {
  const { name } = agent.metadata
  if (holders.some((holder) => holder.isStarting && holder.task === task.metadata.name)) return WAITING.startsNow(name)
  const turn = WAITING.turn(position)
  const busy = formatHolders(agent, holders)
  return busy === undefined ? turn : `${busy}; ${turn}`
}

function formatHolders(agent: Agent, holders: readonly SlotHolder[]): string | undefined {
  if (holders.length < slotCount(agent)) return undefined
  const stuck = holders.flatMap(({ stuckPod }) => stuckPod ?? [])
  const work = holders.map(({ task, execution }) => task ?? execution)
  const busy = WAITING.busy(agent.metadata.name, work)
  return stuck.length === 0 ? busy : `${busy}; ${WAITING.stuckPods(stuck)}`
}

function waitForSubtasks({ openSubtasks: open }: WaitingFacts): Wait | undefined {
  return open.length === 0
    ? undefined
    : makeWait('WaitingForSubtasks', WAITING.tasks(open, 'subtask') + startCure(open))
}

function waitForRetry(task: Task, { story, agent }: WaitingFacts): Wait | undefined {
  const found = findGoingOn(task, { story, ownAgent: agent })
  if (found === undefined) return undefined
  const { at = '', held } = found
  return makeWait(held?.reason ?? 'RetryScheduled', held?.summary ?? WAITING.retry(at))
}

function makeWait(reason: Wait['reason'], summary: string): Wait {
  return { reason, stalled: false, summary }
}

function stalled(reason: Wait['reason'], summary: string): Wait {
  return { reason, stalled: true, summary }
}
