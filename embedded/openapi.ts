import { createHash } from 'node:crypto'
import { type Kind, apiVersionOf } from './kind.ts'
import { messageOf } from './protobuf/fields.ts'
import { MESSAGES } from './protobuf/messages.ts'
import { messageSchemas, OBJECT_META, schemaNameOf } from './protobuf/schemas.ts'
import type { Registry } from './registry.ts'
import type { JsonObject } from './schema/json.ts'

/** OpenAPI v3 documents, one per group and version: what `kubectl explain` and client-side checks read. */
export interface OpenApi {
  /** The documents there are, each with a hash: kubectl keeps them for ever by it. */
  index(): JsonObject
  /** By path, such as `apis/batch/v1`. */
  document(path: string): JsonObject | undefined
}

export function makeOpenApi(registry: Registry): OpenApi {
  let builtFor = -1
  let documents = new Map<string, { document: JsonObject; hash: string }>()
  const current = (): typeof documents => {
    if (builtFor !== registry.generation) {
      documents = build(registry)
      builtFor = registry.generation
    }
    return documents
  }
  return {
    index() {
      const paths = [...current()].map(([path, { hash }]): [string, JsonObject] => [
        path,
        { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` },
      ])
      return { paths: Object.fromEntries(paths) }
    },
    document: (path) => current().get(path)?.document,
  }
}

function build(registry: Registry): Map<string, { document: JsonObject; hash: string }> {
  return new Map(
    [...registry.grouped()].map(([apiVersion, kinds]) => {
      const document = toDocument(kinds)
      const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex').toUpperCase()
      return [apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`, { document, hash }]
    }),
  )
}

function toDocument(kinds: readonly Kind[]): JsonObject {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.34.0' },
    paths: Object.fromEntries(kinds.map((kind) => [objectPath(kind), { patch: patchOperation(kind) }])),
    components: {
      schemas: {
        [OBJECT_META]: OBJECT_META_SCHEMA,
        ...Object.fromEntries(kinds.flatMap(schemasOf)),
      },
    },
  }
}

/** Without this parameter kubectl takes the server for one that cannot validate, and asks for OpenAPI v2. */
function patchOperation(kind: Kind): JsonObject {
  return {
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': groupVersionKind(kind),
    parameters: [
      { name: 'fieldValidation', in: 'query', schema: { type: 'string', uniqueItems: true } },
      { name: 'dryRun', in: 'query', schema: { type: 'string', uniqueItems: true } },
    ],
    responses: { 200: { description: 'OK' } },
  }
}

/** The schema of a kind and those that it refers to, by name. */
function schemasOf(kind: Kind): [string, JsonObject][] {
  const message = messageOf(apiVersionOf(kind), kind.kind)
  if (kind.custom || MESSAGES[message] === undefined) return [[schemaName(kind), schemaOf(kind, kind.schema)]]
  return [...messageSchemas(message, kind.schema)].map(([name, schema]) => [
    name,
    name === schemaNameOf(message) ? schemaOf(kind, schema) : schema,
  ])
}

function schemaOf(kind: Kind, schema: JsonObject): JsonObject {
  const properties = schema['properties']
  return {
    ...schema,
    properties: {
      ...(typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? properties : {}),
      apiVersion: { type: 'string', description: 'Group and version of this representation of the object.' },
      kind: { type: 'string', description: 'The kind of the object.' },
      metadata: {
        description: "The object's name, labels, owners and the like.",
        allOf: [{ $ref: `#/components/schemas/${OBJECT_META}` }],
        default: {},
      },
    },
    'x-kubernetes-group-version-kind': [groupVersionKind(kind)],
  }
}

function groupVersionKind({ group, version, kind }: Kind): JsonObject {
  return { group, version, kind }
}

function objectPath(kind: Kind): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  return `${root}/${kind.namespaced ? 'namespaces/{namespace}/' : ''}${kind.plural}/{name}`
}

/** As real servers name them: the group's labels reversed. */
function schemaName({ group, version, kind }: Kind): string {
  const reversed = group === '' ? 'io.k8s.api.core' : group.split('.').toReversed().join('.')
  return `${reversed}.${version}.${kind}`
}

const text = (description: string): JsonObject => ({ type: 'string', description })
const textMap = (description: string): JsonObject => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
})
const textList = (description: string): JsonObject => ({ type: 'array', description, items: { type: 'string' } })

const OBJECT_META_SCHEMA: JsonObject = {
  type: 'object',
  description: 'ObjectMeta is what every stored object has.',
  properties: {
    name: text('Unique among the objects of this kind in the namespace; cannot be changed.'),
    generateName: text('The server makes a unique name that begins with this, when there is no name.'),
    namespace: text('The namespace that the object is in.'),
    uid: text('Unique over time; the server sets it.'),
    resourceVersion: text('Changes with every write; sent back, it makes an update a compare-and-swap.'),
    generation: { type: 'integer', format: 'int64', description: 'Counts the changes of what is asked for.' },
    creationTimestamp: { type: 'string', format: 'date-time', description: 'When the object was created.' },
    deletionTimestamp: { type: 'string', format: 'date-time', description: 'Set once the object is being deleted.' },
    deletionGracePeriodSeconds: {
      type: 'integer',
      format: 'int64',
      description: 'Time the object has to end by itself.',
    },
    labels: textMap('Keys and values to select objects by.'),
    annotations: textMap('Keys and values that tools leave with the object.'),
    finalizers: textList('Who has something to do before the object may go.'),
    ownerReferences: {
      type: 'array',
      description: 'Objects that this one belongs to; it is deleted with the last of them.',
      items: {
        type: 'object',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: {
          apiVersion: text('Group and version of the owner.'),
          kind: text('Kind of the owner.'),
          name: text('Name of the owner.'),
          uid: text('uid of the owner.'),
          controller: { type: 'boolean', description: 'Whether the owner manages this object.' },
          blockOwnerDeletion: {
            type: 'boolean',
            description: 'Whether a foreground deletion of the owner waits for this object.',
          },
        },
      },
    },
  },
}
