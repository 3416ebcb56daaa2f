/**
 * The order of stories in a column, and what is written when a person changes it.
 *
 * Priorities are integers, lower first, and 0 where nobody gave one; equal ones stand newest first, as the server lists
 * them. So the first move in a column gives every story in it a priority of its own, with gaps, in one request, and each
 * later move writes one story: a priority between those of its new neighbours. When a gap is used up the column is
 * numbered anew.
 */
import type { Story } from '../../../core/rest/client/client.ts'
import { type Place, numberPlaces, PLACE_GAP } from '../../../core/story/columns.ts'

/** The fields that a story's place depends on. */
export type Placed = Pick<Story, 'id' | 'priority' | 'created_at'>

/** What makes a column stand in its new order. */
export interface Plan {
  /** The stories whose priority changes; more than one: the column is numbered. */
  readonly writes: readonly Place[]
  /** The column as it then stands. */
  readonly order: readonly string[]
}

/** Priorities are 32-bit integers (specification §3.11). */
const LIMIT = 2 ** 31 - 1

/** By priority, then newest first: as GET /api/stories orders the stories of one status. */
export function comparePlaces(a: Placed, b: Placed): number {
  if (a.priority !== b.priority) return a.priority - b.priority
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

/** Where a story is to go: directly before or behind another story of its column. */
export type Target = { readonly before: string } | { readonly after: string }

/** The column's ids after the move; unchanged where the target is not among the others. */
export function moveTo(ids: readonly string[], moved: string, target: Target): readonly string[] {
  const others = ids.filter((id) => id !== moved)
  const beside = others.indexOf('before' in target ? target.before : target.after)
  if (beside === -1) return ids
  return others.toSpliced('before' in target ? beside : beside + 1, 0, moved)
}

/**
 * What to write so that the column stands in its new order.
 *
 * @param column all stories of it, in any order, also those that a filter hides
 */
export function planMove(column: readonly Placed[], moved: string, target: Target): Plan {
  const sorted = column.toSorted(comparePlaces)
  const before = sorted.map(({ id }) => id)
  const order = moveTo(before, moved, target)
  if (order.every((id, index) => id === before[index])) return { writes: [], order }
  const priorities = new Map(column.map(({ id, priority }) => [id, priority]))
  const between = isNumbered(sorted) ? findBetween(order, moved, priorities) : undefined
  const places = between === undefined ? numberPlaces(order) : [{ id: moved, priority: between }]
  return { writes: places.filter(({ id, priority }) => priorities.get(id) !== priority), order }
}

/** Whether every story has a place of its own, so that one more can be put between two. */
function isNumbered(sorted: readonly Placed[]): boolean {
  return sorted.every(({ priority }, index) => index === 0 || priority > (sorted[index - 1]?.priority ?? priority))
}

/** An integer between the neighbours' priorities; undefined where there is none. */
function findBetween(
  after: readonly string[],
  moved: string,
  priorities: ReadonlyMap<string, number>,
): number | undefined {
  const index = after.indexOf(moved)
  const low = priorities.get(after[index - 1] ?? '')
  const high = priorities.get(after[index + 1] ?? '')
  if (low === undefined && high === undefined) return undefined
  const wanted =
    low === undefined
      ? (high ?? 0) - PLACE_GAP
      : high === undefined
        ? low + PLACE_GAP
        : Math.floor(low + (high - low) / 2)
  const isBetween = (low === undefined || wanted > low) && (high === undefined || wanted < high)
  return isBetween && Math.abs(wanted) <= LIMIT ? wanted : undefined
}

/**
 * The stories with priorities that are not stored yet, as the page shows them until they are.
 *
 * @param made those of earlier calls, each by the story that it was made of: one with the same priority is given again
 */
export function withPriorities<S extends Placed>(
  stories: readonly S[],
  pending: ReadonlyMap<string, number>,
  made = new WeakMap<S, S>(),
): readonly S[] {
  if (pending.size === 0) return stories
  return stories.map((story) => {
    const priority = pending.get(story.id)
    if (priority === undefined || priority === story.priority) return story
    const known = made.get(story)
    if (known?.priority === priority) return known
    const placed = { ...story, priority }
    made.set(story, placed)
    return placed
  })
}
