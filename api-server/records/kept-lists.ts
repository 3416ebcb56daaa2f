import type { Readership } from '../auth/audience.ts'
import { type Representation, joinRepresentations, shortHash } from './representation.ts'

/**
 * Keeps the list asked for last, of each readership: a board that everybody looks at is made once. Megabytes, so the next
 * collection may have it. It is made again for another list of objects, and at another moment.
 */
export function createKeptLists<R>() {
  const lists = new Map<
    Readership,
    WeakRef<{ objects: readonly object[]; moment: string; text: Representation<R[]> }>
  >()
  return (readers: Readership, objects: readonly object[], moment: string, make: () => Representation<R[]>) => {
    const last = lists.get(readers)?.deref()
    if (last?.objects === objects && last.moment === moment) return last.text
    const text = make()
    lists.set(readers, new WeakRef({ objects, moment, text }))
    return text
  }
}

/** A list whose entity tag covers those of all its parts. */
export function joinTagged<R>(parts: readonly Representation<R>[]): Representation<R[]> {
  return joinRepresentations(parts, `"${shortHash(parts.map(({ etag }) => etag).join())}"`)
}
