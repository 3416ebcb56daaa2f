import type { Execution, Task } from '../core/crd/types.ts'
import type { KubeObject } from './types.ts'

/** The copy of that version of the object that another cache of the process holds, else the object itself. */
export type Share<T> = (object: T) => T

/** For the kinds of which there are many: one for all caches of a process. */
export interface SharedObjects {
  readonly tasks: Share<Task>
  readonly executions: Share<Execution>
}

/**
 * Lets several caches of one process hold each object once; they freeze it, so none can change it for the others.
 *
 * Only over a control plane that never goes back: one restored from a backup may give a version that it has given
 * before to something else.
 */
export function createSharedObjects(): SharedObjects {
  return { tasks: createShare(), executions: createShare() }
}

/** The caches must keep the same of each object, that is have the same `transform`. */
function createShare<T extends KubeObject>(): Share<T> {
  const copies = new Map<string, WeakRef<T>>()
  const forgotten = new FinalizationRegistry<string>((uid) => {
    if (copies.get(uid)?.deref() === undefined) copies.delete(uid)
  })
  return (object) => {
    const { uid, resourceVersion } = object.metadata
    if (uid === undefined || resourceVersion === undefined) return object
    const copy = copies.get(uid)?.deref()
    if (copy?.metadata.resourceVersion === resourceVersion) return copy
    copies.set(uid, new WeakRef(object))
    forgotten.register(object, uid)
    return object
  }
}
