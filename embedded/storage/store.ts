import {
  type Change,
  type Engine,
  type Entry,
  type RangeQuery,
  type Store,
  type Write,
  endOfPrefix,
  RevisionMismatch,
} from './backend.ts'
import { makeCommitter } from './committer.ts'
import { type HistoryLimits, DEFAULT_LIMITS, makeHistory } from './history.ts'

/** Lays revisions, snapshots and history over an engine; see backend.ts for what it promises. */
export function openStore(engine: Engine, limits: HistoryLimits = DEFAULT_LIMITS): Store {
  const history = makeHistory(engine.revision, limits)
  const listeners = new Set<() => void>()
  let assigned = engine.revision
  let durable = engine.revision

  const latest = (key: string): Entry | undefined => {
    const change = history.last(key)
    if (change === undefined) return decode(key, engine.get(key))
    // Not the change itself: it knows its own predecessor, and a chain of those would never be freed.
    return change.type === 'remove' ? undefined : { key, revision: change.revision, value: change.value }
  }

  const stage = (write: Write): Change => {
    const previous = latest(write.key)
    assigned += 1
    const { type, key } = write
    const change: Change = { type, key, revision: assigned, value: write.render(assigned), previous }
    history.add(change)
    return change
  }

  const moveTo = (revision: number): void => {
    if (revision === durable) return
    durable = revision
    // They read what is new from the history, so it forgets only afterwards: one commit may be more than it keeps.
    for (const listener of listeners) listener()
    history.compact(durable)
  }

  const committer = makeCommitter(engine, {
    done: moveTo,
    failed() {
      // What was staged meanwhile may build on what was lost, and goes with it: see makeCommitter.
      history.dropAfter(engine.revision)
      assigned = engine.revision
      moveTo(engine.revision)
    },
  })

  return {
    get revision() {
      return durable
    },
    get compactedRevision() {
      return history.compactedRevision
    },
    get(key) {
      if (assigned === durable) return decode(key, engine.get(key))
      const undone = history.undo(durable, key)
      return undone.has(key) ? undone.get(key) : decode(key, engine.get(key))
    },
    latest,
    range: (query) => rangeAt(engine, history.undo(query.revision ?? durable, query.prefix), query),
    count: (prefix, after) => engine.count(after === undefined ? prefix : `${after}\0`, endOfPrefix(prefix)),
    async write(writes) {
      for (const { key, expected } of writes) {
        const actual = latest(key)?.revision ?? 0
        if (actual !== expected) throw new RevisionMismatch(key, expected, actual)
      }
      const changes = writes.map(stage)
      await committer.commit(assigned, changes.map(encode))
      return changes
    },
    flushed: committer.flushed,
    problem: () => engine.problem(),
    changesAfter: (revision) => history.between(Math.min(revision, durable), durable),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await committer.idle()
      await engine.close()
    },
  }
}

/** Merges what the engine holds with what later changes replaced or removed. */
function rangeAt(engine: Engine, undone: Map<string, Entry | undefined>, query: RangeQuery): Entry[] {
  const { prefix, after, limit = Infinity } = query
  const start = after === undefined ? prefix : `${after}\0`
  const restored = [...undone.values()].filter((entry) => entry !== undefined && entry.key >= start)
  const missing = restored.filter((entry) => entry !== undefined).sort((a, b) => (a.key < b.key ? -1 : 1))
  const entries: Entry[] = []
  let next = 0
  const takeMissingBefore = (key: string | undefined): void => {
    for (let entry = missing[next]; entry !== undefined && entries.length < limit; entry = missing[next]) {
      if (key !== undefined && entry.key > key) return
      entries.push(entry)
      next += 1
    }
  }
  for (const { key, value } of engine.range(start, endOfPrefix(prefix))) {
    takeMissingBefore(key)
    if (entries.length >= limit) return entries
    if (!undone.has(key)) entries.push(decodeEntry(key, value))
  }
  takeMissingBefore(undefined)
  return entries
}

function encode({ type, key, revision, value }: Change): { key: string; value: string | undefined } {
  return { key, value: type === 'remove' ? undefined : `${revision} ${value}` }
}

function decode(key: string, stored: string | undefined): Entry | undefined {
  return stored === undefined ? undefined : decodeEntry(key, stored)
}

function decodeEntry(key: string, stored: string): Entry {
  const space = stored.indexOf(' ')
  return { key, revision: Number(stored.slice(0, space)), value: stored.slice(space + 1) }
}
