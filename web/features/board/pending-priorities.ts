/**
 * Priorities that a person has given and the server may not have yet: shown at once, taken back when the server refuses,
 * and dropped when the stored stories say the same.
 */
import { useSyncExternalStore } from 'react'
import type { Story } from '../../../core/rest/client/client.ts'
import { rereadStories, updatePriority } from '../../api/stories.ts'
import { refuse } from '../../components/toast.tsx'
import type { PriorityWrite } from './order.ts'
import { refusalWords, storeOrder } from './store-order.ts'

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

/** Shows the writes at once and stores them; the returned promise never rejects. */
async function move(story: Story, writes: readonly PriorityWrite[]): Promise<void> {
  setPending(new Map([...pending, ...writes.map(({ id, priority }): [string, number] => [id, priority])]))
  const outcome = await storeOrder(writes, ({ id, priority }) => updatePriority(id, priority))
  drop(writes)
  const words = refusalWords(story.name, writes.length, outcome)
  if (words === undefined) return
  refuse(words)
  // A write without an answer may be stored nevertheless.
  rereadStories()
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
