import { type Clock, systemClock } from '../lib/clock.ts'
import { type LoginSource, type Credentials, createCredentials, currentCluster } from './credentials.ts'
import { collectionPath, objectPath, requireNamespace, withQuery } from './paths.ts'
import { PODS, withType } from './resources.ts'
import { type ApiRequest, type Transport, createTransport } from './transport.ts'
import {
  type CreateOptions,
  type KubeClient,
  type KubeObject,
  type ListOptions,
  type ObjectKey,
  type ObjectList,
  type RequestOptions,
  type Resource,
  unlessNotFound,
} from './types.ts'
import { watchEvents } from './watch.ts'

/** What one client is; its place and credentials come from the kubeconfig. */
export interface ClientOptions {
  /** Shown in the API server's audit log: `slipway-operator/0.1.0`. */
  readonly userAgent: string
  /** Owner of the fields that this client writes (`metadata.managedFields`). */
  readonly fieldManager: string
  /** For one call with all its retries; streams are not limited once the server has answered. */
  readonly requestTimeoutMs: number
  /** The same for reading or writing one object, where somebody waits for it; default: as long. */
  readonly objectTimeoutMs?: number
  readonly clock?: Clock
  /** Shared with other clients of the same login, and closed by who made them; default: its own. */
  readonly credentials?: Credentials
}

/** A client with what only a connection to an API server has. */
export interface ApiClient extends KubeClient {
  /** Places a pod on a node, as a scheduler does. @throws KubeError Conflict when it is placed already */
  bindPod(key: ObjectKey, nodeName: string, options?: RequestOptions): Promise<void>
  /** Ends all connections; calls and streams under way fail. */
  close(): Promise<void>
}

/**
 * The verbs of kube/types.ts over one API server, with the credentials of `config`'s current context.
 *
 * @throws Error when the context names no cluster
 */
export function createClient(config: LoginSource, options: ClientOptions): ApiClient {
  const clock = options.clock ?? systemClock
  const credentials = options.credentials ?? createCredentials(config, clock)
  const transport = createTransport({ ...options, clock, credentials, server: currentCluster(config).server })
  return {
    ...readVerbs(transport, options),
    ...writeVerbs(transport, options),
    ...podVerbs(transport),
    close: async () => (options.credentials === undefined ? credentials.close() : undefined),
  }
}

function readVerbs(
  transport: Transport,
  { objectTimeoutMs: timeoutMs }: ClientOptions,
): Pick<KubeClient, 'get' | 'find' | 'list' | 'watch'> {
  const get = async <T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: RequestOptions,
  ): Promise<T> =>
    parseObject(
      resource,
      await transport.send({ method: 'GET', path: objectPath(resource, key), signal: options?.signal, timeoutMs }),
    )
  return {
    get,
    find: (resource, key, options) => unlessNotFound(get(resource, key, options)),
    async list<T extends KubeObject>(
      resource: Resource<T>,
      query: ListOptions = {},
      options: RequestOptions = {},
    ): Promise<ObjectList<T>> {
      const { namespace, ...rest } = query
      const path = withQuery(collectionPath(resource, namespace), rest)
      return parseList(resource, await transport.send({ method: 'GET', path, signal: options.signal }))
    },
    watch: (resource, query, signal, onOpen) => watchEvents(transport, resource, query, signal, onOpen),
  }
}

function writeVerbs(
  transport: Transport,
  { fieldManager, objectTimeoutMs: timeoutMs }: ClientOptions,
): Pick<KubeClient, 'create' | 'replace' | 'replaceStatus' | 'mergePatch' | 'delete'> {
  const write = async <T extends KubeObject>(
    resource: Resource<T>,
    what: ApiRequest,
    { dryRun }: CreateOptions = {},
  ): Promise<T> => {
    const path = withQuery(what.path, { fieldManager, dryRun: dryRun === true ? 'All' : undefined })
    return parseObject(resource, await transport.send({ ...what, path, timeoutMs }))
  }
  return {
    async create(resource, object, options) {
      const { namespace } = object.metadata
      requireNamespace(resource, namespace)
      const path = collectionPath(resource, namespace)
      const what = { method: 'POST', path, body: withType(resource, object), signal: options?.signal } as const
      return write(resource, what, options)
    },
    async replace(resource, object, options) {
      const path = objectPath(resource, object.metadata)
      return write(resource, { method: 'PUT', path, body: withType(resource, object), signal: options?.signal })
    },
    async replaceStatus(resource, object, options) {
      const path = objectPath(resource, object.metadata, 'status')
      return write(resource, { method: 'PUT', path, body: withType(resource, object), signal: options?.signal })
    },
    async mergePatch(resource, key, patch, options) {
      const path = objectPath(resource, key, options?.subresource)
      const contentType = 'application/merge-patch+json'
      return write(resource, { method: 'PATCH', path, body: patch, contentType, signal: options?.signal }, options)
    },
    async delete(resource, key, how = {}, options = {}) {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...how }
      const path = objectPath(resource, key)
      await transport.send({ method: 'DELETE', path, body, signal: options.signal, timeoutMs })
    },
  }
}

function podVerbs(transport: Transport): Pick<ApiClient, 'podLog' | 'bindPod'> {
  return {
    async *podLog(key, options, signal) {
      const path = withQuery(objectPath(PODS, key, 'log'), { ...options })
      try {
        yield* await transport.stream({ method: 'GET', path, signal })
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
    async bindPod(key, nodeName, options) {
      const target = { apiVersion: 'v1', kind: 'Node', name: nodeName }
      const body = { apiVersion: 'v1', kind: 'Binding', metadata: { ...key }, target }
      const path = objectPath(PODS, key, 'binding')
      await transport.send({ method: 'POST', path, body, signal: options?.signal })
    },
  }
}

/** The API server has checked what it stores against the kind's schema, so its answers are believed. */
function parseObject<T extends KubeObject>(_: Resource<T>, text: string): T {
  const object: T = JSON.parse(text)
  return object
}

interface ListDocument<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
  readonly items: readonly T[] | null
}

function parseList<T extends KubeObject>(resource: Resource<T>, text: string): ObjectList<T> {
  const { metadata, items }: ListDocument<T> = JSON.parse(text)
  return {
    resourceVersion: metadata.resourceVersion,
    ...(metadata.continue === undefined || metadata.continue === '' ? {} : { continue: metadata.continue }),
    items: (items ?? []).map((item) => withType(resource, item)),
  }
}
