import { parseStored } from '../decode.ts'
import type { Kind, Column } from '../kind.ts'
import type { ApiObject } from '../objects.ts'
import { type Representation, type ListMetadata, asObjects } from '../representation.ts'
import type { JsonObject } from '../schema/json.ts'
import { unsupportedOption } from '../status.ts'

/**
 * The form that an Accept header asks for. Whatever it is, the answer is JSON: clients that prefer protobuf list
 * JSON too, and would not come back after a 406.
 *
 * @throws ApiError 422 for an unknown includeObject
 */
export function representationFor(
  accept: string | undefined,
  kind: Kind,
  query: URLSearchParams,
  now: Date,
): Representation {
  for (const range of (accept ?? '').split(',')) {
    const parameters = range.split(';').map((part) => part.trim())
    const as = parameters.find((part) => part.startsWith('as='))?.slice('as='.length)
    if (as === 'Table' && parameters.includes('v=v1')) return asTable(kind, includeObject(query), now)
    if (as === 'PartialObjectMetadataList' || as === 'PartialObjectMetadata') return asPartialMetadata()
    if (as === undefined) break
  }
  return asObjects(kind)
}

function includeObject(query: URLSearchParams): IncludeObject {
  const wanted = query.get('includeObject') ?? ''
  const found = INCLUDES.find((name) => name === wanted)
  if (wanted !== '' && found === undefined) {
    throw unsupportedOption('TableOptions', 'includeObject', wanted, INCLUDES)
  }
  return found ?? 'Metadata'
}

/** What of its object a row of a table carries. */
const INCLUDES = ['None', 'Metadata', 'Object'] as const
type IncludeObject = (typeof INCLUDES)[number]

const NAME_COLUMN: Column = {
  name: 'Name',
  type: 'string',
  // Without it kubectl does not write `kind/name` when it shows several kinds.
  format: 'name',
  description: 'Unique within the namespace.',
  priority: 0,
  cell: ({ metadata }) => metadata.name,
}

/** Rows for `kubectl get`: cells made by the server, and what of the object kubectl still needs. */
function asTable(kind: Kind, include: IncludeObject, now: Date): Representation {
  const columns =
    kind.columns.some(({ name }) => name === 'Name') && !kind.custom ? kind.columns : [NAME_COLUMN, ...kind.columns]
  const definitions = JSON.stringify(
    columns.map(({ name, type, format = '', description = '', priority }): JsonObject => ({
      name,
      type,
      format,
      description,
      priority,
    })),
  )
  const head = (columnDefinitions: string): string =>
    `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":${columnDefinitions},"rows":[`
  const tail = (metadata: ListMetadata): string => `],"metadata":${JSON.stringify(metadata)}}`
  const row = (object: ApiObject, json: string): string =>
    `{"cells":${JSON.stringify(columns.map(({ cell }) => cell(object, now)))},"object":${included(object, json, include)}}`
  const whole = (json: string, columnDefinitions: string): string => {
    const object = parseStored(json)
    return (
      head(columnDefinitions) + row(object, json) + tail({ resourceVersion: object.metadata.resourceVersion ?? '' })
    )
  }
  return {
    object: (json) => whole(json, definitions),
    listHead: head(definitions),
    item: (json) => row(parseStored(json), json),
    listTail: tail,
    eventObject: (json, isFirst) => whole(json, isFirst ? definitions : 'null'),
  }
}

/** Objects without spec and status, as garbage collectors and caches of names ask for. */
function asPartialMetadata(): Representation {
  const item = (json: string): string => JSON.stringify(partial(parseStored(json)))
  return {
    object: item,
    listHead: '{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","items":[',
    item,
    listTail: (metadata) => `],"metadata":${JSON.stringify(metadata)}}`,
    eventObject: item,
  }
}

function included(object: ApiObject, json: string, include: IncludeObject): string {
  switch (include) {
    case 'None':
      return 'null'
    case 'Object':
      return json
    case 'Metadata':
      return JSON.stringify(partial(object))
    default:
      return include satisfies never
  }
}

function partial({ metadata }: ApiObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
}
