import type { FieldError } from './schema/errors.ts'
import type { JsonObject } from './schema/json.ts'
import type { JsonPath } from './jsonpath.ts'
import type { ApiObject, ObjectKey, ResourceRef } from './objects.ts'

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description?: string
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number
  readonly cell: (object: ApiObject, now: Date) => string | number | boolean | null
}

/** What is special about a kind when its objects are written. Hooks change the object in place. */
export interface KindRules {
  /** Drops what the schema does not know; the paths dropped. */
  prune(object: JsonObject): string[]
  /** On create, after pruning. */
  prepareCreate?(object: ApiObject): void
  /** On every write. */
  applyDefaults(object: ApiObject): void
  validate(object: ApiObject, old: ApiObject | undefined): FieldError[]
  /** Whether something beside `metadata.finalizers` keeps a deleted object. */
  isHeld?(object: ApiObject): boolean
  /** When a deleted object has to stay for a while, in place. */
  onHeld?(object: ApiObject): void
  /** How long a deleted object may take to end by itself; 0 when absent. */
  graceSeconds?(object: ApiObject, wanted: number | undefined): number
  /** Why the object may not be deleted; undefined when it may. */
  refuseDelete?(object: ApiObject): string | undefined
  /** What becomes of dependents when the request does not say; Background when absent. */
  readonly defaultPropagation?: 'Orphan'
}

/** Everything the server knows about one served kind; built-ins and custom resources look alike. */
export interface Kind extends ResourceRef {
  readonly kind: string
  readonly listKind: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  /** From a CustomResourceDefinition: an update must carry a resourceVersion, patches are JSON or merge only. */
  readonly custom: boolean
  readonly hasStatus: boolean
  /** Whether DELETE of the collection is served. */
  readonly hasDeleteCollection: boolean
  /** Why there are no objects of a kind that is served only for clients that look for some; undefined: there are. */
  readonly absence: string | undefined
  /** Whether `metadata.generation` counts changes of what is asked for. */
  readonly hasGeneration: boolean
  /** Beside `status`. */
  readonly subresources: readonly ('log' | 'binding')[]
  readonly columns: readonly Column[]
  /** Beside metadata.name and metadata.namespace. */
  readonly selectableFields: ReadonlyMap<string, JsonPath>
  readonly rules: KindRules
  /** For OpenAPI, `kubectl explain`. */
  readonly schema: JsonObject
}

export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`
}

/** Keys of all objects of a kind, or of those in one namespace, start with this. */
export function keyPrefix({ group, plural }: Kind, namespace?: string): string {
  const resource = group === '' ? plural : `${plural}.${group}`
  return namespace === undefined ? `${resource}/` : `${resource}/${namespace}/`
}

/** The store's key of one object; sorts by namespace and name as etcd does in a real cluster. */
export function storeKey(kind: Kind, { namespace, name }: ObjectKey): string {
  return keyPrefix(kind, kind.namespaced ? (namespace ?? '') : undefined) + name
}
