import { type Kind, keyPrefix } from './kind.ts'
import type { Selection } from './selection.ts'
import type { Entry, Store } from './storage/backend.ts'

/** How many objects are read before others get their turn. */
const CHUNK = 500

export interface PageQuery {
  readonly namespace: string | undefined
  readonly selection: Selection
  readonly revision: number
  /** Start behind this key of the store. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/**
 * The matching objects of one state, in chunks, so that a long list neither blocks the process nor is held whole.
 *
 * @throws RevisionCompacted when the state is forgotten, also between two chunks
 */
export function* readState(store: Store, kind: Kind, query: PageQuery): Generator<readonly Entry[]> {
  const { namespace, selection, revision, limit = Infinity } = query
  const prefix = keyPrefix(kind, kind.namespaced ? namespace : undefined)
  const isOneKey = selection.name !== undefined && (namespace !== undefined || !kind.namespaced)
  let after = query.after
  let found = 0
  while (found < limit) {
    const chunk = store.range({
      prefix: isOneKey ? prefix + (selection.name ?? '') : prefix,
      after,
      revision,
      limit: CHUNK,
    })
    const matching = chunk.filter(({ value }) => selection.matchesJson(value)).slice(0, limit - found)
    found += matching.length
    if (matching.length > 0) yield matching
    if (chunk.length < CHUNK) return
    after = chunk.at(-1)?.key
  }
}
