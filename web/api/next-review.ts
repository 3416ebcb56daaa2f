import type { Task } from '../../core/rest/client/client.ts'
import { nextReview } from '../model/next-review.ts'
import { keyOf } from './decisions.ts'
import { usePutAway } from './put-away.ts'
import { useListSummary } from './queries.ts'
import { recordsOf } from './table.ts'
import { useAllDeciding } from './use-decision.ts'

/** The task that this person reviews after this one; undefined where no other waits. */
export function useNextReview(task: Task): string | undefined {
  const { isAway } = usePutAway()
  const deciding = new Set(useAllDeciding().flatMap(({ keys }) => keys))
  const next = useListSummary('tasks', (table) => {
    const isLeftOut = (item: Parameters<typeof isAway>[0]): boolean =>
      isAway(item) || deciding.has(keyOf('tasks', item.id))
    return nextReview(recordsOf(table), task, isLeftOut) ?? NONE
  })
  return next === NONE || next === 'failed' ? undefined : next
}

/** No id. */
const NONE = ''
