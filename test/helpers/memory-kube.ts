/**
 * A Kubernetes API in memory for tests of the operator: versions, compare-and-swap, finalizers and selectors, and a
 * hook before and after each write that can fail it. Fields come back in alphabetical order, as a custom resource's do.
 * What a status may hold is checked by the CRD's schema. No watch, no other schemas, no collection by owner.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { CrdSchema } from '../../core/crd-field.ts'
import { CRD_SCHEMAS } from '../../core/crd/schemas.ts'
import {
  type KubeClient,
  type KubeObject,
  type ListOptions,
  type ObjectKey,
  type Resource,
  KubeError,
} from '../../kube/types.ts'
import { whenAborted } from '../../lib/async.ts'

export interface MemoryKube extends KubeClient {
  /** All objects of a kind, as stored. */
  all<T extends KubeObject>(resource: Resource<T>): T[]
  /** Stores as it is, counting nothing. */
  put<T extends KubeObject>(resource: Resource<T>, object: T): T
  /** Called around every write; what it throws is what the caller gets. */
  onWrite: (moment: 'before' | 'after', write: string) => void
  /** Called with every change, as a watch would tell it. */
  onStored: (type: 'put' | 'delete', plural: string, object: KubeObject) => void
  /** What containers print, by their names; a text of any other is refused as a kubelet does. */
  readonly logs: Map<string, string>
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** As the API server refuses it: a length counts characters, a schema that is unknown refuses nothing. */
function checkStatus(kind: string, status: unknown): void {
  const schemas: Readonly<Record<string, CrdSchema>> = CRD_SCHEMAS
  const schema = schemas[kind]?.properties?.['status']
  if (schema === undefined || status === undefined || ajv.validate(schema, status)) return
  throw new KubeError(422, 'Invalid', `${kind} status is invalid: ${ajv.errorsText(ajv.errors)}`)
}

export function memoryKube(): MemoryKube {
  const store = new Map<string, KubeObject>()
  let version = 0
  const kube: MemoryKube = {
    onWrite: () => undefined,
    onStored: () => undefined,
    logs: new Map(),
    async *podLog(_, { container = '' }) {
      const log = kube.logs.get(container)
      if (log === undefined) throw new KubeError(400, 'BadRequest', `container ${container} is not available`)
      yield Buffer.from(log)
    },
    all: <T extends KubeObject>({ plural }: Resource<T>) =>
      [...store].filter(([key]) => key.startsWith(`${plural}/`)).map(([, object]) => object as T),
    put: (resource, object) => save(resource, object),
    get: async (resource, key) => load(resource, key),
    find: async (resource, key) => peek(resource, key),
    list: async (resource, query = {}) => ({
      resourceVersion: String(version),
      items: kube.all(resource).filter((object) => isSelected(object, query)),
    }),
    create: (resource, object) =>
      write(`create ${resource.kind} ${object.metadata.name}`, () => {
        if (peek(resource, object.metadata)) throw new KubeError(409, 'AlreadyExists', `${object.metadata.name} exists`)
        const metadata = { ...object.metadata, uid: object.metadata.uid ?? `uid-${object.metadata.name}-${version}` }
        return save(resource, { ...object, metadata })
      }),
    replace: (resource, object) => write(`replace ${resource.kind}`, () => swap(resource, object, object)),
    replaceStatus: (resource, object) =>
      write(`status ${resource.kind} ${object.metadata.name}`, () => {
        const current = load(resource, object.metadata)
        const { status } = object as { status?: unknown }
        checkStatus(resource.kind, status)
        return swap(resource, object, { ...current, status: structuredClone(status) })
      }),
    mergePatch: (resource, key, patch) =>
      write(`patch ${resource.kind} ${key.name}`, () => {
        const current = load(resource, key)
        const { metadata = {} } = patch as { metadata?: Record<string, unknown> }
        const base = { ...current, metadata: { ...current.metadata, resourceVersion: metadata['resourceVersion'] } }
        return swap(resource, base as typeof current, merge(current, patch) as typeof current)
      }),
    delete: (resource, key) =>
      write(`delete ${resource.kind} ${key.name}`, () => {
        const current = load(resource, key)
        const isHeld = (current.metadata.finalizers ?? []).length > 0
        const deletionTimestamp = current.metadata.deletionTimestamp ?? '2026-01-01T00:00:00Z'
        if (isHeld) save(resource, { ...current, metadata: { ...current.metadata, deletionTimestamp } })
        else remove(resource, current)
      }),
    watch: () => {
      throw new Error('no watch in memory')
    },
  }
  return kube

  async function write<T>(name: string, change: () => T): Promise<T> {
    kube.onWrite('before', name)
    const result = change()
    kube.onWrite('after', name)
    return result
  }
  function swap<T extends KubeObject>(resource: Resource<T>, sent: T, next: T): T {
    const current = load(resource, sent.metadata)
    if (sent.metadata.resourceVersion !== current.metadata.resourceVersion) {
      throw new KubeError(409, 'Conflict', `${sent.metadata.name} has been modified`)
    }
    return save(resource, next)
  }
  function save<T extends KubeObject>(resource: Resource<T>, object: T): T {
    version += 1
    const saved = sorted({ ...object, metadata: { ...object.metadata, resourceVersion: String(version) } })
    const isGone = object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers ?? []).length === 0
    if (isGone) {
      remove(resource, saved)
      return saved
    }
    store.set(identify(resource, object.metadata), saved)
    kube.onStored('put', resource.plural, saved)
    return saved
  }
  function remove(resource: Resource<KubeObject>, object: KubeObject): void {
    version += 1
    store.delete(identify(resource, object.metadata))
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
    kube.onStored('delete', resource.plural, structuredClone(last))
  }
  function load<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T {
    const found = peek(resource, key)
    if (found === undefined) throw new KubeError(404, 'NotFound', `${resource.plural} ${key.name} not found`)
    return found
  }
  function peek<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T | undefined {
    return store.get(identify(resource, key)) as T | undefined
  }
}

/** A watch that tells of no change until `signal` aborts, for who needs lists alone. */
export async function* watchNothing(_resource: unknown, _query: unknown, signal: AbortSignal): AsyncGenerator<never> {
  await whenAborted(signal)
  yield* []
}

function identify({ plural }: Resource<KubeObject>, { namespace, name }: ObjectKey): string {
  return `${plural}/${namespace ?? ''}/${name}`
}

/** A deep copy with the fields of each object in alphabetical order. */
function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v)])) as T
}

function isSelected(object: KubeObject, { namespace, labelSelector, fieldSelector }: ListOptions): boolean {
  const { metadata } = object
  const hasLabels = termsOf(labelSelector).every(([label = '', value]) => metadata.labels?.[label] === value)
  const hasFields = termsOf(fieldSelector).every(([path = '', value]) => valueAt(object, path) === value)
  return hasLabels && hasFields && (namespace === undefined || metadata.namespace === namespace)
}

function termsOf(selector = ''): string[][] {
  return selector === '' ? [] : selector.split(',').map((term) => term.split('='))
}

function valueAt(object: KubeObject, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => new Map(Object.entries(Object(at))).get(name), object)
}

/** RFC 7396. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const base = typeof target === 'object' && target !== null ? target : {}
  const merged = new Map<string, unknown>(Object.entries(base))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else if (value !== undefined) merged.set(key, merge(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}
