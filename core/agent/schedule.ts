import type { Agent, Task } from '../crd/types.ts'
import { isQueuedByPolicy, stateOf } from '../task/decide.ts'
import { executionName } from '../names.ts'
import { WAITING } from '../sentences/waiting.ts'
import { compareTexts } from '../text.ts'
import { parseTimestamp } from '../time.ts'

/** What of a QUEUED task decides when it starts. */
export interface ScheduledTask {
  readonly name: string
  /** Lower first. */
  readonly priority: number
  /** Milliseconds since the epoch. */
  readonly queuedAtMs: number
}

export function toScheduledTask({ metadata, spec, status }: Task): ScheduledTask {
  const queuedAt = status?.queuedAt
  return {
    name: metadata.name,
    priority: spec.priority ?? 0,
    // Infinity would make NaN of the difference of two tasks without a queue time.
    queuedAtMs: queuedAt === undefined ? Number.MAX_SAFE_INTEGER : parseTimestamp(queuedAt).getTime(),
  }
}

/** The order in which the tasks of an agent start: priority, then queue time, then name. 0 for the same task only. */
export function compareScheduled(a: ScheduledTask, b: ScheduledTask): number {
  return a.priority - b.priority || a.queuedAtMs - b.queuedAtMs || compareTexts(a.name, b.name)
}

/** An execution that holds a slot of an agent. */
export interface SlotHolder {
  /** Counted from 1; 0 where its Lease is gone. */
  readonly slot: number
  readonly execution: string
  /** Whose work it does; absent for a query. */
  readonly task?: string | undefined
  /** A pod that keeps the slot because it does not go away by itself. */
  readonly stuckPod?: string | undefined
  /** Whether its task still is in the agent's queue: a start that was interrupted. */
  readonly isStarting: boolean
}

/** Everything that the next starts of one agent depend on, as plain data. */
export interface AgentSchedule {
  readonly agent: Agent
  readonly holders: readonly SlotHolder[]
  /** The agent's queue from its front: all of it, or at least as many as the agent has slots. */
  readonly first: readonly ScheduledTask[]
  readonly now: Date
}

/** A task and the slot it is to start in. */
export interface Start {
  readonly task: string
  readonly slot: number
}

/**
 * The tasks that start now, each with a slot of its own; none while the agent is drained or limited. A slot that a
 * queued task already holds (its start was interrupted) is that task's, whatever the order; the others follow in order.
 *
 * Source: specification §6.1, §6.5.
 */
export function nextToStart({ agent, holders, first, now }: AgentSchedule): readonly Start[] {
  if (closedReason(agent, now) !== undefined) return []
  const starting = holders.flatMap(({ task, slot, isStarting }) =>
    isStarting && task !== undefined ? [{ task, slot }] : [],
  )
  // Somebody may have given it a second slot by hand.
  const resumed = starting.filter(({ task }, i) => starting.findIndex((other) => other.task === task) === i)
  const started = new Set(resumed.map(({ task }) => task))
  const waiting = first.filter(({ name }) => !started.has(name))
  const free = freeSlots(agent, holders)
  return [...resumed, ...free.flatMap((slot, i) => toStart(waiting[i], slot))]
}

function toStart(task: ScheduledTask | undefined, slot: number): Start[] {
  return task === undefined ? [] : [{ task: task.name, slot }]
}

/**
 * How many executions the agent runs at a time; the contract's one unless its spec says more, and one to try whether a
 * limit without a known end still holds (specification §6.9).
 */
export function slotCount({ spec, status }: Agent): number {
  return status?.assumedLimit === undefined ? (spec?.maxConcurrent ?? 1) : 1
}

/** Why an agent takes no work at all now, in words; undefined when it does. */
export function closedReason(agent: Agent, now: Date): string | undefined {
  const { drained } = agent.status ?? {}
  if (drained !== undefined) return WAITING.drained(agent.metadata.name, drained.reason)
  const until = limitedUntil(agent, now)
  return until && WAITING.limited(agent.metadata.name, until, agent.status?.assumedLimit !== undefined)
}

/** The RFC 3339 instant until which the agent is limited, or undefined when that is past. */
export function limitedUntil(agent: Agent, now: Date): string | undefined {
  const until = agent.status?.rateLimitedUntil
  return until !== undefined && parseTimestamp(until) > now ? until : undefined
}

function freeSlots(agent: Agent, holders: readonly SlotHolder[]): number[] {
  const count = slotCount(agent)
  const taken = new Set(holders.map(({ slot }) => slot))
  const free = Array.from({ length: count }, (_, i) => i + 1).filter((slot) => !taken.has(slot))
  // After `maxConcurrent` was lowered, those above it run to their end and count until then.
  return free.slice(0, Math.max(0, count - holders.length))
}

/**
 * Whether a task is about to start an execution of this name: it is QUEUED, or its run policy is about to queue it, which
 * may be written beside slot and Execution.
 */
export function isStartOf(task: Task, execution: string): boolean {
  return (stateOf(task) === 'QUEUED' || isQueuedByPolicy(task)) && nextExecution(task) === execution
}

/** Name of the execution that a QUEUED task starts next. */
export function nextExecution(task: Task): string {
  return executionName(task.metadata.name, (task.status?.executions ?? 0) + 1)
}
