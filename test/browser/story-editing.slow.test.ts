import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

describe('a story that is edited in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    await server.call('POST', '/api/epics', { id: 'checkout', name: 'Checkout' })
    await server.call('POST', '/api/epics', { id: 'search', name: 'Search' })
    await server.call('POST', '/api/stories', { id: 'voucher', name: 'Pay with a voucher', priority: 3 })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const openStory = async (expected: readonly RegExp[] = []) => {
    const tab = await openTab(browser, `${server.program.url}/stories/voucher`, { expected })
    await tab.page.getByRole('heading', { name: 'Pay with a voucher' }).waitFor()
    return tab
  }
  const story = async () => (await server.call('GET', '/api/stories/voucher')).body

  it('shows what the server refuses beside its field, and speaks of nobody else', async () => {
    const tab = await openStory([/400/])
    const { page } = tab
    await page.getByRole('button', { name: 'Edit: Details' }).click()
    const priority = page.getByRole('textbox', { name: 'Priority' })
    await priority.fill('9999999999')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[data-field=priority] [role=alert]').waitFor()
    await becomes(() => priority.getAttribute('aria-invalid'), 'true')
    await becomes(() => priority.inputValue(), '9999999999')
    assert.equal(await page.getByText('Somebody else').count(), 0)
    await becomes(() => page.getByRole('button', { name: 'Save', exact: true }).count(), 1)
    await assertAccessibleInBothThemes(page)
    await priority.fill('4')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Pay with a voucher: saved').waitFor()
    assert.equal((await story())['priority'], 4)
    assertNoProblems(tab)
    await tab.close()
  })

  it('writes only what this person changed, whatever others change meanwhile', async () => {
    const tab = await openStory()
    const { page } = tab
    await page.getByRole('button', { name: 'Edit: Details' }).click()
    await page.getByRole('textbox', { name: 'Priority' }).fill('8')
    await server.call('PUT', '/api/stories/voucher', { epic_id: 'checkout' })
    await page.getByRole('navigation', { name: 'Where this is' }).getByText('Checkout').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Pay with a voucher: saved').waitFor()
    const after = await story()
    assert.deepEqual([after['epic_id'], after['priority']], ['checkout', 8])

    // The same field: what it was and what it is are shown, what was typed stays.
    await page.getByRole('button', { name: 'Edit: Details' }).click()
    await page.getByRole('textbox', { name: 'Priority' }).fill('20')
    await server.call('PUT', '/api/stories/voucher', { priority: 15, epic_id: 'search' })
    await page.getByRole('navigation', { name: 'Where this is' }).getByText('Search').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    const told = page.getByRole('group', { name: 'Somebody else has changed this meanwhile' })
    await told.waitFor()
    await becomes(() => told.locator('del, ins').allTextContents(), ['8', '15'])
    await becomes(() => page.getByRole('textbox', { name: 'Priority' }).inputValue(), '20')
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await told.waitFor({ state: 'detached' })
    await becomes(async () => {
      const { epic_id, priority } = await story()
      return [epic_id, priority]
    }, ['search', 20])
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows each part that could not be read with a way to try again, and all others', async () => {
    const tab = await openTab(browser, 'about:blank', { expected: [/404/] })
    const { page } = tab
    const parts = [
      ['events', 'The list of events could not be read'],
      ['graph', 'What the tasks wait for could not be read'],
      ['deployment-status', 'not this time'],
    ] as const
    const refuse = (part: string): RegExp => new RegExp(`/api/stories/broken/${part}`)
    const deployment = { commit_url: `${server.program.url}/api/version` }
    const project = { id: 'deployed', name: 'Deployed', remote_url: 'https://git.example.com/shop.git', deployment }
    assert.equal((await server.call('POST', '/api/projects', project)).status, 201)
    const criteria = { acceptance_criteria: ['It is fast'] }
    await server.call('POST', '/api/stories', { id: 'broken', name: 'Broken', project_id: 'deployed', ...criteria })
    await server.create('part', 'true', { story_id: 'broken' })
    for (const [part] of parts)
      await page.route(refuse(part), (route) => route.fulfill({ status: 404, json: { error: 'not this time' } }))
    await page.goto(`${server.program.url}/stories/broken`)
    for (const [, words] of parts) await page.getByText(words).first().waitFor()
    await page.getByText('It is fast').waitFor()
    await assertAccessibleInBothThemes(page)
    for (const [part] of parts) await page.unroute(refuse(part))
    // All at once: each goes as soon as its part is read.
    await page
      .getByRole('button', { name: 'Try again' })
      .evaluateAll((buttons: { click(): void }[]) => buttons.forEach((button) => button.click()))
    await page.locator('svg [data-node]').waitFor()
    await page.getByText('The story was created').waitFor()
    await page.getByText('no commits yet').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})
