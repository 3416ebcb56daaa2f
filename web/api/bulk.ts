/**
 * One decision about many records (run-bulk.ts), each about what the person saw. Accepting can be taken back for all of
 * them at once. What became of each is kept until the person has read it, also where they have left the view.
 */
import { useSyncExternalStore } from 'react'
import type { Story, Task } from '../../core/rest/client/client.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import type { BulkDecision, BulkRun } from '../model/bulk.ts'
import { api } from './client.ts'
import { decisions, keyOf, storyStep, taskStep, waitOf, writeAsSeen } from './decisions.ts'
import type { Kind } from './fold.ts'
import type { Step } from './held-decisions.ts'
import { store } from './queries.ts'
import { type BulkStore, createBulkStore, runBulk } from './run-bulk.ts'
import { runStory } from './stories.ts'

export type BulkTaskDecision = BulkDecision<'run' | 'cancel' | 'accept' | 'resume'>
export type BulkStoryDecision = BulkDecision<'run' | 'accept'>

export interface Bulk<R, D> {
  /** The decision that goes on, or the last one until it is put away. */
  readonly run: BulkRun | undefined
  readonly isRunning: boolean
  /** Gives the ids of those where it was done. @param label what the button said */
  readonly decide: (label: string, records: readonly R[], decision: D) => Promise<ReadonlySet<string>>
  readonly putAway: () => void
}

function useBulk<R extends { readonly id: string; readonly name: string }, A extends HumanTrigger>(
  bulk: BulkStore,
  stepOf: (record: R, decision: BulkDecision<A>) => Step,
): Bulk<R, BulkDecision<A>> {
  const run = useSyncExternalStore(bulk.subscribe, bulk.read)
  return {
    run,
    isRunning: run !== undefined && run.outcomes.length < run.total,
    decide(label, records, decision) {
      const wait =
        decision.action === 'priority' ? { doing: 'Giving a priority to', waitMs: 0 } : waitOf(decision.action)
      return runBulk(bulk, decisions, { label, records, wait, stepOf: (record) => stepOf(record, decision) })
    },
    putAway: () => bulk.set(undefined),
  }
}

const taskBulk = createBulkStore()
const storyBulk = createBulkStore()

export function useTaskBulk(): Bulk<Task, BulkTaskDecision> {
  return useBulk(taskBulk, (task, decision) =>
    decision.action === 'priority'
      ? simpleStep('tasks', task, () => giveTaskPriority(task, decision.priority))
      : taskStep(task, decision),
  )
}

export function useStoryBulk(): Bulk<Story, BulkStoryDecision> {
  return useBulk(storyBulk, (story, decision) => {
    if (decision.action === 'priority')
      return simpleStep('stories', story, () => giveStoryPriority(story, decision.priority))
    return decision.action === 'accept' ? storyStep(story) : simpleStep('stories', story, () => runStory(story))
  })
}

/** What compares and writes in one go. */
function simpleStep(kind: Kind, { id }: { readonly id: string }, send: () => Promise<string>): Step {
  return { key: keyOf(kind, id), check: () => Promise.resolve(), send }
}

async function giveTaskPriority(seen: Task, priority: number): Promise<string> {
  const params = { id: seen.id }
  await writeAsSeen('tasks', seen, (ifMatch) =>
    store.readOne('tasks', () => api.updateTask({ params, ifMatch, body: { priority } })),
  )
  return `its priority is ${priority}`
}

async function giveStoryPriority(seen: Story, priority: number): Promise<string> {
  const params = { id: seen.id }
  await writeAsSeen('stories', seen, (ifMatch) =>
    store.readOne('stories', () => api.updateStory({ params, ifMatch, body: { priority } })),
  )
  return `its priority is ${priority}`
}
