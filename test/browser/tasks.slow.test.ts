import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { until } from '../helpers/until.ts'
import { makeRemote } from '../helpers/repository.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, sendNow } from './browser.ts'
import { inBrowser, signIn } from './suite.ts'

const TOKENS = JSON.stringify([{ name: 'reader', token: 'reader-token', scopes: ['read'] }])
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

interface Named {
  getAttribute(name: string): string | null
}

describe('the list of tasks in a browser', function () {
  const { server, open: openAt } = inBrowser({
    env: { SLIPWAY_TOKENS: TOKENS, SLIPWAY_TOKEN: 'the-token' },
    prepare: async ({ server, installation }) => {
      const remote = makeRemote(installation.folder, { 'a.txt': 'a\n' })
      await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote.path })
      for (const id of ['ready-1', 'ready-2']) {
        await server.create(id, 'echo x > x', { project: 'shop' })
        await server.run(id)
      }
      for (const id of ['one', 'two', 'three']) await server.create(id, 'sleep 1', { project: 'shop', suspend: true })
      for (const id of ['ready-1', 'ready-2']) await server.reaches(id, 'READY')
    },
  })

  const row = (page: Page, id: string): Locator => page.locator(`[data-row="${id}"]`)
  const box = (page: Page, id: string): Locator => row(page, id).getByRole('checkbox')
  const open = async (path = '/tasks', token = 'the-token', options = {}) => {
    const tab = await openAt(path, { expected: [/401|WebSocket connection/], ...options })
    await signIn(tab.page, token)
    await tab.page.locator('[data-row]').first().waitFor()
    return tab
  }
  const rowsOf = (rows: Locator): Promise<(string | null)[]> =>
    rows.evaluateAll((all: Named[]) => all.map((shown) => shown.getAttribute('data-row')))
  const shownRows = (page: Page): Promise<(string | null)[]> => rowsOf(page.locator('[data-row]'))

  it('groups by state, what needs a person first, and is accessible in both themes', async () => {
    const tab = await open()
    const { page } = tab
    await becomes(async () => new Set((await shownRows(page)).slice(0, 2)), new Set(['ready-1', 'ready-2']))
    await page.getByRole('gridcell', { name: 'Not started 3' }).waitFor()
    await box(page, 'one').click()
    await page.getByRole('toolbar').getByText('1 selected').waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps filters, grouping and order in the URL, and under a name', async () => {
    const tab = await open()
    const { page } = tab
    await page.keyboard.press('/')
    await page.keyboard.type('ready')
    await row(page, 'one').waitFor({ state: 'detached' })
    await page.waitForURL(/\?q=ready$/)
    await page.getByLabel('Group by').selectOption('none')
    await page.getByRole('columnheader', { name: 'Task' }).getByRole('button').click()
    await page.getByRole('columnheader', { name: 'Task' }).getByRole('button').click()
    await page.locator('[aria-sort="descending"]').waitFor()
    await becomes(() => shownRows(page), ['ready-2', 'ready-1'])
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByLabel('Name of a new view').fill('To review')
    await page.keyboard.press('Enter')
    await assertAccessibleInBothThemes(page)
    await page.goto(`${server.program.url}/tasks?q=nothing-has-this`)
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await row(page, 'one').waitFor()
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('button', { name: 'To review', exact: true }).click()
    await row(page, 'one').waitFor({ state: 'detached' })
    await becomes(() => shownRows(page), ['ready-2', 'ready-1'])
    await page.getByRole('button', { name: 'To review' }).click()
    await page.getByRole('button', { name: 'Rename To review' }).click()
    await page.getByLabel('New name of To review').fill('Review')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('button', { name: 'Delete Review' }).click()
    await page.getByText('Filters that you use often').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('goes from row to row, selects and opens by keys alone', async () => {
    const tab = await open('/tasks?group=none')
    const { page } = tab
    await page.getByText('Live', { exact: true }).waitFor()
    const rows = await shownRows(page)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+X')
    await page.getByText('3 selected').waitFor()
    await becomes(() => rowsOf(page.locator('[data-row][aria-selected="true"]')), rows.slice(0, 3))
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`open=task(%3A|:)${rows[1]}`))
    assertNoProblems(tab)
    await tab.close()
  })

  it('decides about many: each that allows it, and tells what became of each', async () => {
    const tab = await open('/tasks?group=none')
    const { page } = tab
    for (const id of ['ready-1', 'ready-2', 'one']) await box(page, id).click()
    // What the page does not hear of until it asks: another person accepts one of them.
    await page.route('**/api/tasks/ready-2', async (route) => {
      await server.call('POST', '/api/tasks/ready-2/accept')
      await route.continue()
    })
    await page.getByRole('button', { name: 'Accept 2 of 3' }).click()
    await page.getByRole('button', { name: 'Accept them' }).click()
    await sendNow(page)
    const told = page.getByRole('region', { name: 'What became of the last decision' })
    await told.getByText('Accept: 1 done, 1 refused').waitFor()
    await told.getByText(/ready-2 has changed while you looked at it/).waitFor()
    await page.getByRole('toolbar').getByText('2 selected').waitFor()
    assert.equal((await server.task('ready-1'))['state'], 'COMPLETED')
    await page.unroute('**/api/tasks/ready-2')
    await page.getByRole('link', { name: 'Stories' }).first().click()
    await page.getByRole('link', { name: 'Tasks' }).first().click()
    await told.getByText('Accept: 1 done, 1 refused').waitFor()
    await told.getByRole('button', { name: 'Put away' }).click()
    await told.waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })

  it('gives many tasks a priority, and cancels many', async () => {
    const tab = await open('/tasks?state=PENDING&group=none')
    const { page } = tab
    await page
      .getByRole('checkbox', { name: /^Select (one|two|three)$/ })
      .first()
      .click()
    await page
      .getByRole('checkbox', { name: /^Select (one|two|three)$/ })
      .last()
      .click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.getByLabel('Priority, lower first').fill('7')
    await page.getByRole('button', { name: 'Set' }).click()
    await page.getByText('Priority 7: 3 done').waitFor()
    for (const id of ['one', 'two', 'three']) assert.equal((await server.task(id))['priority'], 7)
    await page.getByLabel('Select all rows').click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel them' }).click()
    await page.getByText('Cancel: 3 done').waitFor()
    await until('all are cancelled', async () => (await server.task('two'))['state'] === 'CANCELLED')
    assertNoProblems(tab)
    await tab.close()
  })

  it('asks for a token when the session ends within a decision about many', async () => {
    await server.create('later', 'true', { project: 'shop', suspend: true })
    const tab = await open('/tasks?q=later')
    const { page } = tab
    await box(page, 'later').click()
    await page.context().clearCookies()
    await page.getByRole('toolbar').getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByLabel('Token').waitFor()
    assert.equal((await server.task('later'))['state'], 'PENDING')
    assertNoProblems(tab)
    await tab.close()
  })

  it('has no selection for somebody who may only read', async () => {
    const tab = await open('/tasks', 'reader-token')
    const { page } = tab
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    assert.equal(await page.getByRole('toolbar').count(), 0)
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('fits a phone, with two lines for each task and room for fingers', async () => {
    const tab = await open('/tasks', 'the-token', PHONE)
    const { page } = tab
    await becomes(() => page.evaluate('document.documentElement.scrollWidth'), 390)
    await until('a finger reaches it', async () => {
      const target = await row(page, 'ready-2').locator('label').boundingBox()
      return target !== null && target.width >= 44 && target.height >= 44
    })
    await box(page, 'ready-2').tap()
    await page.getByText('1 selected').waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })
})
