import type { Story } from '../../core/crd/types.ts'
import { ApiError, apiError } from '../../core/errors.ts'
import { type ColumnId, type Place, COLUMN_OF_STATUS, numberPlaces } from '../../core/story/columns.ts'
import { storyStatus } from '../../core/story/status.ts'
import { allDone } from '../../lib/async.ts'
import type { ApiContext } from '../context.ts'
import { markEdited } from './merge-edit.ts'
import { changeRecord, requireFound } from './writes.ts'

/** Stories of one order that are written at a time: the control plane has others to answer. */
const AT_ONCE = 8

/**
 * Gives stories of one column priorities by which they stand in the order of `ids`. All of them are looked at before the
 * first is written, so that what is refused stores nothing.
 *
 * The last place is written first: stories without a place of their own have 0 and stand before all others, so what is
 * not written stays before what is, also where the control plane fails in between.
 *
 * @returns the places that they have now, without those of stories that have left the column meanwhile
 * @throws ApiError `not_found`, `transition_refused` for stories of several columns, `write_contended`
 */
export async function orderStories(context: ApiContext, ids: readonly string[]): Promise<Place[]> {
  const stories: Story[] = []
  for (const id of ids) stories.push(requireFound(await context.caches.stories.read(id), `story ${id}`))
  const column = findColumn(stories)
  const places = numberPlaces(ids)
  const left = [...places]
  const skipped = new Set<Place>()
  const work = async (): Promise<void> => {
    try {
      for (let place = left.pop(); place !== undefined; place = left.pop())
        if (!(await storePlace(context, place, column))) skipped.add(place)
    } catch (error) {
      left.length = 0
      throw error
    }
  }
  await allDone(Array.from({ length: AT_ONCE }, work))
  return places.filter((place) => !skipped.has(place))
}

/** Stories that have their place already are left alone. @returns false: it is gone, or in another column by now */
async function storePlace(
  { client, caches, clock }: ApiContext,
  { id, priority }: Place,
  column: ColumnId,
): Promise<boolean> {
  try {
    const { result } = await changeRecord(client, caches.stories, { kind: 'story', id }, (story) => {
      const isThere = COLUMN_OF_STATUS[storyStatus(story)] === column
      const isWritten = !isThere || (story.spec.priority ?? 0) === priority
      return {
        write: isWritten ? undefined : markEdited(story, { ...story.spec, priority }, clock.now()),
        result: isThere,
      }
    })
    return result
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
}

/** @throws ApiError `transition_refused` naming two stories that do not stand in one column */
function findColumn(stories: readonly Story[]): ColumnId {
  const columns = new Map(stories.map((story) => [COLUMN_OF_STATUS[storyStatus(story)], story]))
  const [one, other] = [...columns.values()].map((story) => `story ${story.metadata.name} is ${storyStatus(story)}`)
  if (other !== undefined)
    throw apiError('transition_refused', `only stories of one column have an order: ${one}, ${other}`)
  const [column] = columns.keys()
  if (column === undefined) throw new Error('an order has at least one story')
  return column
}
