import { createHash } from 'node:crypto'
import { type Kind, apiVersionOf } from './kind.ts'
import type { Registry } from './registry.ts'
import type { JsonObject } from './schema/json.ts'

/** The discovery documents, in the aggregated form that kubectl asks for and in the older one that others read. */
export interface Discovery {
  /** The entity tag of the aggregated documents; changes with every change of a kind. */
  etag(): string
  /** `/api` (root "core") and `/apis`. */
  aggregated(root: 'core' | 'groups'): JsonObject
  coreVersions(): JsonObject
  groups(): JsonObject
  group(name: string): JsonObject | undefined
  resources(group: string, version: string): JsonObject | undefined
}

const OBJECT_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const
const SUBRESOURCE_VERBS = { status: ['get', 'patch', 'update'], log: ['get'], binding: ['create'] } as const

export function makeDiscovery(registry: Registry): Discovery {
  const groupNames = (): string[] =>
    [...new Set(registry.all().map(({ group }) => group))].filter((name) => name !== '')
  const versionsOf = (group: string): [string, readonly Kind[]][] =>
    [...registry.grouped()].filter(([, [kind]]) => kind?.group === group)

  const aggregatedGroup = (group: string): JsonObject => ({
    metadata: { name: group },
    versions: versionsOf(group).map(([, kinds]) => ({
      version: kinds[0]?.version ?? '',
      freshness: 'Current',
      resources: kinds.map(aggregatedResource),
    })),
  })

  return {
    etag: () =>
      createHash('sha256')
        .update(JSON.stringify(registry.all().map(aggregatedResource)))
        .digest('hex')
        .toUpperCase(),
    aggregated: (root) => ({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: root === 'core' ? [aggregatedGroup('')] : groupNames().map(aggregatedGroup),
    }),
    coreVersions: () => ({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }),
    groups: () => ({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groupNames().map((name) => legacyGroup(name, versionsOf(name))),
    }),
    group(name) {
      const versions = versionsOf(name)
      return versions.length === 0 || name === ''
        ? undefined
        : { kind: 'APIGroup', apiVersion: 'v1', ...legacyGroup(name, versions) }
    },
    resources(group, version) {
      const groupVersion = apiVersionOf({ group, version })
      const kinds = registry.grouped().get(groupVersion)
      if (kinds === undefined) return undefined
      return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: kinds.flatMap(legacyResources) }
    },
  }
}

function aggregatedResource(kind: Kind): JsonObject {
  const responseKind = { group: kind.group, version: kind.version, kind: kind.kind }
  return {
    resource: kind.plural,
    responseKind,
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: verbsOf(kind),
    ...(kind.shortNames.length === 0 ? {} : { shortNames: [...kind.shortNames] }),
    ...(kind.categories.length === 0 ? {} : { categories: [...kind.categories] }),
    subresources: subresourcesOf(kind).map((subresource) => ({
      subresource,
      responseKind,
      verbs: [...SUBRESOURCE_VERBS[subresource]],
    })),
  }
}

function legacyGroup(name: string, versions: readonly [string, readonly Kind[]][]): JsonObject {
  const served = versions.map(([groupVersion, [kind]]) => ({ groupVersion, version: kind?.version ?? '' }))
  return { name, versions: served, preferredVersion: served[0] ?? {} }
}

function legacyResources(kind: Kind): JsonObject[] {
  const base = { singularName: kind.singular, namespaced: kind.namespaced, kind: kind.kind }
  return [
    {
      ...base,
      name: kind.plural,
      verbs: verbsOf(kind),
      ...(kind.shortNames.length === 0 ? {} : { shortNames: [...kind.shortNames] }),
      ...(kind.categories.length === 0 ? {} : { categories: [...kind.categories] }),
    },
    ...subresourcesOf(kind).map((name) => ({
      ...base,
      singularName: '',
      name: `${kind.plural}/${name}`,
      verbs: [...SUBRESOURCE_VERBS[name]],
    })),
  ]
}

function verbsOf({ hasDeleteCollection, absence }: Kind): string[] {
  if (absence !== undefined) return ['get', 'list', 'watch']
  return OBJECT_VERBS.filter((verb) => verb !== 'deletecollection' || hasDeleteCollection)
}

function subresourcesOf(kind: Kind): ('status' | 'log' | 'binding')[] {
  return [...(kind.hasStatus ? (['status'] as const) : []), ...kind.subresources]
}
