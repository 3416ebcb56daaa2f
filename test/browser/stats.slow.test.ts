import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { LABELS } from '../../core/names.ts'
import { toTimestamp } from '../../core/time.ts'
import { type Rig, startRig } from '../api-server/rig.ts'
import { anExecution } from '../helpers/build.ts'
import { until } from '../helpers/until.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

/** How many parts of the view scroll up and down beside the view itself. */
const SCROLLS_ALONE = `[...document.querySelectorAll('main table')].filter((table) => {
  const { scrollHeight, clientHeight } = table.parentElement
  return scrollHeight > clientHeight + 1 && getComputedStyle(table.parentElement).overflowY !== 'hidden'
}).length`

const DAY_MS = 86_400_000
const PROJECTS = ['shop', 'search', 'media']
const AGENTS = ['claude', 'codex', 'gemini']
/** One failure of each of these is on each of the last days. */
const FAILURES = [
  { category: 'git', message: 'the remote refused the push' },
  { category: 'timeout', message: 'took longer than 5m' },
] as const

/** Executions of the last days, as an operator would have left them. */
async function giveWeek(rig: Rig, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1)
    for (let n = 0; n < 6; n += 1) {
      const end = new Date(Date.now() - day * DAY_MS)
      const project = PROJECTS[n % 3] ?? ''
      const failure = n === 4 ? FAILURES[0] : n === 5 && day === 1 ? FAILURES[1] : undefined
      await rig.givenExecution(
        anExecution({
          name: `task-${day}-${n}-1`,
          metadata: { labels: { [LABELS.project]: project } },
          spec: { taskRef: { name: `task-${day}-${n}` }, agent: AGENTS[(n + day) % 3] ?? '' },
          status: {
            state: failure === undefined ? 'COMPLETED' : failure.category === 'timeout' ? 'TIMED_OUT' : 'FAILED',
            ...(failure === undefined ? {} : { error: failure }),
            startedAt: toTimestamp(new Date(end.getTime() - 90_000)),
            finishedAt: toTimestamp(end),
            costUSD: (n + 1) * 0.25 + day * 0.1,
          },
        }),
      )
    }
}

describe('the statistics in a browser', function () {
  let browser: Browser
  let rig: Rig
  before(async function () {
    browser = await launch(demandBrowser(this))
    rig = await startRig()
  })
  after(async () => {
    await browser?.close()
    await rig?.stop()
  })
  const open = async (path = '/stats', options = {}) => {
    const tab = await openTab(browser, `${rig.url}${path}`, { reducedMotion: 'no-preference', ...options })
    await tab.page.getByRole('heading', { name: 'Stats' }).waitFor()
    return tab
  }
  const tableOf = (page: Page, title: string) => page.getByRole('table', { name: title })

  it('say what they are for while nothing has run', async () => {
    const tab = await open()
    await tab.page.getByRole('heading', { name: 'Nothing has ended in the last 7 days' }).waitFor()
    await assertAccessibleInBothThemes(tab.page)
    assertNoProblems(tab)
    await tab.close()
  })

  describe('of some days', () => {
    before(() => giveWeek(rig, 3))

    it('show what was done and what it cost, as charts and as tables', async () => {
      const tab = await open()
      const { page } = tab
      await page.getByText('Runs', { exact: true }).first().waitFor()
      await becomes(async () => /Runs\s+18\s/.test(await page.locator('dl').innerText()), true)
      // For screen readers the numbers are there in any case.
      await becomes(() => tableOf(page, 'Runs per day').getByRole('row').count(), 4)
      await assertAccessibleInBothThemes(page)
      await page.getByRole('button', { name: 'Show as table' }).first().click()
      await page.getByRole('button', { name: 'Show as chart' }).waitFor()
      await assertAccessibleInBothThemes(page)
      // An hour's rows make it the longest: it scrolls with the page, and has no bar of its own.
      await page.getByRole('link', { name: '24 hours' }).click()
      await tableOf(page, 'Runs per hour').waitFor()
      await becomes(() => page.evaluate(SCROLLS_ALONE), 0)
      assertNoProblems(tab)
      await tab.close()
    })

    it('share the cost by project or agent, and keep the choice in the address', async () => {
      const tab = await open()
      const { page } = tab
      await page.getByRole('link', { name: 'shop' }).waitFor()
      await page.getByRole('button', { name: 'agent', exact: true }).click()
      await page.getByRole('link', { name: 'codex' }).waitFor()
      await page.getByRole('link', { name: '24 hours' }).click()
      await page.getByRole('heading', { name: 'Runs per hour' }).waitFor()
      await page.waitForURL((url) => url.search === '?window=24h&by=agent')
      await page.reload()
      await tableOf(page, 'Cost per day by agent').waitFor({ state: 'attached' })
      assertNoProblems(tab)
      await tab.close()
    })

    it('lead from a class of errors to its failures, and on to the task', async () => {
      const tab = await open()
      const { page } = tab
      await page.getByRole('button', { name: /Timed out/ }).click()
      const failures = page.getByRole('region', { name: /Failed or stopped at a limit: timed out/ })
      await failures.getByText('took longer than 5m').waitFor()
      await becomes(() => failures.getByRole('listitem').count(), 1)
      await becomes(() => failures.getByRole('link', { name: 'log of task-1-5-1' }).count(), 1)
      await page.getByRole('button', { name: /Timed out/ }).click()
      await failures.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /Git/ }).click()
      await page
        .getByRole('region', { name: /Failed or stopped at a limit: git/ })
        .getByRole('listitem')
        .nth(2)
        .waitFor()
      await page.waitForURL(/class=git/)
      assertNoProblems(tab)
      await tab.close()
    })

    it('lead from a day to what ended on it, by a click on its bar and by keys', async () => {
      const tab = await open()
      const { page } = tab
      const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
      const canvas = page.locator('canvas').first()
      // The last but one of seven days, right of the scale. The canvas gets its size only when
      // the chart is drawn, maybe between measuring and click: then the next click is the one.
      await until('the bar of the day leads to that day', async () => {
        const box = await canvas.boundingBox()
        assert.ok(box)
        await canvas.click({ position: { x: 30 + ((box.width - 30) * 11) / 14, y: box.height - 40 } })
        return new URL(page.url()).searchParams.get('day') === day
      })
      const details = page.getByRole('region', { name: /^Ended on/ })
      await details.getByRole('listitem').nth(5).waitFor()
      await details.getByText('claude · 1m30s').first().waitFor()
      await assertAccessibleInBothThemes(page)
      await details.getByRole('button', { name: 'Close' }).click()
      await details.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Show as table' }).last().focus()
      await page.keyboard.press('Enter')
      await tableOf(page, 'Cost per day by project').getByRole('button').last().focus()
      await page.keyboard.press('Enter')
      await details.waitFor()
      assertNoProblems(tab)
      await tab.close()
    })

    it('fit a phone', async () => {
      const tab = await open('/stats', { viewport: { width: 390, height: 844 }, hasTouch: true })
      await tab.page.getByRole('heading', { name: 'Cost per day by project' }).waitFor()
      await becomes(() => tab.page.evaluate('document.scrollingElement.scrollWidth <= innerWidth'), true)
      assertNoProblems(tab)
      await tab.close()
    })
  })
})
