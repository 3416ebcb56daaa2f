import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

/** What is edited in a form that somebody else may change at the same time, and two of its fields. */
const EDITED = [
  {
    what: 'a project',
    path: '/api/projects/shop',
    view: '/projects/shop',
    begin: async () => undefined,
    mine: { field: 'test_command', text: 'make mine' },
    theirs: { field: 'instructions', text: 'Theirs' },
    remove: ['Delete…', 'Delete the project'],
  },
  {
    what: 'an agent',
    path: '/api/agents/builder',
    view: '/agents/builder',
    begin: async () => undefined,
    mine: { field: 'default_model', text: 'mine' },
    theirs: { field: 'instructions', text: 'Theirs' },
    remove: ['Delete…', 'Delete the agent'],
  },
  {
    what: 'an epic',
    path: '/api/epics/checkout',
    view: '/epics',
    begin: (page: Page) => page.getByRole('button', { name: 'Edit Checkout' }).click(),
    mine: { field: 'name', text: 'Mine' },
    theirs: { field: 'description', text: 'Theirs' },
    remove: undefined,
  },
]

const controlOf = (page: Page, field: string) => page.locator(`[data-field=${field}]`).locator('input, textarea')

describe('two people who edit the same in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: 'https://git.example/shop.git' })
    await server.call('POST', '/api/agents', { id: 'builder', adapter: 'script' })
    await server.call('POST', '/api/epics', { id: 'checkout', name: 'Checkout' })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  it('save where the server refuses for a version in which nothing of theirs has changed', async () => {
    const tab = await openTab(browser, `${server.program.url}/projects/shop`)
    const { page } = tab
    let writes = 0
    await page.route('**/api/projects/shop', (route) =>
      route.request().method() === 'PUT' && (writes += 1) === 1
        ? route.fulfill({ status: 412, json: { error: 'shop has changed since it was read' } })
        : route.continue(),
    )
    await controlOf(page, 'test_command').fill('third')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[data-tone=note]').getByText('saved').waitFor()
    assert.equal((await server.call('GET', '/api/projects/shop')).body['test_command'], 'third')
    assert.equal(writes, 2)
    assertNoProblems(tab)
    await tab.close()
  })

  it('are told that the server cannot be reached, in words that say what to do', async () => {
    const tab = await openTab(browser, `${server.program.url}/projects/shop`, { expected: [/ERR_FAILED/] })
    const { page } = tab
    await page.route('**/api/projects/shop', (route) => route.abort())
    await controlOf(page, 'test_command').fill('fourth')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached: try again once it can be.').waitFor()
    await becomes(() => controlOf(page, 'test_command').inputValue(), 'fourth')
    assertNoProblems(tab)
    await tab.close()
  })

  for (const { what, path, view, begin, mine, theirs, remove } of EDITED) {
    it(`do not overwrite one another's change of ${what}, and are told what the other wrote`, async () => {
      const tab = await openTab(browser, `${server.program.url}${view}`)
      const { page } = tab
      await begin(page)
      await controlOf(page, mine.field).fill(mine.text)
      await server.call('PUT', path, { [theirs.field]: theirs.text, [mine.field]: 'also theirs' })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/has changed while you looked at it/).waitFor()
      await page.locator(`[data-field=${mine.field}] [role=alert]`).getByText('also theirs').waitFor()
      await assertAccessibleInBothThemes(page)
      // Nothing was stored, and what was typed stays; what was not touched shows what the other wrote.
      assert.equal((await server.call('GET', path)).body[mine.field], 'also theirs')
      await becomes(() => controlOf(page, mine.field).inputValue(), mine.text)
      await becomes(() => controlOf(page, theirs.field).inputValue(), theirs.text)
      // A third change, of which nobody was told, is not overwritten either.
      await server.call('PUT', path, { [mine.field]: 'theirs once more' })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator(`[data-field=${mine.field}] [role=alert]`).getByText('theirs once more').waitFor()
      assert.equal((await server.call('GET', path)).body[mine.field], 'theirs once more')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('[data-tone=note]').getByText('saved').waitFor()
      const { body } = await server.call('GET', path)
      assert.deepEqual([body[mine.field], body[theirs.field]], [mine.text, theirs.text])
      assertNoProblems(tab)
      await tab.close()
    })

    it(`are told where ${what} changes at the very moment of saving`, async () => {
      const tab = await openTab(browser, `${server.program.url}${view}`)
      const { page } = tab
      await page.route(`**${path}`, async (route) => {
        if (route.request().method() !== 'PUT') return route.continue()
        await server.call('PUT', path, { [theirs.field]: 'A moment earlier' })
        await page.unroute(`**${path}`)
        return route.continue()
      })
      if (what === 'an epic') await page.getByRole('button', { name: /^Edit/ }).click()
      await controlOf(page, mine.field).fill('second')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/has changed while you looked at it/).waitFor()
      assert.notEqual((await server.call('GET', path)).body[mine.field], 'second')
      assertNoProblems(tab)
      await tab.close()
    })

    if (remove !== undefined)
      it(`are asked again before ${what} that has changed is deleted`, async () => {
        const tab = await openTab(browser, `${server.program.url}${view}`)
        const { page } = tab
        const [ask = '', confirm = ''] = remove
        await controlOf(page, mine.field).fill('not saved')
        await server.call('PUT', path, { [theirs.field]: 'Changed again' })
        await page.getByRole('button', { name: ask }).click()
        await page.getByRole('button', { name: confirm }).click()
        await page.getByRole('alertdialog', { name: /has changed/ }).waitFor()
        await assertAccessibleInBothThemes(page)
        assert.equal((await server.call('GET', path)).body['id'], path.split('/').at(-1))
        await page.getByRole('button', { name: confirm }).click()
        await page.locator('[data-tone=note]').getByText('deleted').waitFor()
        assertNoProblems(tab)
        await tab.close()
      })
  }
})
