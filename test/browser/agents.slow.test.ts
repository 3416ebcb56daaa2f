import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

describe('agents in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    const { path } = makeRemote(installation.folder, { 'a.txt': 'a\n' })
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: path })
    await server.call('POST', '/api/agents', { id: 'fragile', adapter: 'script' })
    for (const id of ['drain-1', 'drain-2', 'drain-3']) {
      const agent = { type: 'fragile', instructions: 'echo no luck >&2; exit 1' }
      await server.call('POST', '/api/tasks', { id, name: id, project: 'shop', agent })
      await server.run(id)
      await server.reaches(id, 'FAILED')
    }
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  it('show why one takes no work and since when, and are undrained in place', async () => {
    const tab = await openTab(browser, `${server.program.url}/agents`)
    const { page } = tab
    const row = page.getByRole('listitem', { name: 'fragile' })
    await row.getByText('Drained', { exact: true }).waitFor()
    await row.getByText(/3 failures in a row, the last one: .*no luck/).waitFor()
    await row.getByText(/^(just now$|for \d)/).waitFor()
    await row.getByRole('img', { name: /Last 24 hours: .*drained/ }).waitFor()
    // It is read anew every half minute: not while it is looked at here.
    await page.route('**/api/executions?*', () => undefined)
    await assertAccessibleInBothThemes(page)
    // The last day is drawn when it was read, and not by the second.
    const changes = await page.evaluate(`new Promise((resolve) => {
      let changes = 0
      new MutationObserver((all) => (changes += all.length)).observe(document.querySelector('[data-row] [role=img]').parentElement, {
        subtree: true, childList: true, attributes: true, characterData: true,
      })
      setTimeout(() => resolve(changes), 3_000)
    })`)
    assert.equal(changes, 0)
    await row.getByRole('button', { name: 'Undrain' }).click()
    await row.getByText('Free', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Undrain' }).waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })

  it('show the task in each of their slots, by its name', async () => {
    await server.call('POST', '/api/agents', { id: 'two', adapter: 'script', max_concurrent: 2 })
    for (const [id, name] of [
      ['slot-1', 'The first slot'],
      ['slot-2', 'The second slot'],
    ] as const) {
      const agent = { type: 'two', instructions: 'sleep 3600' }
      await server.call('POST', '/api/tasks', { id, name, project: 'shop', agent })
      await server.run(id)
      await server.reaches(id, 'RUNNING')
    }
    const tab = await openTab(browser, `${server.program.url}/agents`)
    const row = tab.page.getByRole('listitem', { name: 'two', exact: true })
    for (const name of ['The first slot', 'The second slot']) await row.getByRole('link', { name }).waitFor()
    for (const id of ['slot-1', 'slot-2']) await server.call('POST', `/api/tasks/${id}/cancel`)
    await row.getByRole('link', { name: 'The second slot' }).waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })

  it('are made and changed, with the program and login that were found beside them', async () => {
    const tab = await openTab(browser, `${server.program.url}/agents`, { expected: [/400/, /409/] })
    const { page } = tab
    await page.getByRole('button', { name: 'Add an agent' }).click()
    await page.getByLabel('Name', { exact: true }).fill('builder')
    await page.getByLabel('Program', { exact: true }).selectOption('codex')
    await page.getByRole('region', { name: 'What mends codex' }).waitFor()
    await page.getByLabel('Program', { exact: true }).selectOption('script')
    await page.getByText('script · needs no program and no login').waitFor()
    await page.getByLabel('Tasks at a time').fill('many')
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Create the agent' }).click()
    await page.locator('[data-field=max_concurrent] [role=alert]').waitFor()
    await page.getByLabel('Tasks at a time').fill('2')
    await page.getByRole('button', { name: 'Create the agent' }).click()
    await page.getByRole('tab', { name: 'YAML' }).waitFor()
    await page.getByLabel('Allowed tools').fill('Read\nBash(git status)')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Agent builder saved').waitFor()
    const { body } = await server.call('GET', '/api/agents/builder')
    assert.deepEqual([body['max_concurrent'], body['allowed_tools']], [2, ['Read', 'Bash(git status)']])
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete the agent' }).click()
    await page.getByText('Agent builder deleted').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('fit on a phone', async () => {
    const tab = await openTab(browser, `${server.program.url}/agents`, { viewport: { width: 390, height: 844 } })
    await tab.page.getByRole('listitem', { name: 'script' }).waitFor()
    await becomes(() => tab.page.evaluate('document.documentElement.scrollWidth'), 390)
    await assertAccessibleInBothThemes(tab.page)
    assertNoProblems(tab)
    await tab.close()
  })
})
