import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

describe('a new task in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    const { path } = makeRemote(installation.folder, { 'a.txt': 'a\n' })
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: path })
    await server.create('earlier', 'echo x > x', { project: 'shop' })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  it('begins with the key c, survives a reload, says what is wrong at its fields, and runs by Ctrl+Enter', async () => {
    const tab = await openTab(browser, `${server.program.url}/settings`, { expected: [/400/] })
    const { page } = tab
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('c')
    const title = page.getByLabel('Title')
    await title.fill('Write the file')
    await page.getByLabel('Description').fill('So that **it** is there.')
    await page.getByLabel('Agent', { exact: true }).selectOption('script')
    await page.getByLabel('Script', { exact: true }).fill('echo y > y')
    await page.getByLabel('Starts after').fill('earlier')
    await page.getByRole('button', { name: 'Remove earlier' }).waitFor()
    await page.reload()
    await becomes(() => title.inputValue(), 'Write the file')
    await becomes(() => page.getByLabel('Script', { exact: true }).inputValue(), 'echo y > y')
    await page.getByRole('button', { name: 'Remove earlier' }).click()

    await page.getByLabel('Project').selectOption('')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('It cannot be created yet: see the fields').waitFor()
    await page.locator('[data-field=project] [role=alert]').waitFor()
    await page.getByLabel('Project').selectOption('shop')
    await page.getByText('Budget, limits and the rest').click()
    await page.getByLabel('Budget in US dollars').fill('-1')
    await page.getByRole('button', { name: 'Create only' }).click()
    await page.locator('[data-field=budget_usd] [role=alert]').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByLabel('Budget in US dollars').fill('2')
    await title.press('Control+Enter')
    await page.waitForURL(/\/tasks\/write-the-file-[a-z0-9]{5}$/)
    await page.locator(':focus', { hasText: 'Write the file' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const task = await server.reaches(id, 'READY')
    assert.deepEqual([task['name'], task['budget_usd']], ['Write the file', 2])
    await page.goto(`${server.program.url}/tasks/new`)
    await becomes(() => title.inputValue(), '')
    assertNoProblems(tab)
    await tab.close()
  })

  it('is created once, and its draft goes, where the connection breaks right after', async () => {
    const tab = await openTab(browser, `${server.program.url}/tasks/new`, { expected: [/ERR_FAILED|ERR_CONNECTION/] })
    const { page } = tab
    await page.getByLabel('Title').fill('Made once')
    await becomes(() => page.getByLabel('Project').inputValue(), 'shop')
    await page.route(/\/api\/tasks\/made-once-[^/]+(\/run)?$/, (route) => route.abort())
    await page.getByRole('button', { name: 'Create and run' }).click()
    await page.getByText(/Made once was created, but does not run/).waitFor()
    await page.waitForURL(/\/tasks\/made-once-/)
    await page.getByRole('heading', { name: 'Made once' }).waitFor()
    await page.goto(`${server.program.url}/tasks/new`)
    await becomes(() => page.getByLabel('Title').inputValue(), '')
    assertNoProblems(tab)
    await tab.close()
  })

  it('is not run without a repository, which is said at its field, and can be created so all the same', async () => {
    const tab = await openTab(browser, `${server.program.url}/tasks/new`)
    const { page } = tab
    await page.getByRole('option', { name: 'Shop' }).waitFor({ state: 'attached' })
    await page.getByLabel('Title').fill('For later')
    await page.getByLabel('Project').selectOption('')
    await page.getByRole('button', { name: 'Create and run' }).click()
    await page.locator('[data-field=project] [role=alert]').getByText('it needs a repository').waitFor()
    await page.getByLabel('Project').and(page.locator(':focus')).waitFor()
    assert.equal((await server.call('GET', '/api/tasks?state=QUEUED')).text, '[]')
    await page.getByRole('button', { name: 'Create only' }).click()
    await page.waitForURL(/\/tasks\/for-later-/)
    await page.getByText('Not started', { exact: true }).first().waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps what was begun in each of two tabs, and shows a new one what was begun last', async () => {
    const tab = await openTab(browser, `${server.program.url}/tasks/new`)
    const one = tab.page
    const two = await one.context().newPage()
    await two.goto(`${server.program.url}/tasks/new`)
    await one.getByLabel('Title').fill('Begun here')
    await two.getByLabel('Title').fill('Begun there')
    for (const [page, text] of [
      [one, 'Begun here'],
      [two, 'Begun there'],
    ] as const) {
      await page.reload()
      await page.getByLabel('Title').waitFor()
      await becomes(() => page.getByLabel('Title').inputValue(), text)
    }
    const three = await one.context().newPage()
    await three.goto(`${server.program.url}/tasks/new`)
    await three.getByLabel('Title').waitFor()
    await becomes(() => three.getByLabel('Title').inputValue(), 'Begun there')
    assertNoProblems(tab)
    await tab.close()
  })

  it('takes from its address what it belongs to, and fits on a phone', async () => {
    const viewport = { width: 390, height: 844 }
    const tab = await openTab(browser, `${server.program.url}/tasks/new?project=shop&parent=earlier`, { viewport })
    const { page } = tab
    await page.getByRole('button', { name: 'Remove earlier' }).waitFor()
    await page.getByRole('option', { name: 'Shop' }).waitFor({ state: 'attached' })
    await becomes(() => page.getByLabel('Project').inputValue(), 'shop')
    await becomes(() => page.evaluate('document.documentElement.scrollWidth'), 390)
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })
})
