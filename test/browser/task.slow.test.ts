import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { asRecord } from '../../core/json.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { type Tab, assertNoProblems, becomes, demandBrowser, launch, openTab, sendNow } from './browser.ts'

const ASK =
  'if [ -n "$SERVICE_ANSWER" ]; then echo "$SERVICE_ANSWER" > answer; else echo \'[{"text":"Which?","options":["First","Second"],"multiple":true},{"text":"Why?"}]\' > "$SERVICE_QUESTION_FILE"; fi'
const WORK = 'echo "line of $SERVICE_EXECUTION_ID" >> work.txt; echo "It is **done**." > "$SERVICE_SUMMARY_FILE"'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

describe('a task in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server
  let shop: object

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    const { path } = makeRemote(installation.folder, { 'a.txt': 'a\n' })
    shop = { name: 'Shop', remote_url: path, default_branch: 'main', on_accept: 'merge' }
    await server.call('POST', '/api/projects', { id: 'shop', ...shop })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const given = async (id: string, script: string, state?: string, fields: object = {}): Promise<void> => {
    await server.create(id, script, { project: 'shop', ...fields })
    if (state === undefined) return
    await server.run(id)
    await server.reaches(id, state)
  }
  const open = async (path: string, options: Parameters<typeof openTab>[2] = {}): Promise<Tab> => {
    const tab = await openTab(browser, `${server.program.url}${path}`, options)
    await tab.page.getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    return tab
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const state = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor()

  it('names what its holder types to take it over and hand it back, lets go of it, and says whether it is deployed', async () => {
    await given('by-hand', WORK, 'READY')
    const tab = await open('/tasks/by-hand')
    const { page } = tab
    await page.getByText('slipway checkout by-hand', { exact: true }).waitFor()
    assert.equal((await server.call('POST', '/api/tasks/by-hand/checkout')).status, 200)
    await page.getByText('slipway handback by-hand', { exact: true }).waitFor()
    await press(page, 'Release')
    await page.getByText('slipway checkout by-hand', { exact: true }).waitFor()
    assert.equal((await server.task('by-hand'))['checked_out'], undefined)
    // It is compared with what is deployed where its project says where that is asked.
    const deployed = page.getByText('Deployed', { exact: true })
    assert.equal(await deployed.count(), 0)
    const deployment = { commit_url: `${server.program.url}/api/version` }
    assert.equal((await server.call('PUT', '/api/projects/shop', { ...shop, deployment })).status, 200)
    await deployed.waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('runs, is rejected with a comment on a line, runs again, and is accepted', async () => {
    await given('review', WORK)
    const tab = await open('/tasks/review')
    const { page } = tab
    await page.getByRole('heading', { name: 'review' }).waitFor()
    await press(page, 'Run')
    await state(page, 'Ready for review')
    // What the page was opened at stays; the evidence is there, and so is the consequence.
    await page.getByText('It is done.').waitFor()
    await page.getByText('Accept merges slipway/review into main.').waitFor()
    await page.getByRole('tab', { name: /^Diff/ }).click()
    await page.getByRole('button', { name: 'Comment on line 1' }).first().click()
    await page
      .getByRole('textbox', { name: /^Comment on line 1/ })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.type('Say what it is')
    await assertAccessibleInBothThemes(page)
    await page.reload()
    await press(page, 'Ask for changes with 1 comment…')
    await page.getByText('work.txt:1').first().waitFor()
    await page.getByLabel('What is to be different').fill('Once more')
    await assertAccessibleInBothThemes(page)
    await press(page, 'Reject')
    await state(page, 'Rejected')
    const rejected = await server.task('review')
    assert.equal(rejected['rejection_comment'], 'Once more\n\nwork.txt:1: Say what it is')
    await press(page, 'Run the next attempt')
    await state(page, 'Ready for review')
    await page.getByRole('tab', { name: 'Attempts 2' }).click()
    await page.getByText(/^rejected by/).waitFor()
    await press(page, 'compare the last two')
    await page.getByRole('region', { name: 'Attempt 1 and Attempt 2' }).getByText('What it says').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('button', { name: 'Decisions' }).click()
    await page.getByText(/rejected the work/).waitFor()
    await page.getByText(/Attempt 1 began/).waitFor({ state: 'detached' })
    await assertAccessibleInBothThemes(page)
    await page.keyboard.press('Escape')
    await press(page, 'Accept')
    await sendNow(page)
    await page.getByText('review: task accepted').waitFor()
    await state(page, 'Accepted')
    await page.getByRole('link', { name: 'Now also…' }).click()
    await page.getByRole('heading', { name: 'New task' }).waitFor()
    await page.getByLabel('Title').fill('And one more')
    await press(page, 'Create only')
    await page.getByRole('heading', { name: 'And one more' }).waitFor()
    const made = await server.task(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    const { continues, project, agent } = made
    assert.deepEqual([continues, project, asRecord(agent)?.['type']], ['review', 'shop', 'script'])
    assertNoProblems(tab)
    await tab.close()
  })

  it('is answered with several options and own words, which survive a reload', async () => {
    await given('asks', ASK, 'BLOCKED')
    const tab = await open('/tasks/asks')
    const { page } = tab
    await press(page, 'Second')
    await page.getByLabel('Answer in your own words: Why?').fill('Because')
    await page.reload()
    await page.getByRole('button', { name: 'Second', pressed: true }).waitFor()
    await becomes(() => page.getByLabel('Answer in your own words: Why?').inputValue(), 'Because')
    await press(page, 'First')
    await assertAccessibleInBothThemes(page)
    await press(page, 'Send the answer')
    await sendNow(page)
    await page.getByText('asks: task queued for resume').waitFor()
    await server.reaches('asks', 'READY')
    await state(page, 'Ready for review')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page
      .getByText(/answered/)
      .first()
      .waitFor()
    await page.getByText('Which?: First, Second').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('says why it failed before all else, with the moves that help', async () => {
    await given('fails', 'echo broken pipe >&2; exit 1', 'FAILED')
    const tab = await open('/tasks/fails')
    const { page } = tab
    const note = page.getByRole('note', { name: 'Why it failed' })
    await note
      .getByText(/broken pipe/)
      .first()
      .waitFor()
    await until('the note is above the tabs', async () => {
      const [noteBox, tabsBox] = [await note.boundingBox(), await page.getByRole('tablist').boundingBox()]
      return noteBox !== null && tabsBox !== null && noteBox.y < tabsBox.y
    })
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.getByRole('tab', { name: 'YAML' }).click()
    await page.getByText('kubectl get task fails -n default -o yaml').waitFor()
    await page
      .getByRole('cell', { name: /broken pipe/ })
      .first()
      .waitFor()
    await page.getByRole('table', { name: 'Kubernetes events of the task' }).waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows a failed run on one page: the cause, the log at its first error, what was done, its workspace, the ways on', async () => {
    const commit = 'git add -A && git -c user.name=a -c user.email=a@example.org commit -qm begun'
    const noise = '(seq 300; echo "AssertionError: expected 409"; seq 300) >&2'
    await given('half', `echo half > half.txt; ${commit}; ${noise}; exit 1`, 'FAILED')
    const tab = await open('/tasks/half', { viewport: { width: 1280, height: 800 } })
    const { page } = tab
    const note = page.getByRole('note', { name: 'Why it failed' })
    await note.getByText('1 file changed').waitFor()
    const folder = (await note.locator('code').nth(1).textContent()) ?? ''
    assert.equal(readFileSync(join(folder, 'half.txt'), 'utf8'), 'half\n')
    await note.getByRole('button', { name: 'Copy the command to the workspace' }).waitFor()
    const parts = [
      page.locator('[data-target]').getByText('AssertionError: expected 409'),
      page.locator('[data-file]').getByText('half.txt').first(),
      page.getByRole('link', { name: 'Edit', exact: true }),
      page.getByRole('button', { name: 'Start over' }),
      page.getByRole('button', { name: 'Resume' }),
    ]
    for (const part of parts) {
      await part.waitFor()
      await until(`${String(part)} is in the window`, async () => {
        const box = await part.boundingBox()
        return box !== null && box.y > 0 && box.y + box.height < 800
      })
    }
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('says in its first line that it failed before the agent began', async () => {
    await server.create('no-clone', 'true', { repository_url: 'file:///nowhere/at/all.git' })
    await server.run('no-clone')
    await server.reaches('no-clone', 'FAILED')
    const tab = await open('/tasks/no-clone')
    const note = tab.page.getByRole('note', { name: 'Why it failed' })
    await note.getByText('The agent had not begun: nothing was changed.').waitFor()
    await becomes(
      async () =>
        (await note.innerText())
          .split('\n')
          .filter((line) => line !== '')
          .slice(0, 2),
      ['Failed: git, before the agent began', 'repository file:///nowhere/at/all.git does not exist'],
    )
    assertNoProblems(tab)
    await tab.close()
  })

  it('is not decided about when it is no longer what the person saw', async () => {
    await given('changed', 'echo z > z', 'READY')
    const tab = await open('/tasks/changed')
    const { page } = tab
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
    await page.route('**/api/tasks/changed', async (route) => {
      await server.call('PUT', '/api/tasks/changed', { description: 'something else' })
      await route.continue()
    })
    await press(page, 'Accept')
    await page.getByText(/has changed while you looked at it \(description\)/).waitFor()
    assert.equal((await server.task('changed'))['state'], 'READY')
    assertNoProblems(tab)
    await tab.close()
  })

  it('asks once before it is cancelled or deleted', async () => {
    await given('long', 'sleep 600')
    await server.run('long')
    await server.reaches('long', 'RUNNING')
    // A page whose task has gone looks for it in the archive.
    const tab = await open('/tasks/long', { expected: [/404/] })
    const { page } = tab
    await press(page, 'Cancel…')
    await press(page, 'Go on')
    assert.equal(await page.getByRole('button', { name: 'Delete…' }).count(), 0)
    await press(page, 'Cancel…')
    await press(page, 'Cancel it')
    await state(page, 'Cancelled')
    await press(page, 'Delete…')
    await press(page, 'Delete')
    await page.waitForURL(/\/tasks$/)
    assert.equal((await server.call('GET', '/api/tasks/long')).status, 404)
    assertNoProblems(tab)
    await tab.close()
  })

  it('opens in a panel over the view, which stays live and as it was', async () => {
    await given('paneled', 'echo p > p', 'READY')
    const tab = await open('/stories?q=something')
    const { page } = tab
    await page.goto(`${server.program.url}/stories?q=something&open=task:paneled`)
    const panel = page.getByRole('complementary', { name: 'Details of the task' })
    await panel.getByRole('heading', { name: 'paneled' }).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.waitForURL(/\/stories\?q=something$/)
    await page.goBack()
    await page.goto(`${server.program.url}/stories?open=task:paneled`)
    await panel.getByRole('link', { name: 'Open as page' }).click()
    await page.waitForURL(/\/tasks\/paneled$/)
    await page.goBack()
    await panel.getByRole('heading', { name: 'paneled' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('leaves the board as it was when a card is opened and closed again', async () => {
    for (const id of ['alpha', 'beta'])
      await server.call('POST', '/api/stories', { id, name: `Story ${id}`, status: 'BACKLOG', project_id: 'shop' })
    const tab = await open('/stories?q=story')
    const { page } = tab
    const card = page.locator('[data-story="beta"]').getByRole('link')
    const panel = page.getByRole('complementary', { name: 'Details of the story' })
    await card.click()
    await panel.getByRole('heading', { name: 'Story beta' }).first().waitFor()
    await page.waitForURL(/q=story.*open=story/)
    // The board beneath goes on.
    await server.call('PUT', '/api/stories/alpha', { name: 'Story alpha two' })
    await page.locator('[data-story="alpha"]').getByText('Story alpha two').waitFor()
    await page.goBack()
    await panel.waitFor({ state: 'detached' })
    await page.waitForURL(/\/stories\?q=story$/)
    await card.click()
    await panel.waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    // Closing went back, so the board has one entry in the history.
    await page.goForward()
    await panel.waitFor()
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.waitForFunction('document.activeElement?.closest("[data-story]") !== null')
    const [other] = await Promise.all([page.context().waitForEvent('page'), card.click({ modifiers: ['Control'] })])
    await other.waitForURL(/\/stories\/beta$/)
    assertNoProblems(tab)
    await tab.close()
  })

  it('never shows data of another task', async () => {
    await given('one', 'echo 1 > one.txt; echo "Summary of one" > "$SERVICE_SUMMARY_FILE"', 'READY')
    await given('two', 'echo 2 > two.txt; echo "Summary of two" > "$SERVICE_SUMMARY_FILE"', 'READY', {
      depends_on: ['one'],
    })
    const tab = await open('/tasks/two?tab=related')
    const { page } = tab
    await page.getByRole('link', { name: 'one', exact: true }).click()
    await page.getByRole('heading', { name: 'one', exact: true }).waitFor()
    await page.getByText('Summary of one').waitFor()
    assert.equal(await page.getByText('Summary of two').count(), 0)
    assert.equal(await page.getByText('two.txt').count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows texts of agents as texts', async () => {
    const name = '<img src=x onerror="document.title=1"> [go](javascript:alert(1))'
    const summary = '<script>document.title=1</script> [go](javascript:alert(1)) <b onclick=x>bold</b> \u202egnp.exe'
    const script = `cat > "$SERVICE_SUMMARY_FILE" <<'X'\n${summary}\nX\necho h > h`
    await server.call('POST', '/api/tasks', {
      id: 'hostile',
      name,
      project: 'shop',
      agent: { type: 'script', instructions: script },
    })
    await server.run('hostile')
    await server.reaches('hostile', 'READY')
    const tab = await open('/tasks/hostile?tab=overview')
    const { page } = tab
    await page.getByRole('heading', { name }).waitFor()
    await page.getByText('[U+202E]').first().waitFor()
    assert.equal(await page.locator('a[href^="javascript:"], main img, main b[onclick]').count(), 0)
    assert.match(await page.title(), /Slipway/)
    assertNoProblems(tab)
    await tab.close()
  })

  it('is accepted from a notification on a phone by a second tap', async () => {
    await given('phone', WORK, 'READY')
    const tab = await open('/tasks/phone?action=accept', PHONE)
    const { page } = tab
    const accept = page.getByRole('button', { name: 'Accept', exact: true })
    await page.getByRole('group', { name: 'Decisions' }).and(page.locator(':focus')).waitFor()
    await until('a thumb reaches it', async () => {
      const box = await accept.boundingBox()
      return box !== null && box.y + box.height <= 844 && box.height >= 44
    })
    await becomes(() => page.evaluate('document.documentElement.scrollWidth'), 390)
    assert.equal((await server.task('phone'))['state'], 'READY')
    await assertAccessibleInBothThemes(page)
    await accept.tap()
    await sendNow(page)
    await page.getByText('phone: task accepted').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('says so when there is no such task', async () => {
    const tab = await open('/tasks/nothing', { expected: [/404/] })
    await tab.page.getByRole('heading', { name: 'There is no task nothing' }).waitFor()
    await assertAccessibleInBothThemes(tab.page)
    assertNoProblems(tab)
    await tab.close()
  })
})

describe('a task in the browser of somebody who may only read', function () {
  const tokens = JSON.stringify([{ name: 'reader', token: 'reader-token', scopes: ['read'] }])
  const installation = makeInstallation({ SLIPWAY_TOKEN: 'the-real-token', SLIPWAY_TOKENS: tokens })
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    const remote = makeRemote(installation.folder, { 'a.txt': 'a\n' })
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote.path })
    for (const [id, script, end] of [
      ['ready', WORK, 'READY'],
      ['asks', ASK, 'BLOCKED'],
    ] as const) {
      await server.create(id, script, { project: 'shop' })
      await server.run(id)
      await server.reaches(id, end)
    }
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  it('has everything and no button', async () => {
    const tab = await openTab(browser, `${server.program.url}/tasks/ready?tab=overview`, {
      expected: [/401|WebSocket connection/],
    })
    const { page } = tab
    await page.getByLabel('Token').fill('reader-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('It is done.').waitFor()
    const moves = page.getByRole('button', { name: /Accept|Ask|Reject|Resume|Run|Start|Cancel|Delete|Send/ })
    assert.equal(await moves.count(), 0)
    await page.goto(`${server.program.url}/tasks/asks`)
    await page.getByText('Which?').first().waitFor()
    assert.equal(await moves.count(), 0)
    assert.equal(await page.getByLabel(/Answer in your own words/).count(), 0)
    assertNoProblems(tab)
    await tab.close()
  })
})
