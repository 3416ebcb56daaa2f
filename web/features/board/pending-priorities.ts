/**
 * Priorities that a person has given and the server may not have yet: shown at once, taken back when the server refuses,
 * and dropped when the stored stories say the same.
 */
import { useSyncExternalStore } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import { updatePriority } from '../../api/stories.ts'
import { refuse } from '../../components/toast.tsx'
import type { PriorityWrite } from './order.ts'

const NONE: ReadonlyMap<string, number> = new Map()
let pending = NONE
const listeners = new Set<() => void>()

function setPending(next: ReadonlyMap<string, number>): void {
  pending = next
  for (const listener of listeners) listener()
}

function drop(writes: readonly PriorityWrite[]): void {
  const left = [...pending].filter(([id, priority]) => !writes.some((w) => w.id === id && w.priority === priority))
  setPending(new Map(left))
}

/** At most so many writes of one renumbering at a time: the server has others to answer. */
const AT_ONCE = 6

async function storeAll(writes: readonly PriorityWrite[]): Promise<void> {
  const queue = [...writes]
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await updatePriority(next.id, next.priority)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Shows the writes at once and stores them; the returned promise never rejects. */
async function move(story: Story, writes: readonly PriorityWrite[]): Promise<void> {
  setPending(new Map([...pending, ...writes.map(({ id, priority }): [string, number] => [id, priority])]))
  try {
    await storeAll(writes)
  } catch (error) {
    refuse(`${story.name} stays where it was: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    drop(writes)
  }
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
