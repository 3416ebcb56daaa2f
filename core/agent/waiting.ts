import type { Agent, Task } from '../crd/types.ts'
import { agentWish, SCRIPT_AGENT } from '../task/agent-spec.ts'
import { stateOf } from '../task/decide.ts'
import type { OpenDependency, TaskIndex } from '../task/dependencies.ts'
import { findCycle, openDependencies, openSubtasks } from '../task/dependencies.ts'
import { resumesByItself } from '../task/retry.ts'
import type { AgentLoad, SlotHolder } from './schedule.ts'
import { limitedUntil, nextExecution, slotCount, whyClosed } from './schedule.ts'

/** What the reason of a task's waiting depends on. */
export interface WaitingContext {
  readonly now: Date
  readonly tasks: TaskIndex
  /** The Agent of a name, or undefined when there is none. */
  findAgent(name: string): Agent | undefined
  /** Whether a Project of that name exists. */
  hasProject(name: string): boolean
  /** Queue and slots of an agent. */
  loadOf(agent: Agent): AgentLoad
  /** Who else writes the branch that the task is to work on, in words; undefined while nobody does. */
  describeBranchWriter?(task: Task): string | undefined
}

/** Why a task waits. */
export interface Wait {
  /** Reason of the condition that carries it. */
  readonly reason:
    | 'UnknownDependency'
    | 'UnknownProject'
    | 'UnknownAgent'
    | 'DependencyCycle'
    | 'Suspended'
    | 'WaitingForDependencies'
    | 'WaitingForSubtasks'
    | 'WaitingForAgent'
    | 'WaitingForPod'
    | 'WaitingForBranch'
    | 'WaitingForClassification'
    | 'AgentDrained'
    | 'AgentRateLimited'
    | 'RetryScheduled'
  /** True: it does not resolve without somebody changing a resource. */
  readonly stalled: boolean
  /** Stored in the condition: changes only when the reason does, never with the queue. */
  readonly summary: string
  /** With holder and place in the line, as they are when it is called. */
  describe(): string
}

/** Reason of the condition of a task whose branch another one writes. */
export const BRANCH_WAIT = 'WaitingForBranch'

/** What a task's condition says of the writer of its branch; for who does not see the branches' Leases. */
export function toldBranchWriter({ status }: Task): string | undefined {
  return status?.conditions?.find(({ reason }) => reason === BRANCH_WAIT)?.message
}

/** Of a task whose agent is still to be chosen. */
export const NO_AGENT = because(
  'WaitingForAgent',
  'no agent is available: name one in agent.type, or make one available',
)

/** Of a task that was queued a moment ago. */
const CHOOSING = because('WaitingForClassification', 'its agent is being chosen')

/**
 * Why a task that could go on does not, in words such as `agent claude is busy with task-a; 3rd in line`.
 *
 * @returns undefined for a task that waits for nothing: one that runs, one that is done, one that waits for a person
 */
export function explainWaiting(task: Task, context: WaitingContext): string | undefined {
  return findWait(task, context)?.describe()
}

/** As {@link explainWaiting}, with the parts that conditions are made of. */
export function findWait(task: Task, context: WaitingContext): Wait | undefined {
  const state = stateOf(task)
  switch (state) {
    case 'PENDING':
      return findBrokenReference(task, context)
    case 'QUEUED':
      return findBrokenReference(task, context) ?? findQueueWait(task, context)
    case 'BLOCKED':
      return task.status?.question === undefined ? waitForSubtasks(task, context.tasks) : undefined
    case 'FAILED':
    case 'BUDGET_EXCEEDED':
      return waitForRetry(task, context)
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

/** What the schema cannot judge, because resources may be applied in any order (specification §3.3). */
export function findBrokenReference(task: Task, context: WaitingContext): Wait | undefined {
  const open = openDependencies(task, context.tasks)
  const unknown = open.filter(({ state }) => state === undefined)
  if (unknown.length > 0) return stalled('UnknownDependency', `task ${listNames(unknown)} does not exist`)
  // Once its dependencies are satisfied a task waits for none of them, whatever the graph looks like.
  const cycle = open.length > 0 ? findCycle(task, context.tasks) : undefined
  if (cycle !== undefined) return stalled('DependencyCycle', `tasks wait for one another: ${cycle.join(' → ')}`)
  const { project } = task.spec
  if (project !== undefined && !context.hasProject(project)) {
    return stalled('UnknownProject', `project ${project} does not exist`)
  }
  const agent = agentOf(task)
  return agent === undefined || context.findAgent(agent) !== undefined
    ? undefined
    : stalled('UnknownAgent', `agent ${agent} does not exist`)
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

/** Whether a QUEUED task lacks nothing but a slot: only such tasks stand in their agent's line. */
export function isStartable(
  task: Task,
  context: Pick<WaitingContext, 'tasks' | 'hasProject' | 'describeBranchWriter'>,
): boolean {
  const { suspend, project } = task.spec
  const hasProject = project === undefined || context.hasProject(project)
  if (suspend === true || !hasProject || openDependencies(task, context.tasks).length > 0) return false
  return context.describeBranchWriter?.(task) === undefined
}

function findQueueWait(task: Task, context: WaitingContext): Wait | undefined {
  if (task.spec.suspend === true) return because('Suspended', 'the task is suspended')
  const open = openDependencies(task, context.tasks)
  if (open.length > 0) return because('WaitingForDependencies', describeDependencies(open))
  const writer = context.describeBranchWriter?.(task)
  if (writer !== undefined) return because(BRANCH_WAIT, writer)
  const name = agentOf(task)
  const agent = name === undefined ? undefined : context.findAgent(name)
  const { classification } = task.status ?? {}
  if (name === undefined && classification !== undefined) {
    return because('WaitingForClassification', `agent ${classification.agent} is asked which agent suits the task`)
  }
  if (agent === undefined) return wasFoundNoAgent(task) ? NO_AGENT : CHOOSING
  return waitForAgent(task, context.loadOf(agent))
}

/** Whether the operator has looked, and says so in the task's condition; until then nobody knows. */
function wasFoundNoAgent({ status }: Task): boolean {
  return status?.conditions?.some(({ message }) => message === NO_AGENT.summary) === true
}

function waitForAgent(task: Task, load: AgentLoad): Wait {
  const { agent, now } = load
  const closed = whyClosed(agent, now)
  if (closed !== undefined) {
    return because(limitedUntil(agent, now) === undefined ? 'AgentDrained' : 'AgentRateLimited', closed)
  }
  const summary = `waits for a slot of agent ${agent.metadata.name}`
  return { reason: 'WaitingForAgent', stalled: false, summary, describe: () => describeTurn(task, load) }
}

function describeTurn(task: Task, { agent, holders, line }: AgentLoad): string {
  const isStarting = holders.some(({ execution }) => execution === nextExecution(task))
  if (isStarting) return `starts now with agent ${agent.metadata.name}`
  const place = line.placeOf(task.metadata.name) ?? 0
  const turn = place > 0 ? `${ordinal(place + 1)} in line` : 'next in line'
  const busy = describeHolders(agent, holders)
  return busy === undefined ? turn : `${busy}; ${turn}`
}

function describeHolders(agent: Agent, holders: readonly SlotHolder[]): string | undefined {
  if (holders.length < slotCount(agent)) return undefined
  const stuck = holders.flatMap(({ stuckPod }) => stuckPod ?? [])
  const busy = `agent ${agent.metadata.name} is busy with ${holders.map(({ task }) => task).join(', ')}`
  return stuck.length === 0 ? busy : `${busy}; pod ${stuck.join(', ')} does not end and must be deleted by force`
}

function waitForSubtasks(task: Task, tasks: TaskIndex): Wait | undefined {
  const open = openSubtasks(task, tasks).map((subtask) => ({ name: subtask.metadata.name, state: stateOf(subtask) }))
  return open.length === 0 ? undefined : because('WaitingForSubtasks', describeDependencies(open, 'subtask'))
}

function waitForRetry(task: Task, context: Pick<WaitingContext, 'findAgent'>): Wait | undefined {
  const at = task.status?.resumeAfter
  if (at === undefined) return undefined
  if (task.spec.suspend === true) return because('Suspended', 'the task is suspended')
  const agent = agentOf(task)
  if (agent !== undefined && !resumesByItself(context.findAgent(agent)))
    return because('Suspended', `agent ${agent} does not resume by itself`)
  return because('RetryScheduled', `tried again at ${at}`)
}

function describeDependencies(open: readonly OpenDependency[], kind = 'task'): string {
  const named = open.map(({ name, state }) => `${name} (${state}${state === 'PENDING' ? ', waits for run' : ''})`)
  return `waits for ${kind} ${named.join(', ')}`
}

function listNames(dependencies: readonly OpenDependency[]): string {
  return dependencies.map(({ name }) => name).join(', ')
}

/** A wait that has nothing to add to its summary. */
export function because(reason: Wait['reason'], summary: string): Wait {
  return { reason, stalled: false, summary, describe: () => summary }
}

function stalled(reason: Wait['reason'], summary: string): Wait {
  return { reason, stalled: true, summary, describe: () => summary }
}

function ordinal(n: number): string {
  const suffix = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${suffix}`
}
