/** The review of a task in a browser: what a decision is about, and what leads to one. */
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { until } from '../helpers/until.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import {
  type Tab,
  assertNoProblems,
  becomes,
  demandBrowser,
  holdDecision,
  launch,
  openTab,
  sendNow,
} from './browser.ts'

/** Each attempt adds a line of its own. */
const WORK = 'echo "line of $SERVICE_EXECUTION_ID" >> work.txt; echo done > "$SERVICE_SUMMARY_FILE"'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

describe('the review of a task in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server
  let shop: object

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    const remote = makeRemote(installation.folder, { 'a.txt': 'a\n' })
    shop = { name: 'Shop', remote_url: remote.path }
    await server.call('POST', '/api/projects', { id: 'shop', ...shop })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const given = async (id: string): Promise<void> => {
    await server.create(id, WORK, { project: 'shop' })
    await server.run(id)
    await server.reaches(id, 'READY')
  }
  const again = async (id: string): Promise<void> => {
    const reply = await server.call('POST', `/api/tasks/${id}/reject`, { comment: 'work.txt:1: say more' })
    assert.equal(reply.status, 200, reply.text)
    await server.run(id)
    await server.reaches(id, 'READY')
  }
  const open = async (path: string, options: Parameters<typeof openTab>[2] = {}): Promise<Tab> => {
    const tab = await openTab(browser, `${server.program.url}${path}`, options)
    await tab.page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    return tab
  }
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const lines = (page: Page) => page.getByRole('region', { name: 'Changed lines' })

  it('names the running build in one line beside a diff, where its project says where that is asked', async () => {
    await given('deployed')
    const tab = await open('/tasks/deployed?tab=diff')
    const { page } = tab
    const deployed = page.locator('div:has(> dt:text-is("Deployed")) > dd')
    const deployment = { commit_url: `${server.program.url}/api/version` }
    assert.equal((await server.call('PUT', '/api/projects/shop', { ...shop, deployment })).status, 200)
    // Beside a diff there is little room.
    await until('the running build is named in one line', async () => {
      const { height = 0 } = (await deployed.boundingBox()) ?? {}
      return height > 0 && height < 30
    })
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows the diff that Accept takes, also when the attempts cannot be read', async () => {
    await given('unread')
    const tab = await open('/tasks/unread?tab=diff', { expected: [/500/] })
    const { page } = tab
    await lines(page).getByText('line of unread-1').waitFor()
    await page.route(/\/api\/tasks\/unread\/executions/, (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"the store is away"}' }),
    )
    await again('unread')
    await lines(page).getByText('line of unread-2').waitFor()
    await page.getByText(/The attempts could not be read: the store is away/).waitFor()
    // What was read before is kept.
    await page.getByRole('tab', { name: 'Attempts 1' }).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.unroute(/\/api\/tasks\/unread\/executions/)
    await button(page, 'Try again').click()
    await page.getByRole('tab', { name: 'Attempts 2' }).waitFor()
    await button(page, 'Accept').click()
    await sendNow(page)
    await page.getByText('unread: task accepted').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('does not accept beside an earlier attempt, and shows what changed between two', async () => {
    await given('pair')
    await again('pair')
    const tab = await open('/tasks/pair?tab=diff')
    const { page } = tab
    const evidence = page.getByRole('complementary', { name: 'Evidence' })
    await evidence.getByText('work.txt:1: say more').waitFor()
    await page.getByLabel('Work of').selectOption({ label: 'Attempt 1, rejected' })
    await lines(page).getByText('line of pair-1').waitFor()
    await lines(page).getByText('line of pair-2').waitFor({ state: 'detached' })
    await evidence.getByRole('heading', { name: 'What Attempt 1 did' }).waitFor()
    await page.getByText('Accept takes Attempt 2, and you are looking at Attempt 1.').waitFor()
    await becomes(() => button(page, 'Accept').isDisabled(), true)
    await page.keyboard.press('a')
    assert.equal(
      await lines(page)
        .getByRole('button', { name: /^Comment on/ })
        .count(),
      0,
    )
    await assertAccessibleInBothThemes(page)
    await button(page, 'Show Attempt 2').click()
    await lines(page).getByText('line of pair-2').waitFor()
    await page.getByRole('tab', { name: 'Attempts 2' }).click()
    await button(page, 'compare the last two').click()
    const compared = page.getByRole('region', { name: 'Attempt 1 and Attempt 2' })
    await compared.getByText('work.txt:1: say more').waitFor()
    await button(page, 'Show what changed from Attempt 1 to Attempt 2').click()
    await becomes(() => page.getByLabel('Changes since').inputValue(), 'pair-1')
    await lines(page).getByText('added: line of pair-2').waitFor()
    await lines(page).getByText('added: line of pair-1').waitFor({ state: 'detached' })
    await becomes(() => button(page, 'Accept').isDisabled(), false)
    assert.equal((await server.task('pair'))['state'], 'READY')
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows what changed since the person last looked, also after a reload', async () => {
    await given('looked')
    const first = await open('/tasks/looked')
    await lines(first.page).getByText('line of looked-1').waitFor()
    assert.equal(await first.page.getByText('since you last looked').count(), 0)
    const { page } = first
    // A page in sight would show the next work as it comes, and it would be looked at.
    await page.goto('about:blank')
    await again('looked')
    await page.goto(`${server.program.url}/tasks/looked`)
    await button(page, 'Changes since you last looked (Attempt 1)').click()
    await lines(page).getByText('added: line of looked-2').waitFor()
    assert.equal(await lines(page).getByText('added: line of looked-1').count(), 0)
    await assertAccessibleInBothThemes(page)
    // It has been looked at now.
    await page.reload()
    await lines(page).getByText('line of looked-2').waitFor()
    assert.equal(await page.getByText('since you last looked').count(), 0)
    assertNoProblems(first)
    await first.close()
  })

  it('has not been looked at where it came while its tab was not in sight', async () => {
    await given('unseen')
    const tab = await open('/tasks/unseen')
    const { page } = tab
    await lines(page).getByText('line of unseen-1').waitFor()
    await page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })")
    await again('unseen')
    await lines(page).getByText('line of unseen-2').waitFor()
    await page.reload()
    await button(page, 'Changes since you last looked (Attempt 1)').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  for (const action of ['accept', 'revise', 'reject'])
    it(`is not decided about by a link to ${action} and Enter`, async () => {
      const id = `linked-${action}`
      await given(id)
      const tab = await open(`/tasks/${id}?action=${action}`)
      const { page } = tab
      await page.getByRole('group', { name: 'Decisions' }).and(page.locator(':focus')).waitFor()
      for (const key of ['Enter', 'Space']) await page.keyboard.press(key)
      await button(page, 'Accept').waitFor()
      assert.equal((await server.task(id))['state'], 'READY')
      assertNoProblems(tab)
      await tab.close()
    })

  it('is sent back for changes on a phone by two taps where a comment was begun', async () => {
    await given('taps')
    const tab = await open('/tasks/taps?tab=diff', PHONE)
    const { page } = tab
    await lines(page).getByRole('button', { name: 'Comment on line 1' }).first().tap()
    await page.getByLabel('Comment on line 1', { exact: true }).last().fill('Say what it is')
    await button(page, 'Keep').tap()
    await button(page, 'Ask for changes with 1 comment…').tap()
    // No keyboard comes up over the button that sends.
    assert.equal(await page.evaluate('document.activeElement?.tagName === "TEXTAREA"'), false)
    const send = button(page, 'Ask for changes with 1 comment on a line')
    await send.waitFor()
    // As a notification opens it: one tap has been made.
    await page.goto(`${server.program.url}/tasks/taps`)
    await send.waitFor()
    await assertAccessibleInBothThemes(page)
    await until('a thumb reaches it', async () => {
      const box = await send.boundingBox()
      return box !== null && box.y + box.height <= 844 && box.height >= 44
    })
    await send.tap()
    await page.getByText('taps: task queued for resume').waitFor()
    assert.ok(JSON.stringify((await server.task('taps'))['decisions']).includes('work.txt:1: Say what it is'))
    assertNoProblems(tab)
    await tab.close()
  })

  it('suggests a change of a line, which goes to the agent as an edit', async () => {
    await given('suggested')
    const tab = await open('/tasks/suggested?tab=diff')
    const { page } = tab
    await lines(page).getByRole('button', { name: 'Comment on line 1' }).first().click()
    await button(page, 'Suggest a change').click()
    const field = page.getByLabel('Comment on line 1', { exact: true }).last()
    await becomes(() => field.inputValue(), '```suggestion\nline of suggested-1\n```\n')
    await field.fill('Say it in full.\n```suggestion\nthe line of this task\n```')
    await button(page, 'Keep').click()
    await lines(page).getByText('Suggested in place of the line').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.keyboard.press('r')
    await button(page, 'Ask for changes with 1 comment on a line').click()
    await page.getByText('suggested: task queued for resume').waitFor()
    const edit =
      'work.txt:1: Say it in full.\n  Replace this, line 1 of work.txt,\n  ```\n  line of suggested-1\n  ```\n' +
      '  with exactly this:\n  ```\n  the line of this task\n  ```'
    assert.ok(JSON.stringify((await server.task('suggested'))['decisions']).includes(JSON.stringify(edit)))
    assertNoProblems(tab)
    await tab.close()
  })

  it('goes on to the next task to review by a key, and accepts and goes on', async () => {
    for (const id of ['row-1', 'row-2', 'row-3']) await given(id)
    const tab = await open('/tasks/row-1')
    const { page } = tab
    await lines(page).getByText('line of row-1').waitFor()
    await page.keyboard.press('n')
    await lines(page).getByText('line of row-2').waitFor()
    const release = await holdDecision(page, 'row-2')
    await button(page, 'Accept and next').click()
    await lines(page).getByText('line of row-3').waitFor()
    // It can still be taken back, wherever the person is by then.
    await page.getByRole('button', { name: 'Undo' }).first().waitFor()
    release()
    await sendNow(page)
    await page.getByText('row-2: task accepted').waitFor()
    assert.equal((await server.task('row-2'))['state'], 'COMPLETED')
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows what a task waits for as text', async () => {
    await given('waits')
    const tab = await openTab(browser, 'about:blank')
    const { page } = tab
    await page.route('**/api/tasks', async (route) => {
      const reply = await route.fetch()
      const text = (await reply.text()).replace('"id":"waits"', '"id":"waits","waiting_for":"waits for \u202egnp.exe"')
      await route.fulfill({ response: reply, body: text })
    })
    await page.goto(`${server.program.url}/tasks/waits?tab=overview`)
    await page.getByText('waits for [U+202E]gnp.exe').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps the tab of the panel in the address', async () => {
    await given('tabbed')
    const tab = await open('/tasks')
    const { page } = tab
    await page.goto(`${server.program.url}/tasks?open=task:tabbed`)
    const panel = page.getByRole('complementary', { name: 'Details of the task' })
    await panel.getByRole('tab', { name: 'Timeline' }).click()
    await page.waitForURL(/openTab=timeline/)
    await page.reload()
    await panel.getByRole('tab', { name: 'Timeline', selected: true }).waitFor()
    await panel.getByRole('link', { name: 'Open as page' }).click()
    await page.waitForURL(/\/tasks\/tabbed\?tab=timeline$/)
    await page.goBack()
    await panel.getByRole('tab', { name: 'Timeline', selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.waitForURL((url) => !url.href.includes('open'))
    assertNoProblems(tab)
    await tab.close()
  })
})
