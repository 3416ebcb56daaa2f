import type { JsonObject, JsonValue } from './schema/json.ts'

/**
 * What the control plane offers to its own controllers, in objects: validation, admission and revisions hold for them as
 * for clients.
 */

/** Where a kind lives in the API; "" is the core group. */
export interface ResourceRef {
  readonly group: string
  readonly version: string
  readonly plural: string
}

/** `namespace` is absent for kinds that are not namespaced. */
export interface ObjectKey {
  readonly namespace?: string | undefined
  readonly name: string
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
  [key: string]: JsonValue
}

/** `metav1.ObjectMeta`, as far as the server itself reads it. */
export interface ObjectMeta extends JsonObject {
  name: string
  namespace?: string
  generateName?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: { [key: string]: string }
  annotations?: { [key: string]: string }
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
}

/** A stored object: always typed and named, and with uid and resourceVersion set. */
export interface ApiObject extends JsonObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

export interface ListSelection {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined
  /** As in the query parameters, for example `app=web,tier!=db`. */
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export interface ObjectList {
  /** The state that `items` shows; a watch from here misses nothing. */
  readonly resourceVersion: string
  readonly items: readonly ApiObject[]
}

export interface DeleteOptions {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan' | undefined
  readonly gracePeriodSeconds?: number | undefined
  readonly preconditions?:
    { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: ApiObject
}

/**
 * Verbs throw {@link ApiError} exactly where the HTTP API answers with a Status (404 NotFound, 409 AlreadyExists
 * or Conflict, 422 Invalid …). Objects are the caller's own copies. Reads are synchronous and show only what is
 * durable; writes resolve once the change is durable.
 */
export interface ObjectApi {
  /** Undefined when there is no such object. */
  find(resource: ResourceRef, key: ObjectKey): ApiObject | undefined
  /** In the order of namespace and name. */
  list(resource: ResourceRef, selection?: ListSelection): ObjectList
  /** The object's namespace says where; `metadata.generateName` works. */
  create(resource: ResourceRef, object: JsonObject): Promise<ApiObject>
  /** A compare-and-swap when `metadata.resourceVersion` is set: a stale one is 409 Conflict. */
  update(resource: ResourceRef, object: JsonObject): Promise<ApiObject>
  /** As `update`, for the status subresource: only `status` is taken (for a Pod, labels and annotations too). */
  updateStatus(resource: ResourceRef, object: JsonObject): Promise<ApiObject>
  /** The object that remains, waiting for finalizers or for its grace period, or undefined when it is gone. */
  delete(resource: ResourceRef, key: ObjectKey, options?: DeleteOptions): Promise<ApiObject | undefined>
  /**
   * First every object as ADDED, then each change, until `signal` aborts. A consumer that falls behind the kept
   * history gets ApiError Expired (410) and starts again.
   */
  watch(resource: ResourceRef, selection: ListSelection, signal: AbortSignal): AsyncIterable<ObjectEvent>
}
