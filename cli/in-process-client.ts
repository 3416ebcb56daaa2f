/**
 * Clients of a control plane in this process: its verbs without connections, under the same promises as over HTTP.
 *
 * Objects go in and out as JSON, so `undefined` and dates mean what they mean on the wire, and what a writer changes later
 * changes nothing. What comes out is frozen, because all readers of a version may get the same object.
 */
import { setMaxListeners } from 'node:events'
import { deepFreeze } from '../core/deep-freeze.ts'
import type { InProcessApi } from '../embedded/in-process.ts'
import { ApiError, toStatus } from '../embedded/status.ts'
import type { ApiClient, ClientOptions } from '../kube/client.ts'
import { followSignals, startLimit } from '../kube/limit.ts'
import { collectionPath, objectPath, requireNamespace } from '../kube/paths.ts'
import { PODS, withType } from '../kube/resources.ts'
import { statusToKubeError } from '../kube/status.ts'
import {
  type KubeClient,
  type KubeObject,
  type ListOptions,
  type ObjectList,
  type RequestOptions,
  type Resource,
  type WatchEvent,
  type WatchOptions,
  unlessNotFound,
} from '../kube/types.ts'
import { orAborted } from '../lib/async.ts'
import { systemClock } from '../lib/clock.ts'

/** Makes the clients of one control plane; what they read of it they share. */
export function connectInProcess(api: InProcessApi): (options: ClientOptions) => ApiClient {
  const parse = makeFrozenParser()
  return (options) => createInProcessClient(api, options, parse)
}

/** As JSON.parse, whose result has the type that the caller expects. */
type Parse = typeof JSON.parse

/** How many texts are remembered: of one change there are as many readers as watches, all in the same moment. */
const REMEMBERED = 64
/** Characters; larger ones are rare, and would keep more memory than they save time. */
const LONGEST_REMEMBERED = 32 * 1024

function makeFrozenParser(): Parse {
  const recent = new Map<string, object>()
  return (text) => {
    const known = recent.get(text)
    if (known !== undefined) return known
    const object: object = parseFrozen(text)
    if (text.length > LONGEST_REMEMBERED) return object
    recent.set(text, object)
    for (const oldest of recent.keys()) {
      if (recent.size <= REMEMBERED) break
      recent.delete(oldest)
    }
    return object
  }
}

const parseFrozen: Parse = (text) => {
  const object: unknown = JSON.parse(text)
  deepFreeze(object)
  return object
}

function createInProcessClient(api: InProcessApi, options: ClientOptions, parse: Parse): ApiClient {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const calls = { api, parse, closing: closing.signal, call: makeCall(options, closing.signal) }
  return {
    ...readVerbs(calls, options),
    ...writeVerbs(calls, options),
    ...podVerbs(calls),
    close: async () => closing.abort(new Error('the client is closed')),
  }
}

interface Calls {
  readonly api: InProcessApi
  readonly parse: Parse
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal
  readonly call: Call
}

/** Does the work within its time. What is under way cannot be taken back, as a request that has been sent. */
type Call = <T>(what: Work, work: () => Promise<T>) => Promise<T>

interface Work {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

function makeCall({ clock = systemClock, requestTimeoutMs }: ClientOptions, closing: AbortSignal): Call {
  return async (what, work) => {
    const limit = startLimit(clock, what, what.timeoutMs ?? requestTimeoutMs, what.signal, closing)
    try {
      limit.signal.throwIfAborted()
      return await orAborted(work(), limit.signal)
    } catch (error) {
      throw toClientError(error)
    } finally {
      limit.lift()
      limit.unlink()
    }
  }
}

function toClientError(error: unknown): unknown {
  return error instanceof ApiError ? statusToKubeError(toStatus(error)) : error
}

type ReadVerbs = Pick<KubeClient, 'get' | 'find' | 'list' | 'watch'>

function readVerbs(calls: Calls, { objectTimeoutMs: timeoutMs }: ClientOptions): ReadVerbs {
  const { api, parse, call } = calls
  const get: KubeClient['get'] = async (resource, key, options) =>
    parse(
      await call({ method: 'GET', path: objectPath(resource, key), signal: options?.signal, timeoutMs }, () =>
        api.get(resource, key),
      ),
    )
  return {
    get,
    find: (resource, key, options) => unlessNotFound(get(resource, key, options)),
    async list<T extends KubeObject>(
      resource: Resource<T>,
      query: ListOptions = {},
      { signal }: RequestOptions = {},
    ): Promise<ObjectList<T>> {
      const path = collectionPath(resource, query.namespace)
      const list = await call({ method: 'GET', path, signal }, () => api.list(resource, query))
      return {
        resourceVersion: list.resourceVersion,
        ...(list.continue === undefined ? {} : { continue: list.continue }),
        // Not remembered: there may be many, and nobody else asks for just these.
        items: list.items.map((text): T => parseFrozen(text)),
      }
    },
    watch: (...asked) => watchObjects(calls, ...asked),
  }
}

async function* watchObjects<T extends KubeObject>(
  { api, parse, closing }: Calls,
  resource: Resource<T>,
  query: WatchOptions,
  signal: AbortSignal,
  onOpen?: () => void,
): AsyncGenerator<WatchEvent<T>, void, void> {
  if (signal.aborted) return
  const gone = followSignals([signal, closing])
  try {
    const batches = api.watch(resource, { ...query, allowWatchBookmarks: true }, gone.signal)
    onOpen?.()
    for await (const batch of batches) {
      if (gone.signal.aborted) break
      if (batch.kind === 'bookmark') yield { type: 'BOOKMARK', resourceVersion: String(batch.revision) }
      else for (const { type, json } of batch.events) yield { type, object: parse(json) }
    }
    if (!signal.aborted) closing.throwIfAborted()
  } catch (error) {
    if (!signal.aborted) throw toClientError(error)
  } finally {
    gone.unlink()
  }
}

type WriteVerbs = Pick<KubeClient, 'create' | 'replace' | 'replaceStatus' | 'mergePatch' | 'delete'>

function writeVerbs({ api, parse, call }: Calls, { objectTimeoutMs: timeoutMs }: ClientOptions): WriteVerbs {
  const replace = async <T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    { signal }: RequestOptions = {},
    subresource?: 'status',
  ): Promise<T> => {
    const path = objectPath(resource, object.metadata, subresource)
    const body = JSON.stringify(withType(resource, object))
    const how = subresource === undefined ? {} : { subresource }
    return parse(
      await call({ method: 'PUT', path, signal, timeoutMs }, () => api.replace(resource, object.metadata, body, how)),
    )
  }
  return {
    async create(resource, object, { dryRun = false, signal } = {}) {
      const { namespace } = object.metadata
      requireNamespace(resource, namespace)
      const body = JSON.stringify(withType(resource, object))
      const what = { method: 'POST', path: collectionPath(resource, namespace), signal, timeoutMs } as const
      return parse(await call(what, () => api.create(resource, namespace, body, { dryRun })))
    },
    replace: (resource, object, options) => replace(resource, object, options),
    replaceStatus: (resource, object, options) => replace(resource, object, options, 'status'),
    async mergePatch(resource, key, patch, { signal, ...how } = {}) {
      const what = { method: 'PATCH', path: objectPath(resource, key, how.subresource), signal, timeoutMs } as const
      const body = JSON.stringify(patch)
      return parse(await call(what, () => api.patch(resource, key, body, how)))
    },
    async delete(resource, key, how = {}, { signal } = {}) {
      const path = objectPath(resource, key)
      await call({ method: 'DELETE', path, signal, timeoutMs }, () => api.delete(resource, key, how))
    },
  }
}

function podVerbs({ api, closing, call }: Calls): Pick<ApiClient, 'podLog' | 'bindPod'> {
  return {
    async *podLog(key, options, signal) {
      const asked = Object.entries(options).filter(([, value]) => value !== undefined)
      const texts = Object.fromEntries(asked.map(([name, value]) => [name, String(value)]))
      const gone = followSignals([signal, closing])
      try {
        const path = objectPath(PODS, key, 'log')
        const log = await call({ method: 'GET', path, signal }, () => api.podLog(key, texts, gone.signal))
        if (log !== undefined) yield* log
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        gone.abort()
        gone.unlink()
      }
    },
    async bindPod(key, nodeName, { signal } = {}) {
      const path = objectPath(PODS, key, 'binding')
      await call({ method: 'POST', path, signal }, () => api.bindPod(key, nodeName))
    },
  }
}
