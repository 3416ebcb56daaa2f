/**
 * The objects of one kind as last heard of, and the rule that nothing older replaces something newer.
 *
 * News arrives out of order: the watch lags behind what this process has just written (`observe`), and a list may be
 * older than both. `progress` is the resourceVersion up to which the server has told everything. Hence:
 * - a present object is replaced or removed only by a version newer than its own;
 * - an absent object is added by `observe` only when newer than `progress`: were it older, the server would have
 *   told of it, so its absence means that it was deleted since.
 * No tombstones are needed, save for objects that this process deleted before the server has said so (`conceal`).
 */
import { deepFreeze } from '../core/deep-freeze.ts'
import { createMultiMap } from '../core/multi-map.ts'
import { compareVersions, keyOf, keyToString } from './keys.ts'
import type { KubeObject, ObjectKey } from './types.ts'

/** What became of one object; a name that was deleted and used again is a delete and an add. */
export type Change<T> =
  | { readonly type: 'add'; readonly object: T }
  | { readonly type: 'update'; readonly object: T; readonly previous: T }
  /** `isInferred`: nobody told of the deletion, a list did not have the object. */
  | { readonly type: 'delete'; readonly previous: T; readonly isInferred?: true }

/** Both sides of an update: what an object leaves changes as well as what it joins. */
export function versionsOf<T>(change: Change<T>): readonly T[] {
  if (change.type === 'delete') return [change.previous]
  return change.type === 'update' ? [change.previous, change.object] : [change.object]
}

/** The object as it is now, or was last. */
export function subjectOf<T>(change: Change<T>): T {
  return change.type === 'delete' ? change.previous : change.object
}

/** Reads of the cache: synchronous, and every object is frozen in depth. */
export interface Lister<T> {
  get(key: ObjectKey): T | undefined
  /** In no particular order; of all namespaces unless one is given. */
  list(namespace?: string): readonly T[]
  /** Objects for which the index of that name gave `value`. @throws Error when there is no such index */
  byIndex(index: string, value: string): readonly T[]
}

/** Index values of one object; none leaves it out of the index. */
export type IndexFunction<T> = (object: T) => readonly string[]

/** Every write gives what it changed, in order; nothing when what it brought was old. */
export interface Cache<T> extends Lister<T> {
  /** From the watch: this object exists in this version. */
  put(object: T): readonly Change<T>[]
  /** From the watch: gone since the version that the object carries. */
  remove(object: T): readonly Change<T>[]
  /** Everything there is, at `version`. */
  replaceAll(objects: readonly T[], version: string): readonly Change<T>[]
  /** The server has told everything up to `version`. */
  advance(version: string): void
  /** What this process has just written or read. */
  observe(object: T): readonly Change<T>[]
  /** This process deleted the object: hidden at once, until the server says that it is gone, or lists it again. */
  conceal(object: T): readonly Change<T>[]
}

/** An empty cache; `indexes` are kept up to date with every change. */
export function createCache<T extends KubeObject>(indexes: Readonly<Record<string, IndexFunction<T>>>): Cache<T> {
  const objects = new Map<string, T>()
  const index = createIndex(indexes)
  const concealed = new Set<string>()
  let progress = ''

  const set = (key: string, next: T | undefined): readonly Change<T>[] => {
    const previous = objects.get(key)
    if (previous !== undefined) index.remove(key, previous)
    if (next === undefined) objects.delete(key)
    else {
      deepFreeze(next)
      objects.set(key, next)
      index.add(key, next)
    }
    return toChanges(previous, next)
  }
  const putIfNewer = (object: T): readonly Change<T>[] => {
    const key = keyToString(keyOf(object))
    const current = objects.get(key)
    if (isConcealed(object) || (current && !isNewer(object, current))) return []
    return set(key, object)
  }
  const isConcealed = (object: T): boolean => concealed.has(object.metadata.uid ?? '')

  return {
    get: (key) => objects.get(keyToString(key)),
    list(namespace) {
      const all = [...objects.values()]
      return namespace === undefined ? all : all.filter((object) => object.metadata.namespace === namespace)
    },
    byIndex: (name, value) =>
      index.keys(name, value).flatMap((key) => {
        const object = objects.get(key)
        return object === undefined ? [] : [object]
      }),
    put: putIfNewer,
    remove(object) {
      concealed.delete(object.metadata.uid ?? '')
      const key = keyToString(keyOf(object))
      const current = objects.get(key)
      return current && !isNewer(current, object) ? set(key, undefined) : []
    },
    replaceAll(listed, version) {
      // A store restored from a backup counts from a lower version again: nothing we hold can be compared with it.
      const rewound = compareVersions(version, progress) < 0
      concealed.clear()
      progress = version
      const present = new Map(listed.map((object) => [keyToString(keyOf(object)), object]))
      const gone = [...objects].filter(
        ([key, object]) => !present.has(key) && (rewound || compareVersions(versionOf(object), version) <= 0),
      )
      return [
        ...gone.map(([key, previous]): Change<T> => {
          set(key, undefined)
          return { type: 'delete', previous, isInferred: true }
        }),
        ...[...present].flatMap(([key, object]) => (rewound ? set(key, object) : putIfNewer(object))),
      ]
    },
    advance(version) {
      if (compareVersions(version, progress) > 0) progress = version
    },
    observe(object) {
      const known = objects.has(keyToString(keyOf(object)))
      return known || compareVersions(versionOf(object), progress) > 0 ? putIfNewer(object) : []
    },
    conceal(object) {
      const key = keyToString(keyOf(object))
      if (objects.get(key)?.metadata.uid !== object.metadata.uid) return []
      if (object.metadata.uid !== undefined) concealed.add(object.metadata.uid)
      return set(key, undefined)
    },
  }
}

/** What the change from one version of a name to another is; undefined: nothing of that name. */
export function toChanges<T extends KubeObject>(previous: T | undefined, object: T | undefined): readonly Change<T>[] {
  if (previous === undefined) return object === undefined ? [] : [{ type: 'add', object }]
  if (object === undefined) return [{ type: 'delete', previous }]
  if (previous.metadata.uid === object.metadata.uid) return [{ type: 'update', object, previous }]
  return [
    { type: 'delete', previous },
    { type: 'add', object },
  ]
}

function isNewer(object: KubeObject, than: KubeObject): boolean {
  return compareVersions(versionOf(object), versionOf(than)) > 0
}

function versionOf(object: KubeObject): string {
  return object.metadata.resourceVersion ?? ''
}

/** Index name → value → keys of the objects that have it. */
function createIndex<T>(functions: Readonly<Record<string, IndexFunction<T>>>) {
  const entries = new Map(
    Object.entries(functions).map(([name, of]) => [name, { of, keys: createMultiMap<string, string>() }]),
  )
  return {
    add(key: string, object: T): void {
      for (const { of, keys } of entries.values()) for (const value of of(object)) keys.add(value, key)
    },
    remove(key: string, object: T): void {
      for (const { of, keys } of entries.values()) for (const value of of(object)) keys.delete(value, key)
    },
    keys(name: string, value: string): readonly string[] {
      const entry = entries.get(name)
      if (!entry) throw new Error(`the informer has no index "${name}"`)
      return [...entry.keys.get(value)]
    },
  }
}
