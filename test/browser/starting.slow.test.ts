import type { Browser } from 'playwright-core'
import { type Rig, startRig } from '../api-server/rig.ts'
import { assertAccessible } from './axe.ts'
import { assertNoProblems, demandBrowser, launch, openTab } from './browser.ts'

describe('the browser UI while the server starts', function () {
  let rig: Rig
  let browser: Browser

  before(async function () {
    browser = await launch(demandBrowser(this))
    rig = await startRig()
  })
  after(async () => {
    await browser?.close()
    await rig?.stop()
  })

  it('says so, and goes on by itself when it is ready', async () => {
    const tab = await openTab(browser, 'about:blank', { expected: [/503/] })
    const { page } = tab
    // As the middleware `ready` answers until the caches are filled.
    await page.route('**/api/**', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'Slipway-Error': 'unavailable' },
        json: { error: 'the server is starting' },
      }),
    )
    await page.goto(rig.url)
    await page.getByText('The server is starting.').waitFor()
    await assertAccessible(page)
    await page.unroute('**/api/**')
    await page.getByRole('heading', { name: 'Which repository shall agents work in?' }).waitFor()
    await page.getByText('The server is starting.').waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })
})
