import type { Kind } from '../kind.ts'
import { asObjects } from '../representation.ts'
import type { Representation } from '../representation.ts'
import { unsupportedOption } from '../status.ts'
import type { IncludeObject } from './table.ts'
import { asPartialMetadata, asTable, INCLUDES } from './table.ts'

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
