/** Which work comes next for a person who reviews. Pure. */
import type { Task } from '../../core/rest/client/client.ts'
import { type Attention, taskItems } from './attention.ts'

/**
 * The task to review after this one: the next that waits, oldest first, and after the last the first again.
 *
 * @param current it may have been decided already
 * @param isLeftOut such as what was put away, or is being decided
 * @returns undefined where no other waits
 */
export function nextReview(
  tasks: readonly Task[],
  current: Pick<Task, 'id' | 'finished_at' | 'updated_at'>,
  isLeftOut: (item: Attention) => boolean,
): string | undefined {
  const waiting = tasks
    .flatMap(taskItems)
    .filter((item) => item.group === 'review' && item.id !== current.id && !isLeftOut(item))
    .sort(compare)
  const here = { id: current.id, sinceMs: Date.parse(current.finished_at ?? current.updated_at) }
  return (waiting.find((item) => compare(item, here) > 0) ?? waiting[0])?.id
}

type Place = Pick<Attention, 'id' | 'sinceMs'>

/** As the inbox has them. */
function compare(a: Place, b: Place): number {
  return a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1)
}
