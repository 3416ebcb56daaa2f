/**
 * Priorities that a person has given and the server may not have yet: shown at once, taken back when the server refuses,
 * and dropped when the stored stories say the same.
 */
import { useSyncExternalStore } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import type { Place } from '../../../core/story/columns.ts'
import { rereadStories, storeOrder, updatePriority } from '../../api/stories.ts'
import { refuse } from '../../components/toast.tsx'
import type { Plan } from './order.ts'

const NONE: ReadonlyMap<string, number> = new Map()
let pending = NONE
const listeners = new Set<() => void>()

function setPending(next: ReadonlyMap<string, number>): void {
  pending = next
  for (const listener of listeners) listener()
}

function drop(writes: readonly Place[]): void {
  const left = [...pending].filter(([id, priority]) => !writes.some((w) => w.id === id && w.priority === priority))
  setPending(new Map(left))
}

let lastMove = Promise.resolve()
let refusals = 0

/** Shows a move at once and stores it behind those before, whose order it builds on; the promise never rejects. */
function move(story: Story, plan: Plan): Promise<void> {
  setPending(new Map([...pending, ...plan.writes.map(({ id, priority }): [string, number] => [id, priority])]))
  const before = refusals
  lastMove = lastMove.then(() => storeMove(story, plan, refusals > before))
  return lastMove
}

/** @param isVoid true: a move before it was refused, so that its places are not those that the person saw */
async function storeMove({ name }: Story, { writes, order }: Plan, isVoid: boolean): Promise<void> {
  const [write, ...more] = writes
  try {
    if (isVoid) throw new Error('the move before it was refused')
    if (more.length > 0) await storeOrder(order)
    else if (write !== undefined) await updatePriority(write.id, write.priority)
  } catch (error) {
    refusals += 1
    refuse(`${name} stays where it was: ${error instanceof Error ? error.message : String(error)}`)
    // A write without an answer may be stored nevertheless.
    void rereadStories()
  }
  drop(writes)
}

export function usePendingPriorities() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending,
  )
  return { pending: shown, move }
}
