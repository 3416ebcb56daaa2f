import { join } from 'node:path'
import { delay, systemClock } from '../../lib/clock.ts'
import { type Figure, median } from '../figure.ts'
import { measureTimes } from '../load.ts'
import { type Effort, alternate, withFloor, withFolder, withServer } from '../measure.ts'
import { seedStories } from '../seed.ts'

const STORIES = { full: 2000, quick: 200 }
const LISTS_PER_TURN = 5
const LISTED_DEADLINE_MS = 60_000

/** How fast the board is read. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  const count = STORIES[size]
  return withFolder((folder) =>
    withServer(folder, async ({ url }) => {
      await seedStories(join(folder, 'kubeconfig'), count)
      const path = `${url}/api/stories`
      await untilListed(path, count)
      const listTime = async (listUrl: string): Promise<number> => median(await measureTimes(listUrl, LISTS_PER_TURN))
      const { ours, floor } = await withFloor(path, folder, (floorUrl) =>
        alternate(
          repeats,
          () => listTime(path),
          () => listTime(floorUrl),
        ),
      )
      return [
        {
          name: `GET /api/stories with ${count.toLocaleString('en')} stories`,
          unit: 'ms',
          ours,
          floor: { what: 'Koa, same bytes', value: floor },
          aim: { atMost: 2, of: 'ratio' },
        },
      ]
    }),
  )
}

/** Waits until all are listed and the operator has seen to each, so that what is measured is reading alone. */
async function untilListed(url: string, count: number): Promise<void> {
  const deadline = Date.now() + LISTED_DEADLINE_MS
  let tag: string | null = null
  for (;;) {
    const answer = await fetch(url)
    const stories: unknown = await answer.json()
    const listed = Array.isArray(stories) ? stories.length : 0
    const isQuiet = answer.headers.get('etag') === tag
    if (listed === count && isQuiet) return
    if (Date.now() > deadline) throw new Error(`the API lists ${listed} of ${count} stories, or they keep changing`)
    tag = answer.headers.get('etag')
    await delay(systemClock, 500)
  }
}
