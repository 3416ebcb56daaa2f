import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { type Rig, startRig } from '../api-server/rig.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

describe('drops in a browser', function () {
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
  const open = async (options = {}) => {
    const tab = await openTab(browser, `${rig.url}/drops`, options)
    await tab.page.getByRole('heading', { name: 'Drops' }).waitFor()
    return tab
  }
  const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
    page.locator('input[type="file"]').setInputFiles(files)
  const upload = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: name })

  it('are uploaded by a button, listed with their size, and downloaded', async () => {
    const tab = await open()
    const { page } = tab
    await page.getByRole('heading', { name: 'There are no files' }).waitFor()
    await assertAccessibleInBothThemes(page)
    await choose(page, file('notes.md', 'hello'), file('data.csv', 'a,b\n'))
    await page.getByRole('row', { name: /notes\.md 5 B/ }).waitFor()
    await page.getByRole('row', { name: /data\.csv 4 B/ }).waitFor()
    await upload(page, 'notes.md').getByText('Stored, 5 B').waitFor()
    await assertAccessibleInBothThemes(page)
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'notes.md' }).click()
    const download = await coming
    assert.equal(download.suggestedFilename(), 'notes.md')
    assert.equal(readFileSync(await download.path(), 'utf8'), 'hello')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })

  it('are taken where they are let go, one refused file leaving the others', async () => {
    const tab = await open({ expected: [/400/] })
    const { page } = tab
    // By then it is known who this is, and what is there.
    await page.getByRole('link', { name: 'notes.md' }).waitFor()
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['x'], 'dragged.txt'))
      data.items.add(new File(['y'], '.hidden'))
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
    })()`)
    await upload(page, 'dragged.txt').getByText('Stored').waitFor()
    await upload(page, '.hidden').getByRole('alert').waitFor()
    assert.match(await upload(page, '.hidden').innerText(), /leading dot|begin|hidden|\./)
    await page.getByRole('link', { name: 'dragged.txt' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('of a name that is taken are replaced only when the person says so', async () => {
    const tab = await open()
    const { page } = tab
    await choose(page, file('same.txt', 'first'))
    await page.getByRole('row', { name: /same\.txt 5 B/ }).waitFor()
    await choose(page, file('same.txt', 'second one'))
    await upload(page, 'same.txt').getByText('There is a file of this name already. Replace it?').waitFor()
    assert.equal((await rig.get('/api/drops/same.txt')).text, 'first')
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('row', { name: /same\.txt 10 B/ }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('show how far they are, and can be cancelled', async () => {
    const tab = await open({ expected: [/ERR_FAILED|ERR_ABORTED/] })
    const { page } = tab
    // The server never answers: the upload stays under way until it is cancelled.
    await page.route('**/api/drops', (route) =>
      route.request().method() === 'POST' ? new Promise<void>(() => undefined) : route.continue(),
    )
    await choose(page, file('large.bin', 'x'.repeat(300_000)))
    await page.getByRole('progressbar', { name: 'Upload of large.bin' }).waitFor()
    await page.getByRole('button', { name: 'Cancel large.bin' }).click()
    await upload(page, 'large.bin').getByText('Cancelled').waitFor()
    assert.equal((await rig.get('/api/drops/large.bin')).status, 404)
    assertNoProblems(tab)
    await tab.close()
  })

  it('fit a phone', async () => {
    const tab = await open({ viewport: { width: 390, height: 844 }, hasTouch: true })
    await tab.page.getByRole('link', { name: 'notes.md' }).waitFor()
    await becomes(() => tab.page.evaluate('document.scrollingElement.scrollWidth <= innerWidth'), true)
    await assertAccessibleInBothThemes(tab.page)
    assertNoProblems(tab)
    await tab.close()
  })
})
