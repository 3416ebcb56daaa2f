import type { Task } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import { type Order, type Position, orderOfChain, sortBy } from './order.ts'

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
 * A page of a list that is sorted in `order`. The cursor names the place of the last record of the page before, so
 * records that come or go in between neither repeat nor hide others.
 *
 * @throws ApiError `invalid_request` for a cursor that this server did not make
 */
export function paginate<T>(sorted: readonly T[], query: PageQuery, order: Order<NoInfer<T>>): Page<T> {
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, order)
  const rest =
    after === undefined ? sorted : sorted.filter((object) => order.compare(order.position(object), after) > 0)
  const items = query.limit === undefined ? rest : rest.slice(0, query.limit)
  const last = items.at(-1)
  return {
    items,
    headers(path, filters = {}) {
      if (items.length === rest.length || last === undefined || query.limit === undefined) return {}
      const search = new URLSearchParams({ limit: String(query.limit), cursor: encodeCursor(order.position(last)) })
      for (const [name, value] of Object.entries(filters)) if (value !== undefined) search.set(name, value)
      return { Link: `<${path}?${search.toString()}>; rel="next"` }
    },
  }
}

/** A page of tasks in chain order. */
export function paginateChain(tasks: readonly Task[], query: PageQuery): Page<Task> {
  const order = orderOfChain(tasks)
  return paginate(sortBy(order, tasks), query, order)
}

function encodeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

function decodeCursor(cursor: string, { shape }: Order<never>): Position {
  const position = parsePosition(Buffer.from(cursor, 'base64url').toString())
  const isOurs = position.length === shape.length && position.every((value, i) => typeof value === shape[i])
  if (!isOurs) throw apiError('invalid_request', `cursor: not one of this server: ${cursor}`)
  return position
}

/** Anything that is no list of texts and numbers comes out empty, which no order has as a position. */
function parsePosition(text: string): Position {
  const parsed = parseJson(text)
  const values: readonly unknown[] = Array.isArray(parsed) ? parsed : []
  return values.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [value] : []))
}
