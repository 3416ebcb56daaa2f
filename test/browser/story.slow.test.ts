import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

interface Boxed {
  getBoundingClientRect(): { readonly top: number }
}

describe('a story in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    const remote = makeRemote(installation.folder, { 'a.txt': 'a\n' })
    remote.commit(
      'story/voucher',
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`vendor/${i}`, ''])),
      'vendor',
    )
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote.path })
    const story = {
      id: 'voucher',
      name: 'Pay with a voucher',
      status: 'PRIORITIZED',
      project_id: 'shop',
      spec: '# Why',
    }
    await server.call('POST', '/api/stories', { ...story, acceptance_criteria: ['It is fast'] })
    const shared = { story_id: 'voucher', project: 'shop' }
    await server.create('store', 'echo a > store', shared)
    await server.create('form', 'echo "2 keys missing" >&2; exit 1', { ...shared, depends_on: ['store'] })
    await server.create('tell', 'echo c > tell', { ...shared, depends_on: ['form'] })
    await server.create('part', 'echo d > part', { ...shared, parent_task_id: 'tell' })
    await server.run('store')
    await server.reaches('store', 'READY')
    await server.call('POST', '/api/tasks/store/accept')
    await server.run('form')
    await server.reaches('form', 'FAILED')
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const openStory = async (options: Parameters<typeof openTab>[2] = {}, path = '/stories/voucher') => {
    const tab = await openTab(browser, `${server.program.url}${path}`, options)
    await tab.page.getByRole('heading', { name: 'Pay with a voucher' }).waitFor()
    return tab
  }
  const node = (page: Page, name: RegExp) => page.locator('svg [data-node]').filter({ hasText: name })

  it('shows its tasks as a graph that is walked by keys, and opens one in the panel', async () => {
    const tab = await openStory()
    const { page } = tab
    const focused = (title: RegExp) => page.locator(':focus > title').filter({ hasText: title })
    await node(page, /form/).waitFor()
    await page.locator('path[data-hot][data-kind]').first().waitFor({ state: 'attached' })
    await node(page, /store/).focus()
    await page.keyboard.press('ArrowRight')
    await focused(/^form, task: Failed/).waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowRight')
    await focused(/^tell, task: .*, held up$/).waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Details of the task' }).waitFor()
    await page.waitForURL(/open=task/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByText('waits for form').waitFor()
    await page.getByRole('button', { name: 'Graph', exact: true }).click()
    await page.getByRole('button', { name: 'Larger' }).click()
    await page.getByRole('button', { name: 'Fit' }).click()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows all that accepting it adds, with what others pushed there, or says why it shows nothing', async () => {
    const tab = await openStory({}, '/stories/voucher?tab=diff')
    const { page } = tab
    await page.getByRole('note', { name: '1 commit by others' }).getByText('vendor').waitFor()
    const much = page.getByRole('note', { name: 'The work adds a lot to the repository' })
    await much.getByText('vendor/ is a new folder with 1,000 files').waitFor()
    await page.getByText('1,001 files').first().waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
    const failing = await openStory()
    await failing.page.route('**/diff?of=branch', (route) => route.fulfill({ status: 500, json: { error: 'down' } }))
    await failing.page.getByRole('tab', { name: 'Diff' }).click()
    await failing.page.getByText('The diff could not be read').waitFor()
    await failing.close()
    await server.call('POST', '/api/stories', { id: 'later', name: 'Later', project_id: 'shop' })
    const empty = await openTab(browser, `${server.program.url}/stories/later?tab=diff`)
    await empty.page.getByText('There is no diff yet').waitFor()
    await empty.close()
  })

  it('is told apart by two people who edit it at once, and loses nothing of either', async () => {
    const tab = await openStory()
    const { page } = tab
    await page.getByRole('button', { name: 'Edit: Specification' }).click()
    await page.getByRole('textbox', { name: 'Specification' }).fill('Mine')
    await server.call('PUT', '/api/stories/voucher', { spec: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else has changed this meanwhile').waitFor()
    await page.locator('ins').getByText('Theirs').waitFor()
    await becomes(() => page.getByRole('textbox', { name: 'Specification' }).inputValue(), 'Mine')
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('Pay with a voucher: saved').waitFor()
    assert.equal((await server.call('GET', '/api/stories/voucher')).body['spec'], 'Mine')

    // And where the other is faster by less than the page can see: the server refuses with 412.
    await page.getByRole('button', { name: 'Edit: Specification' }).click()
    await page.getByRole('textbox', { name: 'Specification' }).fill('Mine again')
    await page.route('**/api/stories/voucher', async (route) => {
      if (route.request().method() === 'PUT') await server.call('PUT', '/api/stories/voucher', { spec: 'Faster' })
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('ins').getByText('Faster').waitFor()
    await page.unroute('**/api/stories/voucher')
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await server.call('GET', '/api/stories/voucher')).body['spec'], 'Faster')
    assertNoProblems(tab)
    await tab.close()
  })

  it('is edited in place, gets a task, and is moved', async () => {
    const tab = await openStory()
    const { page } = tab
    await page.getByRole('button', { name: 'Edit: Acceptance criteria' }).click()
    await page.getByRole('textbox', { name: 'Acceptance criteria' }).fill('It is fast\nIt is right')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('listitem').filter({ hasText: 'It is right' }).waitFor()
    await page.getByRole('button', { name: 'Edit: Details' }).click()
    await page.getByRole('textbox', { name: 'Priority' }).fill('7')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Pay with a voucher: saved').first().waitFor()
    await page.getByRole('button', { name: 'Add task' }).click()
    await page.getByLabel('Name of the task').fill('One more')
    await page.getByRole('button', { name: 'Add the task' }).click()
    await node(page, /One more/).waitFor()
    await page.getByRole('button', { name: 'Move to' }).click()
    await page.getByRole('menuitem', { name: 'Prioritized' }).click()
    await page.getByText('Prioritized', { exact: true }).waitFor()
    await becomes(async () => {
      const { body } = await server.call('GET', '/api/stories/voucher')
      return [body['priority'], body['status']]
    }, [7, 'PRIORITIZED'])
    assertNoProblems(tab)
    await tab.close()
  })

  it('tells all that happened, live, and filtered by kind', async () => {
    const tab = await openStory({}, '/stories/voucher?tab=timeline')
    const { page } = tab
    await page.getByText('form failed').waitFor()
    await page.getByText('store was accepted').waitFor()
    await server.call('POST', '/api/stories/voucher/events', {
      kind: 'epic_proposed',
      payload: { title: 'Gift cards', description: 'Later' },
    })
    await page.getByText('Later work was proposed: Gift cards').waitFor()
    await page.getByRole('button', { name: /^Decisions/ }).click()
    await page.getByText('form failed').waitFor({ state: 'detached' })
    await assertAccessibleInBothThemes(page)
    await page.getByRole('tab', { name: 'YAML' }).click()
    await page.getByText('kind: Story').waitFor()
    await page.getByText(/^kubectl get story \S+ -n default -o yaml/).waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('stands in the side panel over the board, and on a phone', async () => {
    const panel = await openStory({}, '/stories?open=story:voucher')
    await panel.page.getByRole('complementary', { name: 'Details of the story' }).getByText('Tasks and what').waitFor()
    await assertAccessibleInBothThemes(panel.page)
    assertNoProblems(panel)
    await panel.close()
    const phone = await openStory({ viewport: { width: 390, height: 844 }, hasTouch: true })
    await node(phone.page, /store/).waitFor()
    await becomes(() => phone.page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    // Keys and wheels are not a finger's; what is done seldom stands behind one button, so that all fit into one row.
    assert.equal(await phone.page.getByText('Ctrl and wheel zooms').isVisible(), false)
    const buttons = phone.page.locator('header [class*=actions] button')
    const rows = (all: Boxed[]) => new Set(all.map((button) => button.getBoundingClientRect().top)).size
    await becomes(() => buttons.evaluateAll(rows), 1)
    await phone.page.getByRole('main').getByRole('button', { name: 'More', exact: true }).tap()
    for (const name of ['Add task', 'Rename', 'Delete…']) await phone.page.getByRole('menuitem', { name }).waitFor()
    await phone.page.keyboard.press('Escape')
    await assertAccessibleInBothThemes(phone.page)
    assertNoProblems(phone)
    await phone.close()
  })
})

describe('the browser of a person who may only read', function () {
  const TOKENS = JSON.stringify([{ name: 'guest', token: 'guest-token', scopes: ['read'] }])
  const installation = makeInstallation({ SLIPWAY_TOKEN: 'the-real-token', SLIPWAY_TOKENS: TOKENS })
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    await server.call('POST', '/api/epics', { id: 'checkout', name: 'Checkout' })
    const story = { id: 'voucher', name: 'Pay with a voucher', status: 'VALIDATING', epic_id: 'checkout' }
    await server.call('POST', '/api/stories', { ...story, acceptance_criteria: ['It is fast'] })
    await server.create('store', 'true', { story_id: 'voucher' })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  it('shows stories and epics whole, without a button that changes them', async () => {
    const tab = await openTab(browser, `${server.program.url}/stories/voucher`, {
      expected: [/401|WebSocket connection/],
    })
    const { page } = tab
    const buttons = (): Promise<string[]> =>
      page.getByRole('main').getByRole('button').and(page.locator('button')).allTextContents()
    await page.getByLabel('Token').fill('guest-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('svg [data-node]').waitFor()
    await page.getByText('It is fast').waitFor()
    await becomes(buttons, ['−', '+', 'Fit', 'List', 'All of the timeline'])
    await page.goto(`${server.program.url}/epics`)
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
    await becomes(buttons, [])
    await page.goto(`${server.program.url}/stories/new`)
    await page.getByText('Your token does not allow this').waitFor()
    await becomes(buttons, [])
    assertNoProblems(tab)
    await tab.close()
  })
})
