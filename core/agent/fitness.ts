import type { Agent, Task } from '../crd/types.ts'
import { agentWish } from '../task/agent-spec.ts'
import { type SlotHolder, slotCount } from './schedule.ts'
import type { TrackRecord } from './track-record.ts'

/** An agent with its queue and slots, and why it cannot run here, if so. */
export interface Candidate {
  readonly agent: Agent
  readonly holders: readonly SlotHolder[]
  /** Tasks that lack nothing but a slot of it. */
  readonly queueLength: number
  readonly now: Date
  readonly unavailable?: string | undefined
  /** The project's image: where a task that names no image runs. */
  readonly projectImage?: string | undefined
  /** How it did on the task's project; absent: nobody knows. */
  readonly record?: TrackRecord | undefined
}

/** What speaks for an agent and against it, for one task. */
export interface Fitness {
  readonly name: string
  /** Tasks ahead beyond the free slots: 0 means that a start is possible at once. */
  readonly ahead: number
  readonly record: TrackRecord
  /** The task's author asks for it. */
  readonly isWished: boolean
  /** Words of its hint that the task has. */
  readonly hinted: readonly string[]
}

const NO_RECORD: TrackRecord = { succeeded: 0, failed: 0 }

/** @param words those of the task, read once for all candidates: {@link wordsOf} */
export function fitnessOf(
  task: Task,
  words: ReadonlySet<string>,
  { agent, holders, queueLength, record = NO_RECORD }: Candidate,
): Fitness {
  return {
    name: agent.metadata.name,
    ahead: Math.max(0, holders.length + queueLength + 1 - slotCount(agent)),
    record,
    isWished: agentWish(task).type === agent.metadata.name,
    hinted: [...toWords(agent.spec.classifier?.hint ?? '')].filter((word) => words.has(word)),
  }
}

/**
 * The better one first. An agent that fails much on the project counts as if it had more tasks ahead, three at most: it
 * comes after others, and is no more excluded than they are when they are busy. Between equals the author's wish
 * decides, then the agents' hints, then the record, then the name.
 */
export function compareFitness(a: Fitness, b: Fitness): number {
  return (
    a.ahead + handicapOf(a.record) - (b.ahead + handicapOf(b.record)) ||
    Number(b.isWished) - Number(a.isWished) ||
    b.hinted.length - a.hinted.length ||
    expectedSuccess(b.record) - expectedSuccess(a.record) ||
    (a.name < b.name ? -1 : 1)
  )
}

/**
 * The share of executions that end well, as if five had come before of which four did: one failure says little, and
 * an agent that nobody has tried is worth a trial.
 */
function expectedSuccess({ succeeded, failed }: TrackRecord): number {
  return (succeeded + 4) / (succeeded + failed + 5)
}

/** One task for each fifth that is missing from the four fifths of an agent unknown; in whole numbers, 0 to 3. */
export function handicapOf({ succeeded, failed }: TrackRecord): number {
  return Math.max(0, Math.floor((4 * failed - succeeded) / (succeeded + failed + 5)))
}

/** The words of a task's title and description that a hint may have too. */
export function wordsOf({ spec }: Task): ReadonlySet<string> {
  return toWords(`${spec.title} ${spec.description ?? ''}`)
}

/** Words of four letters and more: shorter ones are in every text. */
function toWords(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}{4,}/gu))
}
