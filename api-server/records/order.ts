import { STORY_STATUS_VALUES } from '../../core/crd/enums.ts'
import type { Story, StoryEvent, Task } from '../../core/crd/types.ts'
import { ANNOTATIONS } from '../../core/names.ts'
import { storyStatus } from '../../core/story/status.ts'
import type { KubeObject } from '../../kube/types.ts'
import type { RecordCache } from '../cache/record-cache.ts'

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

/**
 * By time of creation, then by name. The control plane knows the second; within it comes first what REST made last, and
 * last what was made otherwise.
 */
export const NEWEST_FIRST: Order<KubeObject> = {
  shape: ['string', 'string'],
  position: ({ metadata }) => [`${metadata.creationTimestamp ?? ''}${createdAt(metadata)}`, metadata.name],
  compare: (a, b) => compareInTurn(b, a),
}

/** Longer is no instant of ours, and would make a cursor long. */
const INSTANT_LENGTH = 27

function createdAt({ annotations }: KubeObject['metadata']): string {
  return annotations?.[ANNOTATIONS.createdAt]?.slice(0, INSTANT_LENGTH) ?? ''
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

/** Events of a story: ids that the server makes sort by time within a second too. */
export const LATEST_FIRST: Order<StoryEvent> = {
  shape: ['string', 'string'],
  position: ({ spec, metadata }) => [spec.at, metadata.name],
  compare: (a, b) => compareInTurn(b, a),
}

/** Files by name, in the order of its UTF-16 code units. */
export const BY_NAME: Order<{ readonly name: string }> = {
  shape: ['string'],
  position: ({ name }) => [name],
  compare: compareInTurn,
}

/** Files by the time of their last change, latest first, then by name. */
export const LATEST_CHANGE_FIRST: Order<{ readonly name: string; readonly modified_at: string }> = {
  shape: ['string', 'string'],
  position: ({ name, modified_at }) => [modified_at, name],
  compare: (a, b) => compareInTurn(b.slice(0, 1), a.slice(0, 1)) || compareInTurn(a.slice(1), b.slice(1)),
}

/** Paths, in the order of their UTF-16 code units. */
export const BY_PATH: Order<string> = { shape: ['string'], position: (path) => [path], compare: compareInTurn }

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

export function sortBy<T>(order: Order<NoInfer<T>>, objects: readonly T[]): T[] {
  const placed = objects.map((object) => ({ object, at: order.position(object) }))
  return placed.sort((a, b) => order.compare(a.at, b.at)).map(({ object }) => object)
}

/**
 * Tasks so that each comes behind those it depends on, as far as they are among them; else oldest first. Members of a
 * circle come last, in order of age.
 */
export function chainOrder(tasks: readonly Task[]): Task[] {
  return sortBy(orderOfChain(tasks), tasks)
}

/** The order of {@link chainOrder}: a task's place is how many of `tasks` must come one after another before it. */
export function orderOfChain(tasks: readonly Task[]): Order<Task> {
  const depths = findDepths(tasks)
  return {
    shape: ['number', 'string', 'string'],
    position: (task) => [depths.get(task.metadata.name) ?? 0, ...NEWEST_FIRST.position(task)],
    compare: compareInTurn,
  }
}

function findDepths(tasks: readonly Task[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  let open = [...tasks]
  for (let depth = 0; open.length > 0; depth++) {
    const waiting = new Set(open.map(({ metadata }) => metadata.name))
    const isBlocked = ({ spec }: Task): boolean => (spec.dependsOn ?? []).some((name) => waiting.has(name))
    const free = open.filter((task) => !isBlocked(task))
    const next = free.length === 0 ? open : free
    for (const { metadata } of next) depths.set(metadata.name, depth)
    open = free.length === 0 ? [] : open.filter(isBlocked)
  }
  return depths
}

function compareInTurn(a: Position, b: Position): number {
  for (let i = 0; i < a.length; i++) {
    const [value = '', other = ''] = [a[i], b[i]]
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}
