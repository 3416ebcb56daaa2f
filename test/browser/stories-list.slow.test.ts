import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, sendNow } from './browser.ts'
import { inBrowser } from './suite.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

describe('the list of stories in a browser', function () {
  const { server, open: openAt } = inBrowser({
    prepare: async ({ server }) => {
      await server.call('POST', '/api/epics', { id: 'checkout', name: 'Checkout' })
      for (const [id, status, epic_id] of [
        ['one', 'BACKLOG', 'checkout'],
        ['two', 'BACKLOG', undefined],
        ['ready', 'VALIDATING', 'checkout'],
      ] as const)
        await server.call('POST', '/api/stories', { id, name: `Story ${id}`, status, ...(epic_id && { epic_id }) })
      await server.call('PUT', '/api/stories/ready/status', { status: 'REVIEW_READY' })
      await server.create('failing', 'exit 1', { story_id: 'one' })
    },
  })

  const row = (page: Page, id: string): Locator => page.locator(`[data-row="${id}"]`)
  const open = async (path: string, options = {}) => {
    const tab = await openAt(path, options)
    await tab.page.locator('[data-row], [data-story]').first().waitFor()
    return tab
  }

  it('is one press away from the board, and remembered', async () => {
    const tab = await open('/stories')
    const { page } = tab
    await page.getByRole('button', { name: 'List' }).click()
    await row(page, 'one').waitFor()
    await page.waitForURL(/\?view=list$/)
    await page.getByRole('gridcell', { name: 'Backlog 2' }).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.goto(`${server.program.url}/stories`)
    await row(page, 'one').waitFor()
    await page.getByRole('button', { name: 'Board' }).click()
    await page.locator('[data-story="one"]').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('groups by epic, and filters as the board does', async () => {
    const tab = await open('/stories?view=list')
    const { page } = tab
    await page.getByLabel('Group by').selectOption('epic')
    await page.getByRole('gridcell', { name: 'Checkout 2' }).waitFor()
    await page.getByLabel('Task state').selectOption('PENDING')
    await row(page, 'two').waitFor({ state: 'detached' })
    await becomes(() => page.locator('[data-row]').count(), 1)
    await page.waitForURL(/state=PENDING/)
    await page.getByRole('button', { name: 'Board' }).click()
    await page.locator('[data-story="one"]').waitFor()
    await becomes(() => page.locator('[data-story]').count(), 1)
    assertNoProblems(tab)
    await tab.close()
  })

  it('accepts those that allow it, and gives all a priority', async () => {
    const tab = await open('/stories?view=list')
    const { page } = tab
    await page.getByLabel('Select all rows').click()
    await page.getByText('3 selected').waitFor()
    await page.getByLabel('Priority, lower first').fill('12')
    await page.getByRole('button', { name: 'Set' }).click()
    await page.getByText('Priority 12: 3 done').waitFor()
    await page.getByLabel('Select all rows').click()
    await page.getByRole('button', { name: 'Accept 1 of 3' }).click()
    await page.getByRole('button', { name: 'Accept them' }).click()
    await sendNow(page)
    await page.getByText('Accept: 1 done').waitFor()
    const { text } = await server.call('GET', '/api/stories')
    const stored = JSON.parse(text) as { id: string; priority: number; status: string }[]
    assert.ok(stored.every(({ priority }) => priority === 12))
    assert.equal(stored.find(({ id }) => id === 'ready')?.status, 'DONE')
    assertNoProblems(tab)
    await tab.close()
  })

  it('fits a phone', async () => {
    const tab = await open('/stories?view=list', PHONE)
    const { page } = tab
    await becomes(() => page.evaluate('document.documentElement.scrollWidth'), 390)
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('option', { name: /^Epics/ }).click()
    await page.waitForURL('**/epics')
    assertNoProblems(tab)
    await tab.close()
  })
})
