import { STORY_STATUS_VALUES } from '../core/crd/enums.ts'
import type { Story, Task } from '../core/crd/types.ts'
import { storyStatus } from '../core/story/status.ts'
import type { KubeObject } from '../kube/types.ts'
import type { RecordCache } from './caches.ts'

/** Where a record stands in a list, in values that a cursor can carry. */
export type Position = readonly (string | number)[]

/** An order of a list: total, so that a cursor that names a position names one place in the list. */
export interface Order<T> {
  /** Types of a position's values. */
  readonly shape: readonly ('string' | 'number')[]
  position(object: T): Position
  /** As sort wants it. */
  compare(a: Position, b: Position): number
}

/** By time of creation, then by name: ids that the server makes sort by time within a second too. */
export const NEWEST_FIRST: Order<KubeObject> = {
  shape: ['string', 'string'],
  position: ({ metadata }) => [metadata.creationTimestamp ?? '', metadata.name],
  compare: (a, b) => compareInTurn(b, a),
}

/** By status in the order of the enum, which is the board's, then by priority, then newest first. */
export const BOARD_ORDER: Order<Story> = {
  shape: ['number', 'number', 'string', 'string'],
  position: (story) => [
    STORY_STATUS_VALUES.indexOf(storyStatus(story)),
    story.spec.priority ?? 0,
    ...NEWEST_FIRST.position(story),
  ],
  compare: (a, b) => compareInTurn(a.slice(0, 2), b.slice(0, 2)) || NEWEST_FIRST.compare(a.slice(2), b.slice(2)),
}

/** The records of a cache in an order; sorted again only when the cache has changed. */
export function sortedBy<T extends KubeObject>(order: Order<T>, cache: RecordCache<T>): () => readonly T[] {
  let revision = -1
  let sorted: readonly T[] = []
  return () => {
    if (revision !== cache.revision()) {
      revision = cache.revision()
      sorted = sortBy(order, cache.list())
    }
    return sorted
  }
}

/** The records of a cache, newest first. */
export function newestFirst<T extends KubeObject>(cache: RecordCache<T>): () => readonly T[] {
  return sortedBy<T>(NEWEST_FIRST, cache)
}

export function sortNewestFirst<T extends KubeObject>(objects: readonly T[]): T[] {
  return sortBy<T>(NEWEST_FIRST, objects)
}

export function sortBy<T>(order: Order<T>, objects: readonly T[]): T[] {
  const placed = objects.map((object) => ({ object, at: order.position(object) }))
  return placed.sort((a, b) => order.compare(a.at, b.at)).map(({ object }) => object)
}

/**
 * Tasks so that each comes behind those it depends on, as far as they are among them; else oldest first. Members of a
 * circle come last, in order of age.
 */
export function chainOrder(tasks: readonly Task[]): Task[] {
  let open = sortNewestFirst(tasks).toReversed()
  const ordered: Task[] = []
  while (open.length > 0) {
    const waiting = new Set(open.map(({ metadata }) => metadata.name))
    const next = open.filter(({ spec }) => !(spec.dependsOn ?? []).some((name) => waiting.has(name)))
    if (next.length === 0) return [...ordered, ...open]
    ordered.push(...next)
    open = open.filter((task) => !next.includes(task))
  }
  return ordered
}

function compareInTurn(a: Position, b: Position): number {
  for (let i = 0; i < a.length; i++) {
    const [value = '', other = ''] = [a[i], b[i]]
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}
