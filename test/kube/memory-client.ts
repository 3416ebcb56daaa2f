import type { KubeClient, KubeObject, ObjectKey, Resource } from '../../kube/types.ts'
import { KubeError } from '../../kube/types.ts'
import { keyToString } from '../../kube/keys.ts'

type Verbs = Pick<KubeClient, 'get' | 'find' | 'create' | 'replace' | 'mergePatch'>

/** Objects in memory under compare-and-swap, and a switch that takes the server away. */
export interface MemoryClient extends Verbs {
  /** What every call does first; throw to fail it, or wait to delay it. */
  before(hook: (verb: string) => void | Promise<void>): void
  readonly objects: ReadonlyMap<string, KubeObject>
  /** Somebody else deletes an object, by its `<plural>/<namespace>/<name>`. */
  forget(id: string): void
}

export function memoryClient(): MemoryClient {
  const objects = new Map<string, KubeObject>()
  let version = 0
  let hook: (verb: string) => void | Promise<void> = () => undefined

  const idOf = (resource: Resource<KubeObject>, key: ObjectKey) => `${resource.plural}/${keyToString(key)}`
  const read = <T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T => {
    const object = objects.get(idOf(resource, key))
    if (!object) throw new KubeError(404, 'NotFound', `${resource.plural} "${key.name}" not found`)
    return object as T
  }
  const store = <T extends KubeObject>(resource: Resource<T>, object: T): T => {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } }
    objects.set(idOf(resource, object.metadata), stored)
    return stored
  }
  return {
    objects,
    forget: (id) => void objects.delete(id),
    before: (given) => void (hook = given),
    async get(resource, key) {
      await hook('get')
      return read(resource, key)
    },
    async find(resource, key) {
      await hook('find')
      return objects.has(idOf(resource, key)) ? read(resource, key) : undefined
    },
    async create(resource, object) {
      await hook('create')
      if (objects.has(idOf(resource, object.metadata))) throw new KubeError(409, 'AlreadyExists', 'already exists')
      return store(resource, object)
    },
    async replace(resource, object) {
      await hook('replace')
      const current = read(resource, object.metadata)
      if (current.metadata.resourceVersion !== object.metadata.resourceVersion)
        throw new KubeError(409, 'Conflict', 'the object has been modified')
      return store(resource, object)
    },
    async mergePatch(resource, key, patch) {
      await hook('mergePatch')
      return store(resource, { ...read(resource, key), ...patch })
    },
  }
}
