import { InvalidRequest } from '../core/errors.ts'
import type { KubeObject } from '../kube/types.ts'

export interface PageQuery {
  /** Absent: everything. */
  readonly limit?: number
  readonly cursor?: string
}

export interface Page<T> {
  readonly items: readonly T[]
  /** `Link` to the next page (RFC 8288), if there is one. */
  headers(path: string, filters?: Readonly<Record<string, string | undefined>>): Record<string, string>
}

/**
 * A page of records that are sorted newest first. The cursor names the last record of the page before by age and
 * name, so records that come or go in between neither repeat nor hide others.
 *
 * @throws InvalidRequest for a cursor that this server did not make
 */
export function paginate<T extends KubeObject>(sorted: readonly T[], query: PageQuery): Page<T> {
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  const rest = after === undefined ? sorted : sorted.filter((object) => positionOf(object) < after)
  const items = query.limit === undefined ? rest : rest.slice(0, query.limit)
  const last = items.at(-1)
  return {
    items,
    headers(path, filters = {}) {
      if (items.length === rest.length || last === undefined || query.limit === undefined) return {}
      const search = new URLSearchParams({ limit: String(query.limit), cursor: encodeCursor(positionOf(last)) })
      for (const [name, value] of Object.entries(filters)) if (value !== undefined) search.set(name, value)
      return { Link: `<${path}?${search.toString()}>; rel="next"` }
    },
  }
}

/** Sorts as the list does: newest first is descending. */
function positionOf({ metadata }: KubeObject): string {
  return `${metadata.creationTimestamp ?? ''} ${metadata.name}`
}

function encodeCursor(position: string): string {
  return Buffer.from(position).toString('base64url')
}

function decodeCursor(cursor: string): string {
  const position = Buffer.from(cursor, 'base64url').toString()
  if (!/^\S* \S+$/.test(position)) throw new InvalidRequest(`cursor: not one of this server: ${cursor}`)
  return position
}
