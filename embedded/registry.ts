import { type Kind, apiVersionOf, keyPrefix } from './kind.ts'
import type { ResourceRef } from './objects.ts'

/** The kinds that are served now. */
export interface Registry {
  /** Changes whenever a kind comes, goes or changes: the entity tag of discovery. */
  readonly generation: number
  all(): readonly Kind[]
  /** By apiVersion. */
  grouped(): ReadonlyMap<string, readonly Kind[]>
  find(resource: ResourceRef): Kind | undefined
  /** By `apiVersion` and `kind`, as owner references name their owners. */
  findByKind(apiVersion: string, kind: string): Kind | undefined
  /** By the prefix of the store's keys, such as `pods/`. */
  findByPrefix(prefix: string): Kind | undefined
  put(kind: Kind): void
  remove(resource: ResourceRef): void
}

export function makeRegistry(builtIns: readonly Kind[]): Registry {
  const kinds = new Map<string, Kind>()
  const byKind = new Map<string, Kind>()
  const byPrefix = new Map<string, Kind>()
  let generation = 0
  const keyOf = (resource: ResourceRef): string => `${apiVersionOf(resource)}/${resource.plural}`

  const registry: Registry = {
    get generation() {
      return generation
    },
    all: () => [...kinds.values()],
    grouped() {
      const groups = new Map<string, Kind[]>()
      for (const kind of kinds.values()) {
        const apiVersion = apiVersionOf(kind)
        groups.set(apiVersion, [...(groups.get(apiVersion) ?? []), kind])
      }
      return groups
    },
    find: (resource) => kinds.get(keyOf(resource)),
    findByKind: (apiVersion, kind) => byKind.get(`${apiVersion}/${kind}`),
    findByPrefix: (prefix) => byPrefix.get(prefix),
    put(kind) {
      byPrefix.set(keyPrefix(kind), kind)
      kinds.set(keyOf(kind), kind)
      byKind.set(`${apiVersionOf(kind)}/${kind.kind}`, kind)
      generation += 1
    },
    remove(resource) {
      const kind = kinds.get(keyOf(resource))
      if (kind === undefined) return
      kinds.delete(keyOf(kind))
      byPrefix.delete(keyPrefix(kind))
      byKind.delete(`${apiVersionOf(kind)}/${kind.kind}`)
      generation += 1
    },
  }
  for (const kind of builtIns) registry.put(kind)
  return registry
}
