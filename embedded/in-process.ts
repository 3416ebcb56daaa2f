import { setImmediate } from 'node:timers/promises'
import type { Logger } from '../lib/log.ts'
import { bindPod } from './binding.ts'
import { PODS } from './builtin/pod.ts'
import { toApiError } from './failure.ts'
import { MAX_BODY_BYTES, parseBody, parsePatch, tooLarge } from './json-value.ts'
import { type Kind, storeKey } from './kind.ts'
import { type ListRequest, openPage } from './list.ts'
import type { DeleteOptions, ObjectKey, ResourceRef } from './objects.ts'
import { mergePatch } from './patch/merge.ts'
import { type LogOptions, type NodeLogin, openPodLog } from './pod-log.ts'
import type { Registry } from './registry.ts'
import type { ListMetadata } from './representation.ts'
import { ApiError, notFound, notServed } from './status.ts'
import type { Store } from './storage/backend.ts'
import type { Verbs, WriteOptions } from './verbs.ts'
import { type WatchBatch, type WatchContext, type WatchRequest, openWatch } from './watch.ts'

/**
 * The verbs for clients in the server's own process: what their requests over HTTP would come to, and no connection.
 *
 * Bodies and answers are JSON texts, as they are stored, so nobody holds what another one could change. Verbs throw the
 * ApiError that HTTP answers with; once the server stops, an error with the code ECONNREFUSED.
 */
export interface InProcessApi {
  get(resource: ResourceRef, key: ObjectKey): Promise<string>
  list(resource: ResourceRef, request: ListRequest): Promise<TextList>
  /** Refuses at once; ends when `gone` aborts, its time is over or the server stops. */
  watch(resource: ResourceRef, request: WatchRequest, gone: AbortSignal): AsyncIterable<WatchBatch>
  create(resource: ResourceRef, namespace: string | undefined, body: string, options: WriteOptions): Promise<string>
  replace(resource: ResourceRef, key: ObjectKey, body: string, options: WriteOptions): Promise<string>
  /** JSON merge patch. */
  patch(resource: ResourceRef, key: ObjectKey, patch: string, options: WriteOptions): Promise<string>
  delete(resource: ResourceRef, key: ObjectKey, how: DeleteOptions): Promise<void>
  /** Undefined for a pod without a node. */
  podLog(key: ObjectKey, options: LogOptions, gone: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>
  bindPod(key: ObjectKey, node: string): Promise<void>
}

export interface TextList extends ListMetadata {
  readonly items: readonly string[]
}

export interface InProcessContext extends WatchContext {
  readonly verbs: Verbs
  readonly registry: Registry
  readonly logger: Logger
  readonly nodeLogin: NodeLogin
}

export function makeInProcessApi(context: InProcessContext): InProcessApi {
  const { store, verbs, registry, stopping, logger } = context
  const find = (resource: ResourceRef, options: WriteOptions = {}): Kind => {
    if (stopping.aborted) throw failure('ECONNREFUSED', 'connect ECONNREFUSED: the control plane has stopped')
    const kind = registry.find(resource)
    if (kind === undefined) throw new ApiError(404, '', '404 page not found')
    if (options.subresource === 'status' && !kind.hasStatus) throw notServed(resource.plural, 'status')
    return kind
  }
  const answer = async <T>(verb: string, { plural }: ResourceRef, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (stopping.aborted && !(error instanceof ApiError)) throw failure('ECONNRESET', 'the control plane has stopped')
      throw toApiError(error, (unknown) => logger.error({ error: unknown, verb, plural }, 'request failed'))
    }
  }
  return {
    get: async (resource, key) => answer('get', resource, read(store, find(resource), key)),
    list: async (resource, request) => answer('list', resource, readPage(context, find(resource), request)),
    watch: (resource, request, gone) => openWatch(context, find(resource), request, gone),
    async create(resource, namespace, body, options) {
      const kind = find(resource)
      return answer(
        'create',
        resource,
        written(verbs.create(kind, namespace, parseBody(bounded(body), kind.kind), options)),
      )
    },
    async replace(resource, key, body, options) {
      const kind = find(resource, options)
      const parsed = parseBody(bounded(body), kind.kind)
      return answer('replace', resource, written(verbs.update(kind, key, () => parsed, options)))
    },
    async patch(resource, key, text, options) {
      const patch = parsePatch(bounded(text))
      const change = verbs.update(find(resource, options), key, (old) => mergePatch(old, patch), options)
      return answer('patch', resource, written(change))
    },
    async delete(resource, key, how) {
      await answer('delete', resource, verbs.delete(find(resource), key, how))
    },
    async podLog(key, options, gone) {
      return answer('log', PODS, readLog(context, find(PODS), key, options, gone))
    },
    async bindPod(key, node) {
      await answer('bind', PODS, bindPod(context, find(PODS), key, node))
    },
  }
}

async function read(store: Store, kind: Kind, key: ObjectKey): Promise<string> {
  const entry = store.get(storeKey(kind, key))
  if (entry === undefined) throw notFound(kind, key.name)
  return entry.value
}

async function readPage({ store, stopping }: WatchContext, kind: Kind, request: ListRequest): Promise<TextList> {
  const page = openPage(store, kind, request)
  const items: string[] = []
  for (const entries of page.chunks) {
    if (items.length > 0) await setImmediate()
    stopping.throwIfAborted()
    for (const { value } of entries) items.push(value)
  }
  return { ...page.metadata(), items }
}

async function readLog(
  context: InProcessContext,
  pods: Kind,
  key: ObjectKey,
  options: LogOptions,
  gone: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const log = await openPodLog(context, pods, key, options, gone)
  const cut = (): void => void log?.destroy(failure('ECONNRESET', 'the control plane has stopped'))
  context.stopping.addEventListener('abort', cut)
  log?.once('close', () => context.stopping.removeEventListener('abort', cut))
  return log
}

async function written(work: Promise<{ readonly json: string }>): Promise<string> {
  return (await work).json
}

/** @throws ApiError 413 for what a request must not hold */
function bounded(text: string): string {
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw tooLarge()
  return text
}

/** An error like a socket's. */
function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
