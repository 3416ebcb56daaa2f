import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { type Tab, assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

/** Fails until the task has a time limit above a second. */
const SLOW = 'sleep 3; echo done > done.txt'

describe('an edit of a task in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    const { path } = makeRemote(installation.folder, { 'a.txt': 'a\n' })
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: path })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const open = async (path: string, options: Parameters<typeof openTab>[2] = {}): Promise<Tab> => {
    const tab = await openTab(browser, `${server.program.url}${path}`, options)
    await tab.page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    return tab
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  it('raises the limits of a failed task, which then goes on to READY', async () => {
    await server.create('slow', SLOW, { project: 'shop', timeout_seconds: 1 })
    await server.run('slow')
    await server.reaches('slow', 'TIMED_OUT')
    const tab = await open('/tasks/slow', { expected: [/400/] })
    const { page } = tab
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.waitForURL(/\/tasks\/slow\/edit$/)
    const limit = page.getByLabel('Time limit in seconds')
    await becomes(() => limit.inputValue(), '1')
    await limit.fill('soon')
    await press(page, 'Save')
    await page.locator('[data-field=timeout_seconds] [role=alert]').waitFor()
    assert.equal((await server.task('slow'))['timeout_seconds'], 1)
    await limit.fill('60')
    await page.getByLabel('Budget in US dollars').fill('4')
    await page.reload()
    await becomes(() => limit.inputValue(), '60')
    await assertAccessibleInBothThemes(page)
    await press(page, 'Save')
    await page.waitForURL(/\/tasks\/slow$/)
    await press(page, 'Resume')
    await page.getByText('Ready for review', { exact: true }).first().waitFor()
    const task = await server.task('slow')
    assert.deepEqual([task['timeout_seconds'], task['budget_usd']], [60, 4])
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps what each of two people typed, and says beside the field what the other wrote', async () => {
    await server.create('shared', 'true', { project: 'shop', budget_usd: 1, description: 'Before' })
    const tab = await open('/tasks/shared/edit')
    const { page } = tab
    const budget = page.getByLabel('Budget in US dollars')
    await budget.fill('5')
    await page.getByLabel('Priority').fill('2')
    await server.call('PUT', '/api/tasks/shared', { budget_usd: 3, description: 'Theirs' })
    await press(page, 'Save')
    await page.locator('[data-field=budget_usd]').getByText('it is “3” now').waitFor()
    await page.getByText('Nothing was saved').waitFor()
    await becomes(() => page.getByLabel('Description').inputValue(), 'Theirs')
    await becomes(() => budget.inputValue(), '5')
    assert.equal((await server.task('shared'))['budget_usd'], 3)
    // The other is faster once more, between what the page reads and what it writes.
    let isLate = true
    await page.route('**/api/tasks/shared', async (route) => {
      if (isLate && route.request().method() === 'PUT') {
        isLate = false
        await server.call('PUT', '/api/tasks/shared', { description: 'Theirs again' })
      }
      await route.continue()
    })
    await press(page, 'Save')
    await page.getByText(/Nothing was saved.*description/s).waitFor()
    await assertAccessibleInBothThemes(page)
    await press(page, 'Save')
    await page.waitForURL(/\/tasks\/shared$/)
    const { budget_usd, description, priority } = await server.task('shared')
    assert.deepEqual([budget_usd, description, priority], [5, 'Theirs again', 2])
    assertNoProblems(tab)
    await tab.close()
  })

  it('is saved where the server refuses for a version in which nothing of the form has changed', async () => {
    await server.create('written', 'true', { project: 'shop' })
    const tab = await open('/tasks/written/edit')
    const { page } = tab
    let writes = 0
    await page.route('**/api/tasks/written', (route) =>
      route.request().method() === 'PUT' && (writes += 1) === 1
        ? route.fulfill({ status: 412, json: { error: 'written has changed since it was read' } })
        : route.continue(),
    )
    await page.getByLabel('Budget in US dollars').fill('5')
    await press(page, 'Save')
    await page.waitForURL(/\/tasks\/written$/)
    assert.equal((await server.task('written'))['budget_usd'], 5)
    assert.equal(writes, 2)
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps what is typed while it is being saved, and stays open for it', async () => {
    await server.create('busy', 'true', { project: 'shop' })
    const tab = await open('/tasks/busy/edit')
    const { page } = tab
    await page.getByLabel('Budget in US dollars').fill('5')
    await page.route('**/api/tasks/busy', async (route) => {
      if (route.request().method() === 'PUT') await page.getByLabel('Description').fill('Typed meanwhile')
      await route.continue()
    })
    await press(page, 'Save')
    await page.getByText('busy: saved').waitFor()
    await page.getByRole('button', { name: 'Discard…' }).waitFor()
    await becomes(() => page.getByLabel('Description').inputValue(), 'Typed meanwhile')
    await page.unroute('**/api/tasks/busy')
    await press(page, 'Save')
    await page.waitForURL(/\/tasks\/busy$/)
    const { budget_usd, description } = await server.task('busy')
    assert.deepEqual([budget_usd, description], [5, 'Typed meanwhile'])
    assertNoProblems(tab)
    await tab.close()
  })

  it('is found in the palette, can be discarded, and is not offered while an agent works', async () => {
    await server.create('works', 'sleep 600', { project: 'shop' })
    const tab = await open('/tasks/works')
    const { page } = tab
    await page.getByRole('heading', { name: 'works' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('edit task')
    await page.getByRole('option', { name: /^Edit task works/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/tasks\/works\/edit$/)
    await page.getByLabel('Title').fill('Other words')
    await server.run('works')
    await server.reaches('works', 'RUNNING')
    await page.getByText('An agent works at the task').waitFor()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    await becomes(() => page.getByLabel('Title').inputValue(), 'Other words')
    await press(page, 'Discard…')
    await press(page, 'Discard')
    await page.getByRole('heading', { name: 'works' }).waitFor()
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor({ state: 'detached' })
    await server.call('POST', '/api/tasks/works/cancel')
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await becomes(() => page.getByLabel('Title').inputValue(), 'works')
    assertNoProblems(tab)
    await tab.close()
  })

  it('fits on a phone', async () => {
    const tab = await open('/tasks/shared/edit', { viewport: { width: 390, height: 844 } })
    const { page } = tab
    await page.getByRole('button', { name: 'Save' }).waitFor()
    await becomes(() => page.evaluate('document.documentElement.scrollWidth'), 390)
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })
})
