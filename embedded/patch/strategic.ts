import { type JsonObject, type JsonValue, isObject } from '../schema/json.ts'
import { setOwn } from './merge.ts'

/**
 * Which field tells the items of a built-in list apart; lists that are not here are replaced whole.
 * Source: the `patchMergeKey` tags of the Kubernetes API types that this server keeps.
 */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  ports: 'containerPort',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  conditions: 'type',
  ownerReferences: 'uid',
  addresses: 'type',
  secrets: 'name',
}

/** Lists of plain values that are merged as sets. */
const MERGED_SETS = new Set(['finalizers'])

/**
 * Strategic merge patch, as kubectl sends it for built-in kinds: a merge patch that merges lists by key and knows
 * `$patch: delete|replace`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…`.
 */
export function strategicMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch
  if (patch['$patch'] === 'replace') return withoutDirectives(patch)
  const merged: JsonObject = isObject(target) ? { ...target } : {}
  retainKeys(merged, patch['$retainKeys'])
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$')) applyDirective(merged, key, value)
    else if (value === null) delete merged[key]
    else setOwn(merged, key, mergeField(key, Object.hasOwn(merged, key) ? merged[key] : undefined, value))
  }
  return merged
}

function mergeField(key: string, old: JsonValue | undefined, value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return strategicMergePatch(old, value)
  const before = Array.isArray(old) ? old : []
  if (MERGED_SETS.has(key)) return [...before, ...value.filter((item) => !before.includes(item))]
  const mergeKey = MERGE_KEYS[key]
  return mergeKey === undefined ? value : mergeList(before, value, mergeKey)
}

function mergeList(before: readonly JsonValue[], patch: readonly JsonValue[], mergeKey: string): JsonValue[] {
  const isReplaced = patch.some(
    (item) => isObject(item) && item['$patch'] === 'replace' && item[mergeKey] === undefined,
  )
  const list = isReplaced ? [] : [...before]
  for (const item of patch) {
    if (!isObject(item) || item[mergeKey] === undefined) continue
    const at = list.findIndex((other) => isObject(other) && other[mergeKey] === item[mergeKey])
    if (item['$patch'] === 'delete') list.splice(at, at < 0 ? 0 : 1)
    else if (at < 0) list.push(strategicMergePatch(undefined, item))
    else list[at] = strategicMergePatch(list[at], item)
  }
  return list
}

function retainKeys(merged: JsonObject, keys: JsonValue | undefined): void {
  if (!Array.isArray(keys)) return
  for (const key of Object.keys(merged)) if (!keys.includes(key)) delete merged[key]
}

function applyDirective(merged: JsonObject, directive: string, value: JsonValue): void {
  const [name, field = ''] = directive.split('/', 2)
  const list = merged[field]
  // $setElementOrder only orders; a list keeps the order in which its items came.
  if (name !== '$deleteFromPrimitiveList' || !Array.isArray(list) || !Array.isArray(value)) return
  merged[field] = list.filter((item) => !value.includes(item))
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')))
}
