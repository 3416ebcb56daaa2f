/**
 * A Kubernetes API in memory, with as much of a pod's life as the node depends on: bindings, the status
 * subresource, graceful deletion, finalizers, watches with a field selector on spec.nodeName.
 */
import { randomUUID } from 'node:crypto'
import type { Pod } from '../../kube/builtin.ts'
import { type KubeObject, type Resource, type WatchEvent, KubeError } from '../../kube/types.ts'
import type { NodeClient } from '../../node/context.ts'

interface WatchQuery {
  readonly fieldSelector?: string
  readonly resourceVersion: string
}

interface Stored {
  readonly plural: string
  object: KubeObject
}

type Change = Extract<WatchEvent<KubeObject>, { object: KubeObject }>

export interface MemoryApi {
  readonly client: NodeClient
  /** Creates a pod as a client does; uid and times are the server's. */
  createPod(
    pod: Omit<Pod, 'metadata'> & { metadata: Pick<Pod['metadata'], 'name' | 'finalizers' | 'labels'> },
  ): Promise<Pod>
  findPod(name: string): Pod | undefined
  getPod(name: string): Pod
  deletePod(name: string, gracePeriodSeconds?: number): Promise<void>
  /** Removes a pod at once, as a forced deletion does. */
  dropPod(name: string): void
  put(resource: Resource<KubeObject>, object: KubeObject): void
  /** Holds a pod as another API server knew it, uid and all. */
  restore(pod: Pod): void
}

export function memoryApi(namespace = 'default'): MemoryApi {
  let version = 0
  const objects = new Map<string, Stored>()
  /** Everything that ever happened; a resourceVersion is a place in it. */
  const history: { readonly plural: string; readonly event: Change; readonly before: KubeObject | undefined }[] = []
  const wakers = new Set<() => void>()
  const tell = (plural: string, type: Change['type'], object: KubeObject, before: KubeObject | undefined): void => {
    history.push({ plural, event: { type, object }, before })
    wakers.forEach((wake) => wake())
  }
  const pathOf = (plural: string, ns: string | undefined, name: string): string => `${plural}/${ns ?? ''}/${name}`
  const read = (plural: string, ns: string | undefined, name: string): Stored => {
    const stored = objects.get(pathOf(plural, ns, name))
    if (stored === undefined) throw new KubeError(404, 'NotFound', `${plural} "${name}" not found`)
    return stored
  }
  const write = (stored: Stored, object: KubeObject, type: 'ADDED' | 'MODIFIED'): KubeObject => {
    version += 1
    const before = type === 'ADDED' ? undefined : stored.object
    stored.object = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
    tell(stored.plural, type, stored.object, before)
    return stored.object
  }
  const drop = (plural: string, ns: string | undefined, name: string): void => {
    const { object } = read(plural, ns, name)
    objects.delete(pathOf(plural, ns, name))
    version += 1
    const metadata = { ...object.metadata, resourceVersion: String(version) }
    tell(plural, 'DELETED', { ...object, metadata }, object)
  }
  const create = (plural: string, object: KubeObject): KubeObject => {
    const path = pathOf(plural, object.metadata.namespace, object.metadata.name)
    if (objects.has(path)) throw new KubeError(409, 'AlreadyExists', `${path} exists`)
    const uid = randomUUID()
    const stored = { plural, object }
    objects.set(path, stored)
    const metadata = { ...object.metadata, uid, creationTimestamp: new Date().toISOString() }
    return write(stored, { ...object, metadata }, 'ADDED')
  }
  const matches = (object: KubeObject, selector: string | undefined): boolean => {
    const wanted = /^spec\.nodeName=(.*)$/.exec(selector ?? '')?.[1]
    return wanted === undefined || ((object as Pod).spec.nodeName ?? '') === wanted
  }

  const client = {
    async find(resource: Resource<KubeObject>, key: { namespace?: string; name: string }) {
      return objects.get(pathOf(resource.plural, key.namespace, key.name))?.object
    },
    async get(resource: Resource<KubeObject>, key: { namespace?: string; name: string }) {
      return read(resource.plural, key.namespace, key.name).object
    },
    async list(resource: Resource<KubeObject>, query?: { fieldSelector?: string }) {
      const all = [...objects.values()].filter(({ plural }) => plural === resource.plural)
      const items = all.map(({ object }) => object).filter((object) => matches(object, query?.fieldSelector))
      return { resourceVersion: String(version), items }
    },
    async create(resource: Resource<KubeObject>, object: KubeObject) {
      return create(resource.plural, object)
    },
    async bindPod(key: { namespace?: string; name: string }, nodeName: string) {
      const stored = read('pods', key.namespace, key.name)
      const pod = stored.object as Pod
      if (pod.spec.nodeName !== undefined) throw new KubeError(409, 'Conflict', 'already assigned')
      write(stored, { ...pod, spec: { ...pod.spec, nodeName } } as KubeObject, 'MODIFIED')
    },
    async replace(resource: Resource<KubeObject>, object: KubeObject) {
      const stored = read(resource.plural, object.metadata.namespace, object.metadata.name)
      if (stored.object.metadata.resourceVersion !== object.metadata.resourceVersion) {
        throw new KubeError(409, 'Conflict', 'the object has been modified')
      }
      return write(stored, object, 'MODIFIED')
    },
    async replaceStatus(resource: Resource<KubeObject>, object: KubeObject) {
      return this.replace(resource, object)
    },
    async mergePatch(resource: Resource<KubeObject>, key: { namespace?: string; name: string }, patch: object) {
      const stored = read(resource.plural, key.namespace, key.name)
      const { metadata, spec, status } = patch as { metadata?: KubeObject['metadata']; spec?: object; status?: object }
      const { metadata: old, ...rest } = stored.object
      if (metadata?.uid !== undefined && metadata.uid !== old.uid) {
        throw new KubeError(409, 'Conflict', 'uid differs')
      }
      const annotations = Object.entries({ ...old.annotations, ...metadata?.annotations }).filter(
        ([, text]) => text !== null,
      )
      const labels = { ...old.labels, ...metadata?.labels }
      const merged = { ...old, ...metadata, labels, annotations: Object.fromEntries(annotations) }
      return write(stored, { ...rest, metadata: merged, ...(spec && { spec }), ...(status && { status }) }, 'MODIFIED')
    },
    async delete(
      resource: Resource<KubeObject>,
      key: { namespace?: string; name: string },
      how?: { gracePeriodSeconds?: number },
    ) {
      const stored = read(resource.plural, key.namespace, key.name)
      const { metadata } = stored.object
      const pod = stored.object as Pod
      const seconds = how?.gracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 30
      const isBound = resource.plural === 'pods' && pod.spec.nodeName !== undefined
      if ((!isBound || seconds === 0) && (metadata.finalizers ?? []).length === 0) {
        drop(resource.plural, key.namespace, key.name)
        return
      }
      if (metadata.deletionTimestamp !== undefined) return
      const deletionTimestamp = new Date(Date.now() + seconds * 1000).toISOString()
      const marked = { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: seconds }
      write(stored, { ...stored.object, metadata: marked }, 'MODIFIED')
    },
    watch(resource: Resource<KubeObject>, query: WatchQuery, signal: AbortSignal) {
      return watch(resource.plural, query, signal)
    },
  }

  async function* watch(plural: string, { fieldSelector, resourceVersion }: WatchQuery, signal: AbortSignal) {
    let wake: () => void = () => undefined
    const call = (): void => wake()
    wakers.add(call)
    signal.addEventListener('abort', call)
    try {
      for (let next = Number(resourceVersion); !signal.aborted;) {
        const happened = history[next]
        if (happened === undefined) {
          await new Promise<void>((resolve) => (wake = resolve))
          continue
        }
        next += 1
        const event = happened.plural === plural ? selected(happened, fieldSelector) : undefined
        if (event !== undefined) yield event
      }
    } finally {
      wakers.delete(call)
    }
  }
  const selected = (happened: (typeof history)[number], selector: string | undefined): Change | undefined => {
    const { event, before } = happened
    const was = before !== undefined && matches(before, selector)
    const is = event.type !== 'DELETED' && matches(event.object, selector)
    if (!was && !is) return undefined
    return { type: was && is ? 'MODIFIED' : is ? 'ADDED' : 'DELETED', object: event.object }
  }

  const findPod = (name: string): Pod | undefined => objects.get(pathOf('pods', namespace, name))?.object as Pod
  return {
    client: client as unknown as NodeClient,
    createPod: async (pod) => create('pods', { ...pod, metadata: { ...pod.metadata, namespace } }) as Pod,
    findPod,
    getPod: (name) => read('pods', namespace, name).object as Pod,
    deletePod: (name, gracePeriodSeconds) =>
      client.delete(
        { plural: 'pods' } as Resource<KubeObject>,
        { namespace, name },
        gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds },
      ),
    dropPod: (name) => drop('pods', namespace, name),
    restore(pod) {
      const stored = { plural: 'pods', object: pod }
      objects.set(pathOf('pods', namespace, pod.metadata.name), stored)
      write(stored, pod, 'ADDED')
    },
    put: (resource, object) => void create(resource.plural, object),
  }
}
