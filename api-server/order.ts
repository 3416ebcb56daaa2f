import type { Task } from '../core/crd/types.ts'
import type { KubeObject } from '../kube/types.ts'
import type { RecordCache } from './caches.ts'

/** The records of a cache, newest first; sorted again only when the cache has changed. */
export function newestFirst<T extends KubeObject>(cache: RecordCache<T>): () => readonly T[] {
  let revision = -1
  let sorted: readonly T[] = []
  return () => {
    if (revision !== cache.revision()) {
      revision = cache.revision()
      sorted = sortNewestFirst(cache.list())
    }
    return sorted
  }
}

/** By time of creation, then by name: ids that the server makes sort by time within a second too. */
export function sortNewestFirst<T extends KubeObject>(objects: readonly T[]): T[] {
  return [...objects].sort((a, b) => compare(createdAt(b), createdAt(a)) || compare(b.metadata.name, a.metadata.name))
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

function createdAt({ metadata }: KubeObject): string {
  return metadata.creationTimestamp ?? ''
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
