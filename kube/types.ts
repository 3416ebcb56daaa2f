/**
 * What the rest of Slipway sees of a Kubernetes API: resource descriptors, verbs, errors.
 *
 * The descriptors carry the object's type, so that `client.get(TASKS, …)` is a Task without a cast. client.ts speaks to a
 * cluster; the client of a control plane in the same process is made in cli/.
 */

import type { ObjectMeta } from '../core/crd/types.ts'

/** What every object of the API has; lists of built-in kinds come without kind and apiVersion. */
export interface KubeObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: ObjectMeta
}

/** Where a kind lives in the API. `T` is a phantom: the type of its objects. */
export interface Resource<T extends KubeObject> {
  /** "" for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly object?: T
}

/** What an object is addressed by; cluster-scoped kinds have no namespace. */
export interface ObjectKey {
  readonly namespace?: string | undefined
  readonly name: string
}

/** Selectors as kubectl writes them; `continue` goes with the selectors and limit of the first page. */
export interface ListOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
}

/** One page; all pages of a list have the same resourceVersion. */
export interface ObjectList<T> {
  readonly resourceVersion: string
  /** Token of the next page, absent on the last one. */
  readonly continue?: string
  readonly items: readonly T[]
}

/** `timeoutSeconds`: after how long the server ends the watch. */
export interface WatchOptions {
  readonly namespace?: string | undefined
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion: string
  readonly timeoutSeconds?: number
}

/** Bookmarks carry no change: they say how far the server has told everything. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }

/** What must hold for the delete, and what becomes of dependents (default Background, but Orphan for Jobs). */
export interface DeleteOptions {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'
  readonly gracePeriodSeconds?: number
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** `dryRun`: everything is checked, nothing is stored. */
export interface CreateOptions {
  readonly dryRun?: boolean
}

/** Absent: the object itself, without its status. */
export interface PatchOptions extends CreateOptions {
  readonly subresource?: 'status'
}

/** Aborting rejects with the signal's reason; what was asked may have been done. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
}

/** As `kubectl logs`; `container` is needed when the pod has several. */
export interface PodLogOptions {
  readonly container?: string
  readonly follow?: boolean
  readonly previous?: boolean
  readonly timestamps?: boolean
  readonly tailLines?: number
  readonly sinceSeconds?: number
  readonly limitBytes?: number
}

/**
 * The verbs. Every method throws {@link KubeError} for an answer that is not a success, and an error of its own
 * kind (`code: 'ECONNREFUSED'` and the like) when there was no answer.
 */
export interface KubeClient {
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: RequestOptions): Promise<T>
  /** As `get`, but undefined for 404 NotFound of the object. */
  find<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: RequestOptions): Promise<T | undefined>
  list<T extends KubeObject>(
    resource: Resource<T>,
    query?: ListOptions,
    options?: RequestOptions,
  ): Promise<ObjectList<T>>
  create<T extends KubeObject>(resource: Resource<T>, object: T, options?: CreateOptions & RequestOptions): Promise<T>
  /** PUT: a compare-and-swap, because `object.metadata.resourceVersion` is sent along. */
  replace<T extends KubeObject>(resource: Resource<T>, object: T, options?: RequestOptions): Promise<T>
  /** PUT of the status subresource, a compare-and-swap too. */
  replaceStatus<T extends KubeObject>(resource: Resource<T>, object: T, options?: RequestOptions): Promise<T>
  /** JSON merge patch (RFC 7396). */
  mergePatch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: object,
    options?: PatchOptions & RequestOptions,
  ): Promise<T>
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    how?: DeleteOptions,
    options?: RequestOptions,
  ): Promise<void>
  /**
   * Changes after `resourceVersion`, until the server ends the watch or `signal` aborts. Throws KubeError with
   * reason Expired (410) when the version is too old, whether as HTTP status or as ERROR event. `onOpen` is called
   * once the server has accepted the watch, which may be long before there is a change.
   */
  watch<T extends KubeObject>(
    resource: Resource<T>,
    query: WatchOptions,
    signal: AbortSignal,
    onOpen?: () => void,
  ): AsyncIterable<WatchEvent<T>>
  /**
   * The log of one container as it comes. Ends with the container when `follow` is set, quietly when `signal`
   * aborts; empty for a pod without a node.
   */
  podLog(key: ObjectKey, options: PodLogOptions, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** An error answer of the API server; `message` is the server's own. */
export class KubeError extends Error {
  override readonly name = 'KubeError'
  /** HTTP status. */
  readonly status: number
  /** `Status.reason`: NotFound, AlreadyExists, Conflict, Invalid, Expired … */
  readonly reason: string
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, reason: string, message: string, retryAfterSeconds?: number) {
    super(message)
    this.status = status
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The object, or the namespace to create it in, does not exist. */
export function isNotFound(error: unknown): error is KubeError {
  return error instanceof KubeError && error.reason === 'NotFound'
}

/** What was asked for, or undefined where it does not exist. */
export async function unlessNotFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** The API server has no such kind: its CRD is missing. Such a 404 is plain text, no Status. */
export function isUndefinedKind(error: unknown): error is KubeError {
  return error instanceof KubeError && error.status === 404 && error.reason !== 'NotFound'
}

/** The name is taken: of what has a derived name, by an earlier try. */
export function isAlreadyExists(error: unknown): error is KubeError {
  return error instanceof KubeError && error.reason === 'AlreadyExists'
}

/** Codes of node and undici for a server that cannot be reached, or does not answer. */
const UNREACHABLE: readonly unknown[] = [
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]

/** No answer came at all: the server is away, or the network to it is. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNREACHABLE.includes(error.code)
}

/** A lost compare-and-swap: read again and decide again. */
export function isConflict(error: unknown): error is KubeError {
  return error instanceof KubeError && error.reason === 'Conflict'
}

/** The version, or the page, is no longer kept: list again. */
export function isExpired(error: unknown): error is KubeError {
  return error instanceof KubeError && (error.reason === 'Expired' || error.reason === 'Gone')
}

/** We have no right to it: a role must be mended before it is worth trying again. */
export function isForbidden(error: unknown): error is KubeError {
  return error instanceof KubeError && error.reason === 'Forbidden'
}

/** The schema, or a rule of it, refuses what was sent; or it is more than a request, or etcd's share of one, may hold. */
export function isInvalid(error: unknown): error is KubeError {
  if (!(error instanceof KubeError)) return false
  return error.reason === 'Invalid' || error.status === 413 || error.message.includes('request is too large')
}
