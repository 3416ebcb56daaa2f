import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { type Rig, startRig } from '../api-server/rig.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

describe('the browser UI of an empty installation', function () {
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

  it('opens, says what each view is for, and is accessible in both themes', async () => {
    const tab = await openTab(browser, `${rig.url}/`)
    await tab.page.getByRole('heading', { name: 'Which repository shall agents work in?' }).waitFor()
    await tab.page.getByText('Live', { exact: true }).waitFor()
    await assertAccessibleInBothThemes(tab.page)
    await tab.page.getByRole('button', { name: 'Leave the guide' }).click()
    await tab.page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
    await tab.page.getByRole('link', { name: 'Stories' }).first().click()
    await tab.page.getByRole('heading', { name: 'There is no story yet' }).waitFor()
    await assertAccessibleInBothThemes(tab.page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows the guide and not a view before it, however late it is known that nothing is there', async () => {
    const tab = await openTab(browser, 'about:blank', { expected: [/about:blank/] })
    const { page } = tab
    let answer = (): void => undefined
    const isAsked = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/stories*', async (route) => {
      await isAsked
      await route.continue()
    })
    const seen = `window.seen = []; new MutationObserver(() => {
      const title = document.querySelector('h1')?.textContent
      if (title !== undefined && !window.seen.includes(title)) window.seen.push(title)
    }).observe(document, { childList: true, subtree: true })`
    await page.addInitScript(seen)
    await page.goto(`${rig.url}/`)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('status', { name: 'The page is being read' }).waitFor()
    answer()
    await page.getByRole('heading', { name: 'Which repository shall agents work in?' }).waitFor()
    // The first is that of a page of which nothing is known yet.
    await becomes(() => page.evaluate('window.seen'), ['Slipway', 'Your first task'])
    await tab.close()
  })

  it('can be put on the home screen of a phone, by its manifest', async () => {
    const tab = await openTab(browser, `${rig.url}/settings`)
    const devtools = await tab.page.context().newCDPSession(tab.page)
    const { data = '', errors } = await devtools.send('Page.getAppManifest')
    assert.deepEqual(errors, [])
    const { name, display, icons } = JSON.parse(data) as { name: string; display: string; icons: { src: string }[] }
    assert.deepEqual([name, display], ['Slipway', 'standalone'])
    for (const { src } of icons) assert.match((await rig.get(src)).headers.get('content-type') ?? '', /^image\//)
    assertNoProblems(tab)
    await tab.close()
  })

  it('opens at any of its addresses, and says where there is nothing', async () => {
    const tab = await openTab(browser, `${rig.url}/settings`)
    await tab.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await tab.page.goto(`${rig.url}/no/such/view`)
    await tab.page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('goes by keys alone: to a view, through the palette, and shows its keys', async () => {
    const tab = await openTab(browser, `${rig.url}/`)
    const { page } = tab
    await page.getByRole('button', { name: 'Leave the guide' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.waitForURL('**/stories')
    await page.keyboard.press('Control+k')
    const name = page.getByRole('combobox', { name: 'Name of a view' })
    await name.fill('sett')
    await page.getByRole('option', { name: /^Settings/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/settings')
    await name.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps the theme that a person chose', async () => {
    const tab = await openTab(browser, `${rig.url}/settings`, { colorScheme: 'light' })
    const { page } = tab
    await page.getByLabel('Dark').check()
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await becomes(ground, 'rgb(22, 22, 20)')
    await page.reload()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await becomes(ground, 'rgb(22, 22, 20)')
    assertNoProblems(tab)
    await tab.close()
  })

  it('says without JavaScript what it needs', async () => {
    const tab = await openTab(browser, `${rig.url}/`, { javaScriptEnabled: false })
    assert.match(await tab.page.content(), /<noscript>\s*<p class="starting">\s*This page needs JavaScript/)
    await tab.close()
  })
})
