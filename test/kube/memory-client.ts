import { EventEmitter, once } from 'node:events'
import {
  type KubeClient,
  type KubeObject,
  type ListOptions,
  type ObjectKey,
  type Resource,
  type WatchEvent,
  type WatchOptions,
  KubeError,
} from '../../kube/types.ts'
import { keyToString } from '../../kube/keys.ts'

type Verbs = Pick<KubeClient, 'get' | 'find' | 'list' | 'watch' | 'create' | 'replace' | 'mergePatch'>

/** Objects in memory under compare-and-swap, with watches, and a switch that takes the server away. */
export interface MemoryClient extends Verbs {
  /** What every call does first; throw to fail it, or wait to delay it. */
  before(hook: (verb: string) => void | Promise<void>): void
  readonly objects: ReadonlyMap<string, KubeObject>
  /** Somebody else deletes an object, by its `<plural>/<namespace>/<name>`. */
  forget(id: string): void
  /** Somebody else writes an object, if it is there, as it is. */
  touch(id: string): void
}

export function memoryClient(): MemoryClient {
  const objects = new Map<string, KubeObject>()
  let version = 0
  let hook: (verb: string) => void | Promise<void> = () => undefined

  const log: Logged[] = []
  const heard = new EventEmitter().setMaxListeners(0)
  const record = (type: Logged['type'], id: string, object: KubeObject): void => {
    log.push({ type, plural: id.slice(0, id.indexOf('/')), object })
    heard.emit('event')
  }
  const idOf = (resource: Resource<KubeObject>, key: ObjectKey) => `${resource.plural}/${keyToString(key)}`
  const read = <T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T => {
    const object = objects.get(idOf(resource, key))
    if (!object) throw new KubeError(404, 'NotFound', `${resource.plural} "${key.name}" not found`)
    return object as T
  }
  const put = <T extends KubeObject>(id: string, object: T): T => {
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } }
    record(objects.has(id) ? 'MODIFIED' : 'ADDED', id, stored)
    objects.set(id, stored)
    return stored
  }
  const store = <T extends KubeObject>(resource: Resource<T>, object: T): T =>
    put(idOf(resource, object.metadata), object)
  return {
    objects,
    touch(id) {
      const object = objects.get(id)
      if (object !== undefined) put(id, object)
    },
    forget(id) {
      const object = objects.get(id)
      if (object === undefined || !objects.delete(id)) return
      record('DELETED', id, { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } })
    },
    before: (given) => void (hook = given),
    async get(resource, key) {
      await hook('get')
      return read(resource, key)
    },
    async find(resource, key) {
      await hook('find')
      return objects.has(idOf(resource, key)) ? read(resource, key) : undefined
    },
    async list<T extends KubeObject>({ plural }: Resource<T>, query: ListOptions = {}) {
      await hook('list')
      const present = [...objects].filter(([id, object]) => id.startsWith(`${plural}/`) && isSelected(object, query))
      return { resourceVersion: String(version), items: present.map(([, object]) => object as T) }
    },
    async *watch<T extends KubeObject>({ plural }: Resource<T>, query: WatchOptions, signal: AbortSignal) {
      await hook('watch')
      let next = 0
      while (!signal.aborted) {
        for (; next < log.length; next++) {
          const entry = log[next]
          if (entry?.plural !== plural || !isSelected(entry.object, query)) continue
          const { type, object } = entry
          if (Number(object.metadata.resourceVersion) > Number(query.resourceVersion))
            yield { type, object: object as T } satisfies WatchEvent<T>
        }
        await once(heard, 'event', { signal }).catch(() => undefined)
      }
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

/** As a watch tells it. */
interface Logged {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly plural: string
  readonly object: KubeObject
}

function isSelected({ metadata }: KubeObject, { namespace, fieldSelector }: ListOptions): boolean {
  const name = fieldSelector?.replace('metadata.name=', '')
  return (namespace === undefined || namespace === metadata.namespace) && (name === undefined || name === metadata.name)
}
