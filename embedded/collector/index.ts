import type { ApiObject, OwnerReference } from '../objects.ts'

/** Who belongs to whom, by the owners' uids: what a deletion has to look at, without searching all objects. */
export interface DependentIndex {
  /** Takes the owners that an object has now. */
  set(key: string, owners: readonly OwnerReference[]): void
  remove(key: string): void
  /** Store keys of the objects that name `uid` as an owner. */
  dependentsOf(uid: string): readonly string[]
}

export function makeDependentIndex(): DependentIndex {
  const dependents = new Map<string, Set<string>>()
  const ownersOf = new Map<string, readonly string[]>()

  const remove = (key: string): void => {
    for (const uid of ownersOf.get(key) ?? []) {
      const keys = dependents.get(uid)
      keys?.delete(key)
      if (keys?.size === 0) dependents.delete(uid)
    }
    ownersOf.delete(key)
  }
  return {
    remove,
    set(key, owners) {
      remove(key)
      if (owners.length === 0) return
      ownersOf.set(
        key,
        owners.map(({ uid }) => uid),
      )
      for (const { uid } of owners) {
        const keys = dependents.get(uid) ?? new Set()
        dependents.set(uid, keys.add(key))
      }
    },
    dependentsOf: (uid) => [...(dependents.get(uid) ?? [])],
  }
}

export function ownersOf({ metadata }: ApiObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? []
}
