import type { Browser, Page } from 'playwright-core'
import { type Rig, startRig } from '../api-server/rig.ts'
import { aProject, aStory, aTask } from '../helpers/build.ts'
import { until } from '../helpers/until.ts'
import { assertNoProblems, demandBrowser, launch, openTab } from './browser.ts'

const LONG = 'Round prices the way the tax office does in all countries that we deliver to, and write a test for each'
const [LINE, BORDERS] = [18, 8]

/** Whether each row holds what it shows, and nothing covers anything else. */
const IS_APART = `(() => {
  const boxOf = (element) => element.getBoundingClientRect()
  const rows = [...document.querySelectorAll('[data-row]')]
    .map((row) => ({
      place: boxOf(row),
      cells: [...row.querySelectorAll('[role=gridcell]')].map(boxOf).filter(({ width, height }) => width > 0 && height > 0),
    }))
    .sort((a, b) => a.place.top - b.place.top)
  const covers = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  return (
    rows.length > 3 &&
    rows.every(({ place }, i) => i === 0 || place.top >= rows[i - 1].place.bottom - 1) &&
    rows.every(({ place, cells }) => cells.every((cell) => cell.top >= place.top && cell.bottom <= place.bottom && cell.right <= 390)) &&
    rows.every(({ cells }) => cells.every((cell, i) => cells.every((other, j) => j <= i || !covers(cell, other))))
  )
})()`

// Without an operator, which would mend what the tests have made up.
describe('the widths of lists in a browser', function () {
  let browser: Browser
  let api: Rig

  before(async function () {
    browser = await launch(demandBrowser(this))
    api = await startRig()
    await api.givenProject(aProject({ name: 'shop', spec: { title: 'Shop' } }))
    await api.givenStory(aStory({ name: 'rounding', spec: { title: LONG, projectId: 'shop' } }))
    const states = ['READY', 'FAILED', 'PENDING', 'COMPLETED', 'BUDGET_EXCEEDED', 'BLOCKED'] as const
    for (const state of states)
      for (const title of [LONG, 'Short'])
        await api.given(
          aTask({
            name: `${state.toLowerCase().replace('_', '-')}-${title.slice(0, 5).toLowerCase()}`,
            spec: { title, project: 'shop', storyId: 'rounding' },
            status: { state, changes: { files: 1, insertions: 123, deletions: 45 }, costUSD: 1.23 },
          }),
        )
  })
  after(async () => {
    await browser?.close()
    await api?.stop()
  })

  const open = async (path: string, width: number) => {
    const tab = await openTab(browser, `${api.url}${path}`, { viewport: { width, height: 900 } })
    await tab.page.locator('[data-row]').first().waitFor()
    return tab
  }
  const becomesTrue = (page: Page, script: string): Promise<void> =>
    until(script.slice(0, 60), async () => (await page.evaluate(script)) === true)

  for (const path of ['/tasks', '/stories?view=list'])
    it(`of ${path} leave two lines to a long name on a phone, and nothing lies over anything else`, async () => {
      const tab = await open(path, 390)
      const { page } = tab
      const name = page.locator('[data-row]').getByRole('link', { name: LONG }).first()
      await until('the name has two lines', async () => {
        const box = await name.boundingBox()
        return box !== null && box.height === 2 * LINE + BORDERS && box.width > 130
      })
      if (path === '/tasks') await becomesTrue(page, IS_APART)
      assertNoProblems(tab)
      await tab.close()
    })

  it('give names, stories and agents at 1280 pixels room to be read', async () => {
    const tab = await open('/tasks', 1280)
    await becomesTrue(
      tab.page,
      `(() => {
        const cells = [...document.querySelector('[data-row]').querySelectorAll('[role=gridcell]')]
        const [, task, , , story, agent] = cells.map((cell) => cell.getBoundingClientRect().width)
        return task >= 220 && story >= 130 && agent >= 70 && task > story
      })()`,
    )
    assertNoProblems(tab)
    await tab.close()
  })

  it('show the whole name of an agent at 1440 pixels, and give names of tasks and stories what it leaves', async () => {
    const spec = { title: LONG, project: 'shop', storyId: 'rounding', agent: { type: 'recorded-claude' } } as const
    await api.given(aTask({ name: 'long-agent', spec, status: { state: 'READY' } }))
    const tab = await open('/tasks', 1440)
    await becomesTrue(
      tab.page,
      `(() => {
        const row = [...document.querySelectorAll('[data-row]')].find((one) => one.textContent.includes('recorded-claude'))
        if (row === undefined) return false
        const cells = [...row.querySelectorAll('[role=gridcell]')]
        const [, task, , , story, agent] = cells
        const isWhole = agent.scrollWidth <= agent.clientWidth
        return isWhole && agent.clientWidth < 125 && task.clientWidth > 270 && story.clientWidth > 180
      })()`,
    )
    assertNoProblems(tab)
    await tab.close()
  })
})
