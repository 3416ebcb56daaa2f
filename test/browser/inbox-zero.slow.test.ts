import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, holdDecision, sendNow } from './browser.ts'
import { inBrowser } from './suite.ts'

const WORK = 'echo "a line of the work" > work.txt'
const ASK =
  'if [ -n "$SERVICE_ANSWER" ]; then echo "$SERVICE_ANSWER" > answer; else echo \'{"text":"Which?","options":["First","Second"]}\' > "$SERVICE_QUESTION_FILE"; fi'
const FILL_STORAGE = `for (let size = 4e6; size >= 1; size = Math.floor(size / 2))
  try { for (;;) localStorage.setItem('full-' + Math.random(), 'x'.repeat(size)) } catch {}`
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe('the inbox, down to zero', function () {
  const { server, open } = inBrowser({
    prepare: async ({ server, installation }) => {
      const remote = makeRemote(installation.folder, { 'a.txt': 'a\n' })
      await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote.path })
    },
  })
  const given = async (id: string, script: string, state: string, more: object = {}): Promise<void> => {
    await server.create(id, script, { project: 'shop', ...more })
    await server.run(id)
    await server.reaches(id, state)
  }
  const row = (page: Page, name: string): Locator =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  const stateOf = async (id: string): Promise<unknown> => (await server.task(id))['state']
  const openInbox = async (options: Parameters<typeof open>[1] = {}) => {
    const tab = await open('/', options)
    await tab.page.getByText('Live', { exact: true }).first().waitFor()
    return tab
  }
  const focused = (page: Page, text: string) =>
    until(`the focus is in ${text}`, async () =>
      String(await page.evaluate('document.activeElement?.closest("li")?.textContent ?? ""')).includes(text),
    )
  afterEach(async () => {
    const { text } = await server.call('GET', '/api/tasks')
    for (const { id } of JSON.parse(text) as { id: string }[]) {
      await server.call('POST', `/api/tasks/${id}/cancel`)
      await server.call('DELETE', `/api/tasks/${id}`)
    }
    await server.call('POST', '/api/pool/agents/script/undrain')
  })

  it('takes back what was accepted, and sends it when the page is left', async () => {
    await given('undone', WORK, 'READY')
    await given('stays', WORK, 'READY')
    const tab = await openInbox()
    const { page } = tab
    await row(page, 'undone').getByRole('link').first().focus()
    const release = await holdDecision(page, 'undone')
    await page.keyboard.press('a')
    await row(page, 'undone').getByText('Accepting…').waitFor()
    assert.equal(
      await row(page, 'undone')
        .getByRole('button', { name: /Accept|Ask/ })
        .count(),
      0,
    )
    await focused(page, 'undone')
    await assertAccessibleInBothThemes(page)
    await page.keyboard.press('z')
    await row(page, 'undone').getByRole('button', { name: 'Accept' }).waitFor()
    const answered = page.waitForResponse('**/api/tasks/undone')
    release()
    await answered
    assert.equal(await stateOf('undone'), 'READY')
    // Whoever closes the tab meant it, once it is known about what.
    const compared = page.waitForResponse('**/api/tasks/undone')
    await row(page, 'undone').getByRole('button', { name: 'Accept' }).click()
    await (await compared).finished()
    await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))')
    await page.goto('about:blank')
    await until('it is accepted', async () => (await stateOf('undone')) === 'COMPLETED')
    assert.equal(await stateOf('stays'), 'READY')
    assertNoProblems(tab)
    await tab.close()
  })

  it('tells in words that another tab was faster, and keeps what was typed', async () => {
    await given('faster', WORK, 'READY')
    await given('typed', WORK, 'READY')
    const tab = await openInbox()
    const { page } = tab
    await page.route('**/api/tasks/faster/accept', async (route) => {
      await server.call('POST', '/api/tasks/faster/accept')
      await route.continue()
    })
    await row(page, 'faster').getByRole('button', { name: 'Accept' }).click()
    await sendNow(page)
    await page.getByText(/faster has changed while you looked at it .*its state is COMPLETED now/).waitFor()
    await row(page, 'typed').getByRole('button', { name: 'Ask for changes…' }).click()
    await page.getByLabel('What is to be different').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Call it ')
    await server.call('POST', '/api/tasks/typed/accept')
    await page.getByText('“typed” was accepted by anonymous while you were writing').waitFor()
    await page.getByLabel('What you had written').and(page.locator(':focus')).waitFor()
    // Not a key of a row that took the place.
    await page.keyboard.type('a')
    await becomes(() => page.getByLabel('What you had written').inputValue(), 'Call it')
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Discard it' }).click()
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps an answer that waits to be sent when somebody else answers meanwhile', async () => {
    await given('asked', ASK, 'BLOCKED')
    const tab = await openInbox()
    const { page } = tab
    await row(page, 'asked').getByLabel('Answer in your own words').fill('Neither of them')
    const release = await holdDecision(page, 'asked')
    await row(page, 'asked').getByRole('button', { name: 'Send the answer' }).click()
    await page.getByRole('button', { name: 'Send now' }).waitFor()
    await server.call('POST', '/api/tasks/asked/answer', { answer: 'First' })
    await server.reaches('asked', 'READY')
    release()
    await page.getByText('“asked” was answered by anonymous while you were writing').waitFor()
    await becomes(() => page.getByLabel('What you had written').inputValue(), 'Neither of them')
    await page.getByRole('button', { name: 'Discard it' }).click()
    assertNoProblems(tab)
    await tab.close()
  })

  it('does not list failed tasks of a DONE story, on its card, in its rows or in its number', async () => {
    await server.call('POST', '/api/stories', { id: 'over', name: 'Over', project_id: 'shop', branch_name: 'over' })
    await given('hopeless', 'exit 3', 'FAILED', { story_id: 'over' })
    const tab = await openInbox()
    const { page } = tab
    await row(page, 'hopeless').waitFor()
    await becomes(() => page.title(), '(1) Slipway')
    for (const status of ['VALIDATING', 'REVIEW_READY', 'DONE'])
      assert.equal((await server.call('PUT', '/api/stories/over/status', { status })).status, 200)
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
    await becomes(() => page.title(), 'Slipway')
    await page.getByRole('link', { name: 'Stories' }).first().click()
    const card = page.locator('[data-story="over"]')
    await card.waitFor()
    assert.equal(await card.getByText('Needs you').count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })

  it('says what is under way where nothing needs the person', async () => {
    await given('busy', 'sleep 600', 'RUNNING')
    const tab = await openInbox()
    await tab.page.getByText('1 task is under way.').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('lets work of a DONE story be rejected, and offers no other attempt at it', async () => {
    await server.call('POST', '/api/stories', { id: 'late', name: 'Late', project_id: 'shop', branch_name: 'late' })
    await given('leftover', WORK, 'READY', { story_id: 'late' })
    const tab = await openInbox()
    const { page } = tab
    await row(page, 'leftover').getByRole('button', { name: 'Ask for changes…' }).click()
    const over = page.getByRole('button', { name: 'Start over' })
    await over.waitFor()
    for (const status of ['VALIDATING', 'REVIEW_READY', 'DONE'])
      assert.equal((await server.call('PUT', '/api/stories/late/status', { status })).status, 200)
    await over.waitFor({ state: 'detached' })
    await page.goto(`${server.program.url}/tasks/leftover`)
    await page.getByRole('button', { name: 'Reject…' }).click()
    await page.getByRole('button', { name: 'Not now' }).waitFor()
    assert.equal(await over.count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })

  it('says so where the browser has no room for what is put away, and keeps the row', async () => {
    await given('kept', WORK, 'READY')
    const tab = await openInbox()
    const { page } = tab
    await row(page, 'kept').getByRole('button', { name: 'Put away' }).waitFor()
    await page.evaluate(FILL_STORAGE)
    await row(page, 'kept').getByRole('button', { name: 'Put away' }).click()
    await page.getByText('This browser has no room to keep what is put away.').waitFor()
    await becomes(() => row(page, 'kept').count(), 1)
    assertNoProblems(tab)
    await tab.close()
  })

  it('takes back what was not compared yet on a page that the browser shows again as it was, and says so', async () => {
    await given('aside', WORK, 'READY')
    const tab = await openInbox()
    const { page } = tab
    let isAsked = false
    // The answer of the comparison was lost with the page.
    await page.route('**/api/tasks/aside', () => void (isAsked = true))
    await row(page, 'aside').getByRole('button', { name: 'Accept' }).click()
    await until('the comparison is asked for', async () => isAsked)
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    await page.getByText('You left the page before this was sent: accepting “aside”.').waitFor()
    await row(page, 'aside').getByRole('button', { name: 'Accept' }).waitFor()
    assert.equal(await stateOf('aside'), 'READY')
    assertNoProblems(tab)
    await tab.close()
  })

  it('has failures of one cause in one row with one decision, and rows that are put away until they change', async () => {
    const FULL = 'test -e "$SERVICE_DROP_DIR/room" || { echo "no space left on device" >&2; exit 1; }'
    for (const id of ['full-1', 'full-2']) await given(id, FULL, 'FAILED')
    await server.call('POST', '/api/pool/agents/script/undrain')
    await given('other', 'echo broken pipe >&2; exit 1', 'FAILED')
    const tab = await openInbox()
    const { page } = tab
    const group = row(page, '2 tasks failed for one reason')
    await group.getByText('no space left on device').waitFor()
    await becomes(() => page.title(), '(2) Slipway')
    await row(page, 'other').getByRole('link').first().focus()
    await page.keyboard.press('e')
    await page.getByRole('button', { name: '1 put away' }).waitFor()
    await becomes(() => page.title(), '(1) Slipway')
    await focused(page, '2 tasks failed')
    await page.reload()
    await page.getByRole('button', { name: '1 put away' }).click()
    await row(page, 'other').getByRole('button', { name: 'Bring back' }).waitFor()
    await page.keyboard.press('k')
    await group.getByRole('button', { name: 'Show each' }).click()
    await group.getByRole('link', { name: 'full-2' }).waitFor()
    await assertAccessibleInBothThemes(page)
    // Into the rows of the group, and out of them again.
    await page.keyboard.press('j')
    await group.getByRole('link', { name: 'full-1' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('k')
    await group.and(page.locator(':focus')).waitFor()
    await server.call('POST', '/api/tasks/other/resume')
    await page.getByRole('button', { name: '1 put away' }).waitFor({ state: 'detached' })
    await row(page, 'other').getByRole('button', { name: 'Put away' }).waitFor()
    await group.getByRole('button', { name: 'Resume all 2' }).click()
    await page.getByText('Resume: 2 done').waitFor()
    for (const id of ['full-1', 'full-2'])
      assert.match(JSON.stringify((await server.task(id))['decisions']), /"resume"/)
    assertNoProblems(tab)
    await tab.close()
  })

  it('opens the work in place, and starts it over in one step', async () => {
    await given('seen', WORK, 'READY')
    const tab = await openInbox()
    const { page } = tab
    let diffs = 0
    page.on('request', (request) => (diffs += request.url().endsWith('/diff') ? 1 : 0))
    await row(page, 'seen').getByRole('link').first().focus()
    assert.equal(diffs, 0)
    await page.keyboard.press('p')
    await row(page, 'seen').getByText('a line of the work').waitFor()
    await row(page, 'seen').getByRole('button', { name: 'Peek', expanded: true }).waitFor()
    await assertAccessibleInBothThemes(page)
    assert.equal(diffs, 1)
    await page.keyboard.press('r')
    await page.getByLabel('What is to be different').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Say more')
    await page.getByRole('button', { name: 'Start over' }).click()
    await page.getByText(/seen: task rejected, task queued/).waitFor()
    await until('it runs once more', async () => (await server.executions('seen')).length === 2)
    await server.reaches('seen', 'READY')
    assert.equal((await server.task('seen'))['rejection_comment'], 'Say more')
    assertNoProblems(tab)
    await tab.close()
  })

  it('has no Accept beside what is to be different on a phone', async () => {
    await given('thumb', WORK, 'READY')
    const tab = await openInbox(PHONE)
    const { page } = tab
    for (const path of ['/', '/tasks/thumb']) {
      await page.goto(`${server.program.url}${path}`)
      await page.getByRole('button', { name: 'Ask for changes…' }).tap()
      await page.getByLabel('What is to be different').waitFor()
      await page.getByRole('button', { name: 'Accept', exact: true }).waitFor({ state: 'detached' })
      await becomes(() => page.evaluate('document.documentElement.scrollWidth'), 390)
      // The bar over the foot of the page hides half of what happens to lie under its edge.
      await page.evaluate(
        `document.querySelector('a[href$="/executions/thumb-1"]')?.scrollIntoView({ block: 'start' })`,
      )
      await assertAccessibleInBothThemes(page)
    }
    assertNoProblems(tab)
    await tab.close()
  })

  it('decides about the open task from the palette', async () => {
    await given('chosen', WORK, 'READY')
    const tab = await open('/tasks/chosen')
    const { page } = tab
    await page.getByText('a line of the work').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('accept')
    await page.getByRole('option', { name: 'Accept task chosen', selected: true }).waitFor()
    const release = await holdDecision(page, 'chosen')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Decisions' }).getByText('Accepting…').waitFor()
    release()
    await sendNow(page)
    await page.getByText('Accepted', { exact: true }).first().waitFor()
    await until('the focus is in the page', async () =>
      Boolean(await page.evaluate('document.activeElement !== document.body')),
    )
    assertNoProblems(tab)
    await tab.close()
  })
})
