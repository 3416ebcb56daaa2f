/**
 * One decision about many records, from the press to what became of each: pure but for what it is given. Each record is
 * checked and sent by itself, so one that has changed meanwhile is refused and the others are not. A decision that was
 * taken back says nothing more, though checks of it may still be on their way.
 */
import { countOf } from '../../core/sentences/amounts.ts'
import type { BulkOutcome, BulkRun } from '../model/bulk.ts'
import { messageOf } from '../model/texts.ts'
import { type Watched, createWatched } from '../model/watched.ts'
import type { HeldDecisions, Plan, Step } from './held-decisions.ts'

/** So many at a time: the server has others to answer. */
const AT_ONCE = 4

export type BulkStore = Watched<BulkRun | undefined>

export function createBulkStore(): BulkStore {
  return createWatched<BulkRun | undefined>(undefined)
}

interface Many<R> {
  readonly label: string
  readonly records: readonly R[]
  readonly stepOf: (record: R) => Step
  readonly wait: Pick<Plan<unknown>, 'doing' | 'waitMs'>
}

/** Decides about each record, and gives the ids of those where it was done; none if it was taken back. Never rejects. */
export async function runBulk<R extends { readonly id: string; readonly name: string }>(
  bulk: BulkStore,
  decisions: Pick<HeldDecisions, 'take'>,
  { label, records, stepOf, wait }: Many<R>,
): Promise<ReadonlySet<string>> {
  const steps = records.map((record) => ({ ...stepOf(record), record }))
  let outcomes: readonly BulkOutcome[] = []
  let isOver = false
  const tell = (added: readonly BulkOutcome[]): void => {
    outcomes = [...outcomes, ...added]
    if (!isOver) bulk.set({ label, total: records.length, outcomes })
  }
  tell([])
  const refuseRest = (error: unknown): void => {
    const rest = records.filter(({ id }) => outcomes.every((outcome) => outcome.id !== id))
    tell(rest.map(({ id, name }) => ({ id, name, isDone: false, message: messageOf(error) })))
  }
  const sent = await decisions
    .take({
      ...wait,
      what: countOf(records.length, 'record'),
      keys: steps.map(({ key }) => key),
      async check() {
        const kept: string[] = []
        await forEach(steps, AT_ONCE, async ({ key, check, record: { id, name } }) => {
          const refusal = await check().then(() => undefined, messageOf)
          if (refusal === undefined) kept.push(key)
          else tell([{ id, name, isDone: false, message: refusal }])
        })
        return kept
      },
      async send(keys, isLeaving) {
        const left = steps.filter(({ key }) => keys.includes(key))
        await forEach(left, isLeaving ? left.length : AT_ONCE, async ({ send, record: { id, name } }) => {
          const outcome = await send().then(
            (message) => ({ isDone: true, message }),
            (error: unknown) => ({ isDone: false, message: messageOf(error) }),
          )
          tell([{ id, name, ...outcome }])
        })
        return true
      },
    })
    .catch((error: unknown) => {
      refuseRest(error)
      return true
    })
  isOver = true
  // Records that a later decision took over have no outcome here.
  bulk.set(sent === undefined ? undefined : { label, total: outcomes.length, outcomes })
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
