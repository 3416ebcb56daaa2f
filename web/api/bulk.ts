/**
 * One decision about many records. Each is sent by itself as a decision about what the person saw, so a record that has
 * changed meanwhile is refused and the others are not. Accepting can be taken back for all of them at once. What became
 * of each is kept until the person has read it, also where they have left the view.
 */
import { useSyncExternalStore } from 'react'
import type { Story, Task } from '../../core/rest/client/client.ts'
import { countOf } from '../../core/sentences/amounts.ts'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import type { BulkDecision, BulkOutcome, BulkRun } from '../model/bulk.ts'
import { api } from './client.ts'
import { type Step, decisions, keyOf, readAsSeen, storyStep, taskStep, waitOf } from './decisions.ts'
import type { Kind } from './fold.ts'
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

interface Many<R> {
  readonly label: string
  readonly records: readonly R[]
  readonly stepOf: (record: R) => Step
  readonly wait: ReturnType<typeof waitOf>
}

/** Decides about each record, and gives the ids of those where it was done; none if it was taken back. Never rejects. */
async function runAll<R extends { readonly id: string; readonly name: string }>(
  bulk: BulkStore,
  { label, records, stepOf, wait }: Many<R>,
): Promise<ReadonlySet<string>> {
  const steps = records.map((record) => ({ ...stepOf(record), record }))
  let outcomes: readonly BulkOutcome[] = []
  const tell = (added: readonly BulkOutcome[]): void => {
    outcomes = [...outcomes, ...added]
    bulk.set({ label, total: records.length, outcomes })
  }
  tell([])
  try {
    const sent = await decisions.take({
      ...wait,
      what: countOf(records.length, 'record'),
      keys: steps.map(({ key }) => key),
      async check() {
        const kept: string[] = []
        await forEach(steps, AT_ONCE, async ({ key, check, record }) => {
          const refusal = await check().then(() => undefined, wordsOf)
          if (refusal === undefined) kept.push(key)
          else tell([{ id: record.id, name: record.name, isDone: false, message: refusal }])
        })
        return kept
      },
      async send(keys, isLeaving) {
        const left = steps.filter(({ key }) => keys.includes(key))
        await forEach(left, isLeaving ? left.length : AT_ONCE, async ({ send, record: { id, name } }) => {
          const outcome = await send().then(
            (message) => ({ isDone: true, message }),
            (error: unknown) => ({ isDone: false, message: wordsOf(error) }),
          )
          tell([{ id, name, ...outcome }])
        })
        return true
      },
    })
    if (sent === undefined) bulk.set(undefined)
  } catch (error) {
    tell(records.map(({ id, name }) => ({ id, name, isDone: false, message: wordsOf(error) })))
  }
  return new Set(outcomes.filter(({ isDone }) => isDone).map(({ id }) => id))
}

/** Does something with each value, some at a time. */
async function forEach<V>(values: readonly V[], atOnce: number, act: (value: V) => Promise<void>): Promise<void> {
  const queue = [...values]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await act(next)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

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
      return runAll(bulk, { label, records, wait, stepOf: (record) => stepOf(record, decision) })
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
