import { apiVersionOf } from './resources.ts'
import type { KubeObject, ObjectKey, Resource } from './types.ts'

type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Path of a resource's collection; without a namespace that of all namespaces. */
export function collectionPath(resource: Resource<KubeObject>, namespace?: string): string {
  const root = `${resource.group === '' ? '/api' : '/apis'}/${apiVersionOf(resource)}`
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${scope}/${resource.plural}`
}

/**
 * Path of one object, or of a subresource of it.
 *
 * @throws TypeError when a namespaced resource is asked for without a namespace, or the name is empty: the path
 *   would name the whole collection
 */
export function objectPath(resource: Resource<KubeObject>, key: ObjectKey, subresource?: string): string {
  requireNamespace(resource, key.namespace)
  if (key.name === '') throw new TypeError(`a ${resource.kind} is addressed by its name, which is empty`)
  const path = `${collectionPath(resource, key.namespace)}/${encodeURIComponent(key.name)}`
  return subresource === undefined ? path : `${path}/${subresource}`
}

/** @throws TypeError when a namespaced resource is written or read without a namespace */
export function requireNamespace(resource: Resource<KubeObject>, namespace: string | undefined): void {
  if (resource.namespaced && (namespace === undefined || namespace === ''))
    throw new TypeError(`a ${resource.kind} lives in a namespace, and none is given`)
}

/** Appends what is set; the order is that of the object. */
export function withQuery(path: string, query: Query): string {
  const set = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`
}
