import type { Kind } from '../kind.ts'
import type { Registry } from '../registry.ts'
import { notServed } from '../status.ts'

/** What a resource path points at. */
export interface Target {
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly subresource: string | undefined
}

/**
 * Finds the resource that a path such as `/apis/<group>/<version>/namespaces/<ns>/<plural>/<name>/<subresource>`
 * points at; undefined when nothing is served there.
 *
 * @throws ApiError 404 for a subresource that a served kind does not have here. A kube-apiserver answers a bare page;
 *   clients show the message, and a person who tries `kubectl exec` must not take it for a fault.
 */
export function findTarget(registry: Registry, path: string): Target | undefined {
  const segments = decodeSegments(path)
  if (segments === undefined) return undefined
  const [root, ...rest] = segments
  if (root === 'api') return below(registry, '', rest)
  const [group, ...more] = rest
  return root === 'apis' && group !== undefined ? below(registry, group, more) : undefined
}

function decodeSegments(path: string): string[] | undefined {
  try {
    return path.slice(1).split('/').map(decodeURIComponent)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

function below(registry: Registry, group: string, [version, ...rest]: readonly string[]): Target | undefined {
  if (version === undefined) return undefined
  const [first, second, third] = rest
  // `namespaces/<name>` and `namespaces/<name>/status` are the Namespace itself, `namespaces/<ns>/<plural>` is in it.
  const isScoped =
    first === 'namespaces' && third !== undefined && !(group === '' && rest.length === 3 && third === 'status')
  const [plural, name, subresource, ...tooMuch] = isScoped ? rest.slice(2) : rest
  if (plural === undefined || tooMuch.length > 0 || name === '') return undefined
  const kind = registry.find({ group, version, plural })
  if (kind === undefined || (isScoped && !kind.namespaced)) return undefined
  // An object of a namespaced kind has no address without its namespace.
  if (kind.namespaced && !isScoped && name !== undefined) return undefined
  if (subresource !== undefined && !hasSubresource(kind, subresource)) throw notServed(plural, subresource)
  return { kind, namespace: isScoped ? second : undefined, name, subresource }
}

function hasSubresource(kind: Kind, name: string): boolean {
  return name === 'status' ? kind.hasStatus : kind.subresources.some((subresource) => subresource === name)
}
