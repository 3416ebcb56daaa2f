import { CUSTOM_RESOURCE_DEFINITIONS, INSTALLED_DEFINITIONS } from './builtin/definition.ts'
import { toKind } from './custom.ts'
import { parseStored } from './decode.ts'
import { keyPrefix, storeKey } from './kind.ts'
import { isJsonValue } from './json-value.ts'
import type { Registry } from './registry.ts'
import { type JsonObject, isObject } from './schema/json.ts'
import { SchemaError } from './schema/structural.ts'
import type { Change, Store } from './storage/backend.ts'
import { mergePatch } from './patch/merge.ts'
import type { Verbs } from './verbs.ts'

/** Serves the kinds of all stored definitions, and keeps doing so as they change; the returned function ends it. */
export function followDefinitions(store: Store, registry: Registry): () => void {
  const prefix = keyPrefix(CUSTOM_RESOURCE_DEFINITIONS)
  let revision = store.revision
  for (const { value } of store.range({ prefix, revision })) registry.put(toKind(parseStored(value)))
  return store.onChange(() => {
    const changes = store.changesAfter(revision)
    revision = store.revision
    for (const change of changes) if (change.key.startsWith(prefix)) follow(registry, change)
  })
}

function follow(registry: Registry, { type, value, previous }: Change): void {
  const kind = toKind(parseStored(value))
  if (type === 'remove') {
    registry.remove(kind)
    return
  }
  // A status or a label says nothing about the kind; its compiled schema stays.
  if (
    previous === undefined ||
    JSON.stringify(parseStored(previous.value)['spec']) !== JSON.stringify(parseStored(value)['spec'])
  ) {
    registry.put(kind)
  }
}

/**
 * Stores the given definitions where they are new or differ.
 *
 * @throws SchemaError for what is no definition
 */
export async function installDefinitions(store: Store, verbs: Verbs, crds: readonly unknown[]): Promise<void> {
  await Promise.all(crds.map((crd) => install(store, verbs, toDefinition(crd))))
}

async function install(store: Store, verbs: Verbs, crd: JsonObject): Promise<void> {
  const name = isObject(crd['metadata']) ? crd['metadata']['name'] : undefined
  if (typeof name !== 'string') throw notADefinition('metadata.name')
  const kind = INSTALLED_DEFINITIONS
  if (store.latest(storeKey(kind, { name })) === undefined) {
    await verbs.create(kind, undefined, crd)
    return
  }
  // Annotations and labels that others have set stay; the spec is the file's.
  await verbs.update(kind, { name }, (old) => ({ ...withMetadata(old, crd), spec: crd['spec'] ?? {} }))
}

function withMetadata(old: JsonObject, crd: JsonObject): JsonObject {
  const { metadata } = crd
  const merged = mergePatch({ metadata: old['metadata'] ?? {} }, { metadata: metadata ?? {} })
  return isObject(merged) ? { ...old, ...merged } : old
}

function toDefinition(crd: unknown): JsonObject {
  if (!isJsonValue(crd) || !isObject(crd)) throw notADefinition('')
  if (crd['kind'] !== 'CustomResourceDefinition') throw notADefinition('kind')
  return crd
}

function notADefinition(field: string): SchemaError {
  return new SchemaError([{ reason: 'FieldValueInvalid', field, message: 'a CustomResourceDefinition is wanted' }])
}
