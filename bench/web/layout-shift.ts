import { VIEWS } from '../../test/browser/screenshots-views.ts'
import { seedPast } from '../../test/browser/seed-past.ts'
import { seed } from '../../test/browser/seed.ts'
import { makeInstallation } from '../../test/system/installation.ts'
import type { Figure } from '../figure.ts'
import { type WebRig, withPage } from './rig.ts'

/** What is read late comes within this time. */
const SETTLED = `new Promise((done) => setTimeout(done, 1000))`

const SIZES = [
  { name: '1,280 px wide', width: 1280, height: 800 },
  { name: 'a phone', width: 390, height: 844 },
]

/**
 * How much of each view jumps while it opens with a cold cache, by the Layout Instability API: 0 for nothing. In an
 * installation of its own, which looks like a team's week.
 */
export async function measureLayoutShift({ browser }: WebRig): Promise<Figure[]> {
  const week = makeInstallation()
  try {
    await seedPast(week)
    const server = await week.start()
    await seed({ installation: week, server })
    const figures: Figure[] = []
    for (const { name, ...viewport } of SIZES)
      for (const view of VIEWS.filter(({ at }) => at === 'week')) {
        const shiftOf = async (page: Parameters<Parameters<typeof withPage>[1]>[0]): Promise<number> => {
          await page.goto(new URL(view.path, server.program.url).href)
          await page.waitForSelector(view.ready)
          await page.evaluate(SETTLED)
          return Number(await page.evaluate('noted.shift'))
        }
        const ours = await withPage(browser, shiftOf, viewport)
        figures.push({ name: `layout shift of ${view.name}, ${name}`, unit: '', ours, aim: { atMost: 0.02 } })
      }
    return figures
  } finally {
    await week.dispose()
  }
}
