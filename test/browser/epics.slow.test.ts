import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import type { Server } from '../system/installation.ts'
import { makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, demandBrowser, launch, openTab } from './browser.ts'

describe('the epics in a browser', function () {
  this.timeout(180_000)
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  it('are created, edited, and deleted unless a story refers to them', async () => {
    const tab = await openTab(browser, `${server.program.url}/epics`, { expected: [/409/] })
    const { page } = tab
    await page.getByText('There is no epic yet').waitFor()
    await page.getByRole('button', { name: 'New epic' }).click()
    await page.getByLabel('Name').fill('Checkout')
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Create the epic' }).click()
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()

    const [epic] = JSON.parse((await server.call('GET', '/api/epics')).text) as { id: string }[]
    await server.call('POST', '/api/stories', { id: 'voucher', name: 'Pay with a voucher', epic_id: epic?.id })
    await page.getByText('0 of 1 done').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    // The server says which story is in the way.
    await page.locator('[data-tone=refusal]').getByText('voucher').waitFor()
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()

    await page.getByRole('button', { name: 'Edit Checkout' }).click()
    await page.getByLabel('Name').fill('Till')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Till' }).waitFor()
    await page.locator('summary').click()
    await page.getByRole('link', { name: 'Pay with a voucher' }).waitFor()
    await assertAccessibleInBothThemes(page)

    await server.call('PUT', '/api/stories/voucher', { epic_id: null })
    await page.getByText('no stories').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no epic yet').waitFor()
    assert.equal((await server.call('GET', '/api/epics')).text, '[]')
    assertNoProblems(tab)
    await tab.close()
  })
})
