/** Several values per key; a key without values is as good as not there. */
export interface MultiMap<K, V> {
  add(key: K, value: V): void
  delete(key: K, value: V): void
  /** In the order in which they were added; must not be kept while values are added or deleted. */
  get(key: K): ReadonlySet<V>
}

export function createMultiMap<K, V>(): MultiMap<K, V> {
  const sets = new Map<K, Set<V>>()
  const none: ReadonlySet<V> = new Set()
  return {
    add(key, value) {
      const found = sets.get(key)
      if (found === undefined) sets.set(key, new Set([value]))
      else found.add(value)
    },
    delete(key, value) {
      const found = sets.get(key)
      found?.delete(value)
      if (found?.size === 0) sets.delete(key)
    },
    get: (key) => sets.get(key) ?? none,
  }
}
