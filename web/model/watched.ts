/** A value outside of React that components watch: the two arguments of useSyncExternalStore, and what sets it. Pure. */
export interface Watched<T> {
  readonly read: () => T
  readonly set: (next: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createWatched<T>(first: T): Watched<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    read: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
