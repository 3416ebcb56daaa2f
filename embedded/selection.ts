import { parseStored } from './decode.ts'
import type { Kind } from './kind.ts'
import type { ApiObject, ListSelection } from './objects.ts'
import { matchesFields, matchesLabels, parseFieldSelector, parseLabelSelector } from './selectors.ts'

/** Which objects of a kind a list or watch is about. */
export interface Selection {
  /** False when every object below the prefix matches and none needs to be parsed. */
  readonly isSelective: boolean
  /** The one name that can match, when the selector names it. */
  readonly name: string | undefined
  matches(object: ApiObject): boolean
  /** As `matches`, on a stored value; parses only when it has to. */
  matchesJson(json: string): boolean
}

/** @throws ApiError 400 for a selector that is not understood or a field that the kind does not offer */
export function parseSelection(kind: Kind, { labelSelector = '', fieldSelector = '' }: ListSelection): Selection {
  const labels = parseLabelSelector(labelSelector)
  const isSelectable = (field: string): boolean =>
    field === 'metadata.name' || (field === 'metadata.namespace' && kind.namespaced) || kind.selectableFields.has(field)
  const fields = parseFieldSelector(fieldSelector, isSelectable)
  const matches = (object: ApiObject): boolean =>
    matchesLabels(labels, object.metadata.labels ?? {}) &&
    matchesFields(fields, (field) => fieldOf(kind, object, field))
  const isSelective = labels.length + fields.length > 0
  return {
    isSelective,
    name: fields.find(({ field, isEqual }) => field === 'metadata.name' && isEqual)?.value,
    matches,
    matchesJson: (json) => !isSelective || matches(parseStored(json)),
  }
}

function fieldOf(kind: Kind, { metadata, ...rest }: ApiObject, field: string): string | undefined {
  if (field === 'metadata.name') return metadata.name
  if (field === 'metadata.namespace') return metadata.namespace
  const [value] = kind.selectableFields.get(field)?.({ metadata, ...rest }) ?? []
  return value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
}
