/**
 * Lists that go on into the archive (specification §14.4): behind the last live record come those of the archive, the
 * month newest first in which they were archived, then by the task's name.
 */
import { apiError } from '../../core/errors.ts'
import { parseJson } from '../../core/json.ts'
import type { Archive } from '../../lib/archive/archive.ts'
import { type ArchivedTask, DamagedRecord } from '../../lib/archive/record.ts'
import type { Logger } from '../../lib/log.ts'
import type { Caches } from '../cache/caches.ts'
import type { Page, PageQuery } from './pages.ts'

export interface ArchivePagesOptions {
  readonly archive: Archive
  readonly namespace: string
  readonly caches: Pick<Caches, 'tasks'>
  readonly logger: Pick<Logger, 'warn'>
}

/** What a list takes of each archived task, in the list's order. */
export type TakeItems<T> = (record: ArchivedTask) => readonly T[]

export interface ArchivePages {
  /** The page of the archive that a cursor asks for; undefined when it asks for live records. */
  read<T extends Named>(query: PageQuery, take: TakeItems<T>): Promise<Page<T> | undefined>
  /** A page of live records that, if it is the last one, leads on into the archive. */
  continueInto<T>(page: Page<T>, query: PageQuery): Promise<Page<T>>
}

interface Named {
  readonly metadata: { readonly name: string }
}

/** The last item of a page: month, task, and item of it; empty: before the first. */
type ArchivePosition = readonly [month: string, task: string, item: string]

/** So many records are opened for one page, so that a filter that matches little does not read years at once. */
const MAX_RECORDS = 500
const MARK = 'archive'

export function createArchivePages({ archive, namespace, caches, logger }: ArchivePagesOptions): ArchivePages {
  const readRecord = async (task: string): Promise<ArchivedTask | undefined> => {
    // A crash may have left the record of a task that is live.
    if (caches.tasks.find(task) !== undefined) return undefined
    try {
      return await archive.find(namespace, task)
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error
      logger.warn({ namespace, task, error }, 'an archived task could not be read: it is missing in a list')
      return undefined
    }
  }
  async function* walk([fromMonth, fromTask]: ArchivePosition): AsyncGenerator<readonly [month: string, task: string]> {
    for (const month of await archive.months(namespace)) {
      if (fromMonth !== '' && month > fromMonth) continue
      const names = (await archive.names(namespace, month)).toSorted().toReversed()
      for (const name of names) if (month !== fromMonth || name <= fromTask) yield [month, name]
    }
  }
  return {
    async read(query, take) {
      const after = parseCursor(query.cursor)
      if (after === undefined) return undefined
      const limit = query.limit ?? Infinity
      const items: ReturnType<typeof take>[number][] = []
      let [opened, last] = [0, after]
      let next: ArchivePosition | undefined
      for await (const [month, task] of walk(after)) {
        if (items.length >= limit || opened >= MAX_RECORDS) {
          next = last
          break
        }
        opened += 1
        const record = await readRecord(task)
        const all = record === undefined ? [] : take(record)
        const isResumed = month === after[0] && task === after[1]
        const done = isResumed ? all.findIndex(({ metadata }) => metadata.name === after[2]) + 1 : 0
        const taken = all.slice(isResumed && done === 0 ? all.length : done).slice(0, limit - items.length)
        items.push(...taken)
        last = [month, task, taken.at(-1)?.metadata.name ?? (isResumed ? after[2] : '')]
        if (done + taken.length < all.length && taken.length > 0) {
          next = last
          break
        }
      }
      return { items, headers: (path, filters) => linkTo(path, query, filters, next) }
    },
    async continueInto(page, query) {
      const isPaged = query.limit !== undefined
      const hasArchive = isPaged && (await archive.months(namespace)).length > 0
      if (!hasArchive) return page
      return {
        items: page.items,
        headers(path, filters) {
          const live = page.headers(path, filters)
          return Object.keys(live).length > 0 ? live : linkTo(path, query, filters, ['', '', ''])
        },
      }
    },
  }
}

function linkTo(
  path: string,
  { limit }: PageQuery,
  filters: Readonly<Record<string, string | undefined>> = {},
  position: ArchivePosition | undefined,
): Record<string, string> {
  if (position === undefined) return {}
  const cursor = Buffer.from(JSON.stringify([MARK, ...position])).toString('base64url')
  const search = new URLSearchParams({ ...(limit !== undefined && { limit: String(limit) }), cursor })
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) search.set(name, value)
  return { Link: `<${path}?${search.toString()}>; rel="next"` }
}

/** @throws ApiError `invalid_request` for a cursor of the archive that this server did not make */
function parseCursor(cursor: string | undefined): ArchivePosition | undefined {
  const text = Buffer.from(cursor ?? '', 'base64url').toString()
  if (!text.startsWith(`["${MARK}",`)) return undefined
  const values = parseJson(text)
  const [, month, task, item]: readonly unknown[] = Array.isArray(values) ? values : []
  if (typeof month !== 'string' || typeof task !== 'string' || typeof item !== 'string')
    throw apiError('invalid_request', `cursor: not one of this server: ${cursor}`)
  return [month, task, item]
}
