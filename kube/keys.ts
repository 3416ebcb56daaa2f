import type { KubeObject, ObjectKey } from './types.ts'

/** `namespace/name`, or the name alone for cluster-scoped kinds: one string per object, as Kubernetes writes it. */
export function keyToString(key: ObjectKey): string {
  return key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`
}

/** The inverse of {@link keyToString}; neither part may hold a slash. */
export function keyFromString(text: string): ObjectKey {
  const slash = text.indexOf('/')
  return slash === -1 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}

/** What an object is addressed by. */
export function keyOf({ metadata }: KubeObject): ObjectKey {
  return { namespace: metadata.namespace, name: metadata.name }
}

/**
 * Orders two resourceVersions of one kind: negative when `a` is older.
 *
 * They are decimal integers that grow without bound, too large for a number (KEP-5504 makes their order official).
 * A longer one is a larger one, since they have no leading zeros.
 */
export function compareVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  if (a === b) return 0
  return a < b ? -1 : 1
}
