import { parseStored } from './decode.ts'
import { type Kind, storeKey } from './kind.ts'
import type { ApiObject, ObjectApi, ObjectEvent, ObjectKey, ResourceRef } from './objects.ts'
import { readState } from './read.ts'
import type { Registry } from './registry.ts'
import { type JsonObject, isObject } from './schema/json.ts'
import { parseSelection } from './selection.ts'
import { ApiError } from './status.ts'
import type { Store } from './storage/backend.ts'
import type { Verbs } from './verbs.ts'
import { type WatchBatch, watchKind } from './watch.ts'

/** The verbs for code in this process; see objects.ts for what they promise. */
export function makeObjectApi(store: Store, registry: Registry, verbs: Verbs): ObjectApi {
  const kindOf = (resource: ResourceRef): Kind => {
    const kind = registry.find(resource)
    if (kind !== undefined) return kind
    throw new ApiError(404, 'NotFound', `the server could not find the requested resource ${resource.plural}`)
  }
  return {
    find(resource, key) {
      const entry = store.get(storeKey(kindOf(resource), key))
      return entry === undefined ? undefined : parseStored(entry.value)
    },
    list(resource, selection = {}) {
      const kind = kindOf(resource)
      const { revision } = store
      const query = { namespace: selection.namespace, selection: parseSelection(kind, selection), revision }
      const items = [...readState(store, kind, query)].flat().map(({ value }) => parseStored(value))
      return { resourceVersion: String(revision), items }
    },
    async create(resource, object) {
      return parseStored((await verbs.create(kindOf(resource), metaOf(object).namespace, object)).json)
    },
    async update(resource, object) {
      return parseStored((await verbs.update(kindOf(resource), metaOf(object), () => object)).json)
    },
    async updateStatus(resource, object) {
      const options = { subresource: 'status' } as const
      return parseStored((await verbs.update(kindOf(resource), metaOf(object), () => object, options)).json)
    },
    async delete(resource, key, options = {}) {
      const { object, isGone } = await verbs.delete(kindOf(resource), key, options)
      return isGone ? undefined : object
    },
    watch(resource, selection, signal) {
      const kind = kindOf(resource)
      const { namespace } = selection
      const start = { namespace, selection: parseSelection(kind, selection), after: store.revision, withState: true }
      return watchObjects(watchKind(store, kind, start, signal))
    },
  }
}

async function* watchObjects(batches: AsyncIterable<WatchBatch>): AsyncGenerator<ObjectEvent, void, void> {
  for await (const batch of batches) {
    if (batch.kind === 'bookmark') continue
    for (const { type, json } of batch.events) yield { type, object: parseStored(json) }
  }
}

/** Where an object says that it is; verbs check the rest. */
function metaOf({ metadata }: JsonObject | ApiObject): ObjectKey {
  if (!isObject(metadata)) return { name: '' }
  const { name, namespace } = metadata
  return {
    name: typeof name === 'string' ? name : '',
    ...(typeof namespace === 'string' ? { namespace } : {}),
  }
}
