/** Storing a new order, story by story: what became of it. */
import type { PriorityWrite } from './order.ts'

/** At most so many writes of one renumbering at a time: the server has others to answer. */
const AT_ONCE = 6

export interface StoredOrder {
  readonly stored: number
  /** Why it ended; undefined: all of it is stored. */
  readonly refusal: string | undefined
}

/**
 * Stores each write; after the first refusal no further one is begun, and those under way are waited for. Never rejects.
 *
 * The last place is written first: stories without a place of their own have 0 and stand before all others, so what is
 * not written stays before what is, also where only a part could be stored.
 */
export async function storeOrder(
  writes: readonly PriorityWrite[],
  write: (write: PriorityWrite) => Promise<void>,
): Promise<StoredOrder> {
  const queue = writes.toReversed()
  let stored = 0
  let refusal: string | undefined
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined && refusal === undefined; next = queue.shift())
      try {
        await write(next)
        stored += 1
      } catch (error) {
        refusal ??= error instanceof Error ? error.message : String(error)
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { stored, refusal }
}

/** What a person is told of an order that was not stored whole; undefined: it was. */
export function refusalWords(name: string, places: number, { stored, refusal }: StoredOrder): string | undefined {
  if (refusal === undefined) return undefined
  return stored === 0
    ? `${name} stays where it was: ${refusal}`
    : `Only ${stored} of ${places} places of the new order are stored: ${refusal}. The board shows what is stored; move ${name} again.`
}
