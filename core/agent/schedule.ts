import type { Agent, Task } from '../crd/types.ts'
import { executionName } from '../names.ts'
import { parseTimestamp } from '../time.ts'
import type { Line } from './line.ts'

/** An execution that holds a slot of an agent. */
export interface SlotHolder {
  /** Counted from 1; 0 where its Lease is gone. */
  readonly slot: number
  readonly execution: string
  readonly task: string
  /** A pod that keeps the slot beyond its execution's end because it does not go away by itself. */
  readonly stuckPod?: string | undefined
  /** Whether its task still is QUEUED for this execution: a start that was interrupted. Absent: not known. */
  readonly isStarting?: boolean | undefined
}

/** Everything that scheduling one agent depends on. */
export interface AgentLoad {
  readonly agent: Agent
  /** QUEUED tasks of this agent that could start: dependencies satisfied, not suspended. */
  readonly line: Line
  readonly holders: readonly SlotHolder[]
  readonly now: Date
}

/** A task and the slot it is to start in. */
export interface Start {
  readonly task: string
  readonly slot: number
}

/**
 * The tasks that start now, each with a slot of its own; none while the agent is drained or limited. A slot that a
 * queued task already holds (its start was interrupted) is that task's, whatever the order; the others follow in line.
 *
 * Source: specification §6.1, §6.5.
 */
export function nextToStart(load: AgentLoad): readonly Start[] {
  if (whyClosed(load.agent, load.now) !== undefined) return []
  const free = freeSlots(load)
  // Every task behind a busy agent asks again and again: that must not cost a look at the whole line.
  if (free.length === 0 && load.holders.every(({ isStarting }) => isStarting === false)) return []
  const resumed = load.line.tasks.flatMap((task) => findOwnSlot(load, task) ?? [])
  if (free.length === 0) return resumed
  const started = new Set(resumed.map(({ task }) => task))
  const waiting = load.line.inOrder().filter((task) => !started.has(task.metadata.name))
  return [
    ...resumed,
    ...waiting.slice(0, free.length).map((task, i) => ({ task: task.metadata.name, slot: free[i] ?? 0 })),
  ]
}

/**
 * How many executions the agent runs at a time; the contract's one unless its spec says more, and one to try whether a
 * limit without a known end still holds (specification §6.9).
 */
export function slotCount({ spec, status }: Agent): number {
  return status?.assumedLimit === undefined ? (spec?.maxConcurrent ?? 1) : 1
}

/** Why an agent takes no work at all now, in words; undefined when it does. */
export function whyClosed(agent: Agent, now: Date): string | undefined {
  const { drained } = agent.status ?? {}
  if (drained !== undefined) return `agent ${agent.metadata.name} is drained: ${drained.reason ?? 'too many failures'}`
  const until = limitedUntil(agent, now)
  if (until === undefined) return undefined
  const how = agent.status?.assumedLimit === undefined ? '' : ' (assumed: nobody names the end)'
  return `agent ${agent.metadata.name} is rate limited until ${until}${how}`
}

/** The RFC 3339 instant until which the agent is limited, or undefined when that is past. */
export function limitedUntil(agent: Agent, now: Date): string | undefined {
  const until = agent.status?.rateLimitedUntil
  return until !== undefined && parseTimestamp(until) > now ? until : undefined
}

function freeSlots({ agent, holders }: AgentLoad): number[] {
  const count = slotCount(agent)
  const taken = new Set(holders.map(({ slot }) => slot))
  const free = Array.from({ length: count }, (_, i) => i + 1).filter((slot) => !taken.has(slot))
  // After `maxConcurrent` was lowered, those above it run to their end and count until then.
  return free.slice(0, Math.max(0, count - holders.length))
}

function findOwnSlot(load: AgentLoad, task: Task): Start | undefined {
  const execution = nextExecution(task)
  const held = load.holders.find((holder) => holder.execution === execution)
  return held === undefined ? undefined : { task: task.metadata.name, slot: held.slot }
}

/** Name of the execution that a QUEUED task starts next. */
export function nextExecution(task: Task): string {
  return executionName(task.metadata.name, (task.status?.executions ?? 0) + 1)
}
