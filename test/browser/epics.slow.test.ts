import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems } from './browser.ts'
import { inBrowser } from './suite.ts'

describe('the epics in a browser', function () {
  const { server, open } = inBrowser()

  it('are created, edited, and deleted unless a story refers to them', async () => {
    const tab = await open('/epics', { expected: [/409/] })
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

  it('have the count of their lane in sight on the board, however long their name is', async () => {
    await server.call('POST', '/api/epics', { id: 'long', name: 'A very long name '.repeat(11).trim() })
    await server.call('POST', '/api/stories', { id: 'of-long', name: 'One', status: 'BACKLOG', epic_id: 'long' })
    for (const width of [1280, 390]) {
      const tab = await open('/stories', { viewport: { width, height: 800 } })
      const count = tab.page.locator('[data-lane="long"]').getByText('0 / 1 done')
      await until('the count is in sight', async () => {
        const box = await count.boundingBox()
        return box !== null && box.x + box.width <= width
      })
      assertNoProblems(tab)
      await tab.close()
    }
  })
})
