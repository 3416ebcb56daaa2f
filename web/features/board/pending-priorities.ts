/**
 * Priorities that a person has given and the server may not have yet: shown at once, taken back when the server refuses,
 * and dropped when the stored stories say the same.
 */
import { useSyncExternalStore } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import type { Place } from '../../../core/story/columns.ts'
import { rereadStories, storeOrder, updatePriority } from '../../api/stories.ts'
import { refuse } from '../../components/toast.tsx'
import { messageOf } from '../../model/texts.ts'
import { createWatched } from '../../model/watched.ts'
import type { Plan } from './order.ts'

const pending = createWatched<ReadonlyMap<string, number>>(new Map())

function drop(writes: readonly Place[]): void {
  const isLeft = ([id, priority]: readonly [string, number]): boolean =>
    !writes.some((write) => write.id === id && write.priority === priority)
  pending.set(new Map([...pending.read()].filter(isLeft)))
}

let lastMove = Promise.resolve()
let refusals = 0

/** Shows a move at once and stores it behind those before, whose order it builds on; the promise never rejects. */
function move(story: Story, plan: Plan): Promise<void> {
  const given = plan.writes.map(({ id, priority }): [string, number] => [id, priority])
  pending.set(new Map([...pending.read(), ...given]))
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
    refuse(`${name} stays where it was: ${messageOf(error)}`)
    // A write without an answer may be stored nevertheless.
    void rereadStories()
  }
  drop(writes)
}

export function usePendingPriorities() {
  return { pending: useSyncExternalStore(pending.subscribe, pending.read), move }
}
