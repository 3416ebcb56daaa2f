/**
 * One decision about many records. Each is sent by itself as a decision about what the person saw, so a record that has
 * changed meanwhile is refused and the others are not. What became of each is kept until the person has read it, also
 * where they have left the view.
 */
import { useSyncExternalStore } from 'react'
import type { Story, Task } from '../../core/rest/client/client.ts'
import type { BulkDecision, BulkOutcome, BulkRun } from '../model/bulk.ts'
import { api } from './client.ts'
import { acceptStory, decideTask, readAsSeen } from './decisions.ts'
import { store } from './queries.ts'
import { runStory } from './stories.ts'

/** So many at a time: the server has others to answer. */
const AT_ONCE = 4

export type BulkTaskDecision = BulkDecision<'run' | 'cancel' | 'accept' | 'resume'>
export type BulkStoryDecision = BulkDecision<'run' | 'accept'>

interface BulkStore {
  readonly read: () => BulkRun | undefined
  readonly subscribe: (listener: () => void) => () => void
  readonly set: (run: BulkRun | undefined) => void
}

function createBulkStore(): BulkStore {
  let run: BulkRun | undefined
  const listeners = new Set<() => void>()
  return {
    read: () => run,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next) {
      run = next
      for (const listener of listeners) listener()
    },
  }
}

/** Sends the decision about each record, and gives the ids of those where it was done. Never rejects. */
async function runAll<R extends { readonly id: string; readonly name: string }>(
  bulk: BulkStore,
  { label, records, take }: { label: string; records: readonly R[]; take: (record: R) => Promise<string> },
): Promise<ReadonlySet<string>> {
  const queue = [...records]
  let outcomes: readonly BulkOutcome[] = []
  const tell = (): void => bulk.set({ label, total: records.length, outcomes })
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const outcome = await outcomeOf(next, take)
      outcomes = [...outcomes, outcome]
      tell()
    }
  }
  tell()
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return new Set(outcomes.filter(({ isDone }) => isDone).map(({ id }) => id))
}

async function outcomeOf<R extends { readonly id: string; readonly name: string }>(
  record: R,
  take: (record: R) => Promise<string>,
): Promise<BulkOutcome> {
  const { id, name } = record
  try {
    return { id, name, isDone: true, message: await take(record) }
  } catch (error) {
    return { id, name, isDone: false, message: error instanceof Error ? error.message : String(error) }
  }
}

export interface Bulk<R, D> {
  /** The decision that goes on, or the last one until it is put away. */
  readonly run: BulkRun | undefined
  readonly isRunning: boolean
  /** Gives the ids of those where it was done. @param label what the button said */
  readonly decide: (label: string, records: readonly R[], decision: D) => Promise<ReadonlySet<string>>
  readonly putAway: () => void
}

function useBulk<R extends { readonly id: string; readonly name: string }, D>(
  bulk: BulkStore,
  take: (record: R, decision: D) => Promise<string>,
): Bulk<R, D> {
  const run = useSyncExternalStore(bulk.subscribe, bulk.read)
  return {
    run,
    isRunning: run !== undefined && run.outcomes.length < run.total,
    decide: (label, records, decision) => runAll(bulk, { label, records, take: (record) => take(record, decision) }),
    putAway: () => bulk.set(undefined),
  }
}

const taskBulk = createBulkStore()
const storyBulk = createBulkStore()

export function useTaskBulk(): Bulk<Task, BulkTaskDecision> {
  return useBulk(taskBulk, (task, decision) =>
    decision.action === 'priority' ? giveTaskPriority(task, decision.priority) : decideTask(task, decision),
  )
}

export function useStoryBulk(): Bulk<Story, BulkStoryDecision> {
  return useBulk(storyBulk, (story, decision) => {
    if (decision.action === 'priority') return giveStoryPriority(story, decision.priority)
    return decision.action === 'run' ? runStory(story) : acceptStory(story)
  })
}

async function giveTaskPriority(seen: Task, priority: number): Promise<string> {
  const params = { id: seen.id }
  const ifMatch = await readAsSeen('tasks', seen, (options) => api.getTask({ params }, options))
  await store.readOne('tasks', () => api.updateTask({ params, ifMatch, body: { priority } }))
  return `its priority is ${priority}`
}

async function giveStoryPriority(seen: Story, priority: number): Promise<string> {
  const params = { id: seen.id }
  const ifMatch = await readAsSeen('stories', seen, (options) => api.getStory({ params }, options))
  await store.readOne('stories', () => api.updateStory({ params, ifMatch, body: { priority } }))
  return `its priority is ${priority}`
}
