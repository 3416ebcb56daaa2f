import { type Change, type Entry, RevisionCompacted } from './backend.ts'

export interface HistoryLimits {
  readonly changes: number
  /** Characters of all values together, those that they replaced included. */
  readonly size: number
}

/** Five minutes of a task a second; who lags behind further lists again. */
export const DEFAULT_LIMITS: HistoryLimits = { changes: 4000, size: 8 * 1024 * 1024 }

/**
 * The latest changes, oldest first: what watches replay, and what older states are rebuilt from.
 *
 * A state in the past is the present with the later changes undone, so no second copy of the objects exists.
 */
export interface History {
  readonly compactedRevision: number
  add(change: Change): void
  /** Takes back all changes after `revision`: they did not come about. */
  dropAfter(revision: number): void
  /** Drops the oldest changes beyond the limits, never one after `durable`. */
  compact(durable: number): void
  /** The newest change of a key that is still kept. */
  last(key: string): Change | undefined
  /** From `revision` (exclusive) to `until` (inclusive). @throws RevisionCompacted */
  between(revision: number, until: number): readonly Change[]
  /** What the keys below `prefix` that changed after `revision` held then. @throws RevisionCompacted */
  undo(revision: number, prefix: string): Map<string, Entry | undefined>
}

export function makeHistory(startRevision: number, limits: HistoryLimits): History {
  let changes: Change[] = []
  // Dropped changes stay in front until they are a quarter of the array, so that dropping is cheap.
  let head = 0
  let size = 0
  let compactedRevision = startRevision
  const newest = new Map<string, Change>()

  const indexAfter = (revision: number): number => {
    if (revision < compactedRevision) throw new RevisionCompacted(revision, compactedRevision)
    let low = head
    let high = changes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((changes[middle]?.revision ?? 0) > revision) high = middle
      else low = middle + 1
    }
    return low
  }
  const dropOldest = (change: Change): void => {
    head += 1
    size -= sizeOf(change)
    compactedRevision = change.revision
    if (newest.get(change.key) === change) newest.delete(change.key)
  }

  return {
    get compactedRevision() {
      return compactedRevision
    },
    add(change) {
      changes.push(change)
      size += sizeOf(change)
      newest.set(change.key, change)
    },
    dropAfter(revision) {
      for (let last = changes.at(-1); last !== undefined && last.revision > revision; last = changes.at(-1)) {
        changes.pop()
        size -= sizeOf(last)
        // An older change of the key need not be found again: what is durable is in the store.
        newest.delete(last.key)
      }
    },
    compact(durable) {
      while (changes.length - head > limits.changes || size > limits.size) {
        const oldest = changes[head]
        if (oldest === undefined || oldest.revision > durable) break
        dropOldest(oldest)
      }
      if (head > changes.length / 4) {
        changes = changes.slice(head)
        head = 0
      }
    },
    last: (key) => newest.get(key),
    between: (revision, until) => changes.slice(indexAfter(revision), Math.max(indexAfter(until), head)),
    undo(revision, prefix) {
      const before = new Map<string, Entry | undefined>()
      for (let i = indexAfter(revision); i < changes.length; i += 1) {
        const change = changes[i]
        if (change?.key.startsWith(prefix) === true && !before.has(change.key)) before.set(change.key, change.previous)
      }
      return before
    },
  }
}

function sizeOf({ value, previous }: Change): number {
  return value.length + (previous?.value.length ?? 0)
}
