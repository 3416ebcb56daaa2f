import { type Kind, apiVersionOf } from './kind.ts'
import type { ApiObject, ObjectMeta } from './objects.ts'
import { type JsonObject, type JsonValue, isObject } from './schema/json.ts'
import { badRequest, invalid } from './status.ts'

type Shape = 'string' | 'number' | 'strings' | 'string map' | 'objects'

/** The fields of ObjectMeta that are kept. managedFields are accepted and dropped: nothing here is applied server-side. */
const META_FIELDS: Readonly<Record<string, Shape | 'dropped'>> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'number',
  creationTimestamp: 'string',
  deletionTimestamp: 'string',
  deletionGracePeriodSeconds: 'number',
  labels: 'string map',
  annotations: 'string map',
  finalizers: 'strings',
  ownerReferences: 'objects',
  managedFields: 'dropped',
  selfLink: 'dropped',
}

export interface Decoded {
  readonly object: ApiObject
  /** Fields of the metadata that do not exist, as paths; dropped from the object. */
  readonly unknown: readonly string[]
}

/** Parses a stored value. It is trusted: only checked objects are ever written. */
export function parseStored(json: string): ApiObject {
  const object: ApiObject = JSON.parse(json)
  return object
}

/**
 * Checks that a body is an object of `kind` with well-formed metadata, in place.
 *
 * @throws ApiError 400 or 422, worded as a kube-apiserver does
 */
export function decodeObject(kind: Kind, body: JsonValue): Decoded {
  if (!isObject(body)) throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind})`)
  checkType(kind, body)
  const metadata = body['metadata'] ?? {}
  if (!isObject(metadata)) throw malformed(kind, 'metadata', 'ObjectMeta')
  const unknown = cleanMetadata(kind, metadata)
  metadata['name'] ??= ''
  // A fresh object, so that type and metadata stand first in what is stored and served.
  const object = { ...body, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata }
  if (!hasMeta(object)) throw malformed(kind, 'metadata', 'ObjectMeta')
  return { object: inOrder(object), unknown }
}

function checkType(kind: Kind, body: JsonObject): void {
  const { apiVersion, kind: name } = body
  if (kind.custom && (typeof name !== 'string' || name === '')) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): Object 'Kind' is missing in '${JSON.stringify(body)}'`,
    )
  }
  const expected = apiVersionOf(kind)
  if ((kind.custom || apiVersion !== undefined) && apiVersion !== expected) {
    const given = typeof apiVersion === 'string' ? apiVersion : ''
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`)
  }
  if (name !== undefined && name !== kind.kind) {
    const message = `Invalid value: ${JSON.stringify(name)}: must be ${kind.kind}`
    throw invalid(kind, '', [{ reason: 'FieldValueInvalid', field: 'kind', message }])
  }
}

function cleanMetadata(kind: Kind, metadata: JsonObject): string[] {
  const unknown: string[] = []
  for (const [field, value] of Object.entries(metadata)) {
    const shape = META_FIELDS[field]
    if (shape === undefined) unknown.push(`metadata.${field}`)
    if (shape === undefined || shape === 'dropped' || value === null) delete metadata[field]
    else if (isEmpty(value)) delete metadata[field]
    else if (!hasShape(value, shape)) throw malformed(kind, `metadata.${field}`, shape)
    // As Go's omitempty: what holds nothing is not stored.
    else if (typeof value === 'object' && Object.keys(value).length === 0) delete metadata[field]
  }
  return unknown
}

/** Empty lists and maps are left out, as Go's encoder does with ObjectMeta. */
function isEmpty(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function hasShape(value: JsonValue, shape: Shape): boolean {
  switch (shape) {
    case 'string':
    case 'number':
      return typeof value === shape
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
    case 'string map':
      return isObject(value) && Object.values(value).every((item) => typeof item === 'string')
    case 'objects':
      return Array.isArray(value) && value.every(isObject)
    default:
      return shape satisfies never
  }
}

function malformed(kind: Kind, field: string, type: string): Error {
  return badRequest(
    `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: json: cannot unmarshal into field ${kind.kind}.${field} of type ${type}`,
  )
}

/** Only says that there is a name; the shapes of the rest are what `cleanMetadata` has checked. */
function hasMeta(object: JsonObject): object is ApiObject {
  return isObject(object['metadata']) && typeof object['metadata']['name'] === 'string'
}

function inOrder({ apiVersion, kind, metadata, ...rest }: ApiObject): ApiObject {
  const named: ObjectMeta = { ...metadata, name: metadata.name }
  return { apiVersion, kind, metadata: named, ...rest }
}
