import assert from 'node:assert/strict'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { type Tab, assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'
import { CONVERSATION, HOSTILE, conversationOf } from './conversation.ts'

const LINES = 1_000_000
/** A million lines, some coloured, three of them with a needle. */
const LONG = `
  node -e '
    const lines = []
    for (let i = 1; i <= ${LINES}; i++)
      lines.push(i % 333333 === 0 ? "a Needle in line " + i : "\\u001b[3" + (i % 8) + "mline " + i + "\\u001b[0m https://docs.example/" + i)
    process.stdout.write(lines.join("\\n") + "\\n")
  '`

const TO_THE_TOP = `document.querySelector('[role="region"][aria-label="Conversation"]').scrollTop = 0`

/** Scrolls a conversation to its top, also where it is being drawn still and goes to its end once more. */
const scrollToTop = (page: Page, shown: Locator): Promise<void> =>
  until('it is at its top', async () => {
    if (await shown.isVisible()) return true
    await page.evaluate(TO_THE_TOP)
    return false
  })

const says = (word: string, times: number): readonly object[] =>
  Array.from({ length: times }, (_, i) => ({ kind: 'text', text: `${word} ${i}.` }))

type Box = Readonly<Record<'scrollHeight' | 'scrollWidth' | 'clientHeight' | 'clientWidth', number>>

describe('the page of an execution in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    const remote = makeRemote(installation.folder, { 'README.md': '# shop\n' })
    await server.call('POST', '/api/projects', { id: 'shop', name: 'shop', remote_url: remote.path })
    const project = { project: 'shop' }
    await server.create('long', LONG, project)
    const noise = 'for i in $(seq 200); do echo "step $i"; done'
    const failing = `${noise}; (seq 300; echo "AssertionError: expected 409, got 200"; seq 300) >&2; exit 1`
    await server.create('fails', failing, project)
    const work = `echo change > file.txt; echo report > "$SERVICE_ARTIFACT_DIR/report.txt"`
    const waits = 'while [ ! -e "$SERVICE_ARTIFACT_DIR/go-on" ]; do sleep 0.1; done'
    await server.create('talks', `${work}; for i in $(seq 100); do echo "before $i"; done; ${waits}; echo after`, {
      ...project,
      budget_usd: 3,
    })
    await server.create('stopped', 'sleep 3600', project)
    await server.create('told', work, project)
    for (const id of ['long', 'fails', 'told']) await server.run(id)
    await server.reaches('long', 'READY', 120_000)
    await server.reaches('fails', 'FAILED')
    await server.reaches('told', 'READY')
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const open = (path: string, options = {}): Promise<Tab> =>
    openTab(browser, `${server.program.url}/executions/${path}`, options)
  const line = (page: Page, number: number): Locator => page.locator(`[data-line="${number}"]`)
  const events = (execution: string, more: readonly object[]): void =>
    appendFileSync(installation.executionFile(execution, 'agent/events.jsonl'), conversationOf(more))

  const retell = (execution: string, all: readonly object[]): void =>
    writeFileSync(installation.executionFile(execution, 'agent/events.jsonl'), conversationOf(all))

  it('shows what the services of the project printed, with what a terminal would obey made visible', async () => {
    await server.create('served', 'true', { project: 'shop' })
    await server.run('served')
    await server.reaches('served', 'READY')
    const path = '/apis/slipway.dev/v1alpha1/namespaces/default/executions/served-1/status'
    const phases = [{ name: 'services', startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:02Z' }]
    await server.kube.send('PATCH', path, { status: { phases } }, { 'Content-Type': 'application/merge-patch+json' })
    const logs = [
      { name: 'db', log: 'FATAL: \u001b[31mno role\n' },
      { name: 'queue', log: '', problem: 'i/o timeout' },
    ]
    writeFileSync(installation.executionFile('served-1', 'services.json'), JSON.stringify(logs))
    const tab = await open('served-1')
    const { page } = tab
    await page.getByRole('tab', { name: 'Services' }).click()
    await page.getByRole('region', { name: 'Log of db' }).getByText('FATAL: ␛[31mno role').waitFor()
    await page.getByText('Not all of it could be read: i/o timeout').waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
    const other = await open('told-1')
    await other.page.getByRole('tab', { name: 'Changes' }).waitFor()
    assert.equal(await other.page.getByRole('tab', { name: 'Services' }).count(), 0)
    await other.close()
  })

  it('opens a log of a million lines at its end, and finds a line in it', async () => {
    const tab = await open('long-1')
    const { page } = tab
    await line(page, LINES).getByText(`line ${LINES}`).waitFor()
    await page.getByText('1,000,000 lines').waitFor()
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('needle')
    await page.keyboard.press('Enter')
    await page.getByText('3 lines').waitFor()
    await page.getByRole('button', { name: 'Next match' }).click()
    await page.getByText('1 of 3').waitFor()
    await becomes(() => line(page, 333_333).locator('mark').textContent(), 'Needle')
    await page.getByRole('button', { name: 'Previous match' }).click()
    await page.getByText('3 of 3').waitFor()
    await line(page, 999_999).getByText('a Needle').waitFor()
    await page.waitForURL(/[?&]q=needle.*#L999999$/)
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Next match' }).click()
    await line(page, 333_333).getByText('a Needle').waitFor()
    await page.getByRole('button', { name: 'Jump to the end' }).click()
    await line(page, LINES).getByText(`line ${LINES}`).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows the line of an address, with its colours and safe links, wrapped or not', async () => {
    const tab = await open('long-1?tab=log#L500001')
    const { page } = tab
    const target = page.locator('[data-target]')
    await target.getByText('line 500001').waitFor()
    await becomes(() => target.getAttribute('data-line'), '500001')
    const link = target.getByRole('link', { name: 'https://docs.example/500001' })
    await becomes(() => link.getAttribute('rel'), 'noopener noreferrer')
    await becomes(() => target.locator('[data-look]').first().getAttribute('data-look'), 'fg')
    await page.getByLabel('Wrap').check()
    await target.getByText('line 500001').waitFor()
    await line(page, 500_003).getByRole('link', { name: 'Line 500003' }).click()
    await page.waitForURL(/#L500003$/)
    await page.locator('[data-target][data-line="500003"]').waitFor()
    await page.getByLabel('Wrap').uncheck()
    assertNoProblems(tab)
    await tab.close()
  })

  it('opens a failed run at its first error, and says what to do', async () => {
    const tab = await open('fails-1')
    const { page } = tab
    const note = page.getByRole('note', { name: 'Why it failed' })
    await note.getByText('the script exited 1').waitFor()
    await note.getByText('It had committed nothing.').waitFor()
    await becomes(() => note.locator('code').first().innerText(), 'slipway shell fails')
    const folder = await note.locator('code').nth(1).innerText()
    assert.ok(existsSync(folder), folder)
    const moves = page.getByRole('group', { name: 'Decisions' })
    await becomes(() => moves.locator('a, button').allInnerTexts(), ['Edit', 'Start over', 'Resume'])
    await page.locator('[data-target]').getByText('AssertionError').waitFor()
    await becomes(() => page.getByRole('button', { name: 'stderr' }).getAttribute('aria-pressed'), 'true')
    await page.getByRole('listitem').filter({ hasText: 'agent' }).getByText(', failed').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'stdout' }).click()
    await line(page, 200).getByText('step 200').waitFor()
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByRole('table', { name: 'Kubernetes events of the execution' }).getByText('Ended').waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('follows a run: what it prints, what the agent writes, and its end', async () => {
    await server.run('talks')
    const events1 = installation.executionFile('talks-1', 'agent/events.jsonl')
    await until('it runs', async () => existsSync(events1))
    const tab = await open('talks-1')
    const { page } = tab
    await line(page, 100).getByText('before 100').waitFor()
    await page.getByRole('tab', { name: 'Conversation' }).click()
    await page.getByText('A script has no conversation').waitFor()
    events('talks-1', CONVERSATION.slice(0, 3))
    await page.getByText('I will move the check into').waitFor()
    await page.getByText('is being written').waitFor({ state: 'attached' })
    events('talks-1', [...CONVERSATION.slice(3), ...HOSTILE])
    await page.getByText('POST /orders').waitFor()
    await page.getByText('$0.84 of $3.00').first().waitFor()
    await page.getByText('1 of 3').waitFor()
    events('talks-1', says('Word', 60))
    await page.getByText('Word 59.').waitFor()
    const toLatest = page.getByRole('button', { name: 'Jump to latest' })
    await scrollToTop(page, toLatest)
    await toLatest.click()
    await page.getByText('Word 59.').waitFor()
    writeFileSync(installation.executionFile('talks-1', 'agent/artifacts/go-on'), '')
    await page.getByText('Succeeded').waitFor()
    await page.getByRole('tab', { name: 'Log' }).click()
    await line(page, 101).getByText('after').waitFor()
    await page.getByRole('tab', { name: /Changes/ }).click()
    await page.getByText('file.txt').first().waitFor()
    await page.getByRole('tab', { name: 'Artifacts' }).click()
    await page.getByRole('link', { name: 'report.txt' }).waitFor()
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByText('kind: Execution').waitFor()
    await page.getByText('kubectl get execution talks-1 -n default -o yaml').waitFor()
    // Nothing that a person must know happened, so there is no Event.
    await page.getByText('None. Kubernetes keeps events for about an hour.').waitFor()
    await page.getByRole('table', { name: 'Containers of the pod' }).getByText('terminated with 0').first().waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('reads a conversation with tools, edits and thinking, and believes none of its texts', async () => {
    retell('told-1', [...CONVERSATION, ...HOSTILE, ...says('Word', 60)])
    const tab = await open('told-1?tab=conversation')
    const { page } = tab
    await page.getByText('Word 59.').waitFor()
    await scrollToTop(page, page.getByRole('link', { name: 'the guide' }))
    assert.equal(await page.getByText('this', { exact: true }).locator('xpath=self::a').count(), 0)
    await page.getByText('<img src=x onerror=alert(1)> and [U+202E]gnp.exe').waitFor()
    assert.equal(await page.locator('main img').count(), 0)
    await page.getByRole('button', { name: /Thinking/ }).click()
    await page.getByRole('button', { name: /Thinking/, expanded: true }).waitFor()
    const edit = page.getByRole('button', { name: /Edit src\/orders\/create.ts/ })
    await becomes(() => edit.getAttribute('aria-expanded'), 'true')
    await page.getByText('+ const voucher = await findVoucher(order.voucher)').waitFor()
    await page.getByRole('button', { name: /Search voucher/ }).click()
    await page.getByText('src/vouchers/check.ts:2').waitFor()
    await page.getByRole('button', { name: /Run npm test.*failed/ }).waitFor()
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('draws a conversation of ten thousand entries without all of them on the page', async () => {
    retell('told-1', [...CONVERSATION, ...says('Thought', 10_000)])
    const tab = await open('told-1?tab=conversation')
    const { page } = tab
    await page.getByText('Thought 9999.').waitFor()
    assert.ok((await page.locator('[data-index]').count()) < 100)
    await scrollToTop(page, page.getByText('Session with claude-opus-5-5'))
    assertNoProblems(tab)
    await tab.close()
  })

  it('stops a run after it has asked once, and shows nothing of another execution', async () => {
    await server.run('stopped')
    await server.reaches('stopped', 'RUNNING')
    const tab = await open('fails-1')
    const { page } = tab
    await page.locator('[data-target]').getByText('AssertionError').waitFor()
    await page.evaluate(`history.pushState(null, '', '/executions/stopped-1')`)
    await page.getByRole('heading', { name: 'stopped' }).waitFor()
    await page.getByText('Nothing on stdout yet').waitFor()
    assert.equal(await page.getByText('AssertionError').count(), 0)
    await page.getByRole('button', { name: 'Stop…' }).click()
    await page.getByRole('button', { name: 'Stop it' }).click()
    await page.getByText('Cancelled').first().waitFor()
    await page.getByRole('button', { name: 'Stop…' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'stderr' }).click()
    await page.getByText('Nothing was printed on stderr').waitFor()
    await page.waitForURL(/[?&]stream=stderr/)
    await page.getByRole('link', { name: 'the details' }).click()
    await page.getByRole('tab', { name: 'Details', selected: true }).waitFor()
    await page.waitForURL(/[?&]tab=details/)
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows what was asked where it was asked, and the answer where the work went on, for scripts too', async () => {
    const ask = (question: object): string => `echo '${JSON.stringify(question)}' > "$SERVICE_QUESTION_FILE"`
    const database = { text: 'Which database?', options: ['Postgres', 'SQLite'] }
    const region = { text: 'Which region?', options: ['EU', 'US'] }
    const asks = `case "$SERVICE_ANSWER" in '') ${ask(database)};; SQLite) ${ask(region)};; esac`
    const answer = async (said: string): Promise<void> => {
      await server.reaches('asks', 'BLOCKED')
      const reply = await server.call('POST', '/api/tasks/asks/answer', { answer: said })
      assert.equal(reply.status, 202, JSON.stringify(reply.body))
    }
    await server.create('asks', asks, { project: 'shop' })
    await server.run('asks')
    await answer('SQLite')
    await until('it has asked again', async () => (await server.executions('asks')).length === 2)
    await server.reaches('asks', 'BLOCKED')
    // Both questions were asked in the second of the first answer, whose time is in whole seconds.
    const { decisions } = (await server.task('asks')) as { readonly decisions: readonly { readonly at: string }[] }
    const second = decisions.at(-1)?.at ?? ''
    retell('asks-1', [{ at: second.replace('Z', '.001Z'), kind: 'question', questions: [database] }])
    retell('asks-2', [{ at: second.replace('Z', '.999Z'), kind: 'question', questions: [region] }])

    const first = await open('asks-1?tab=conversation')
    const { page } = first
    const said = page.getByRole('region', { name: 'Conversation' })
    await said.getByText('anonymous answered').waitFor()
    for (const part of [said, page.getByRole('region', { name: 'What the agent asked' })]) {
      await part.getByText('Which database?').waitFor()
      const options = part.getByRole('list', { name: 'Options' }).getByRole('listitem')
      await becomes(() => options.allTextContents(), ['Postgres', 'SQLite, chosen'])
    }
    await assertAccessibleInBothThemes(page)
    await page.getByText('Goes on in').getByRole('link', { name: 'asks-2' }).click()
    await page.getByRole('region', { name: 'Answer to the agent' }).getByText('SQLite').waitFor()
    await page.getByRole('tab', { name: 'Conversation' }).click()
    await said.getByText('Which region?').waitFor()
    assert.equal(await said.getByText('answered').count(), 0)
    await answer('US')
    await said.getByText('US, chosen').waitFor()
    await server.reaches('asks', 'READY')
    await page.getByText('Goes on in').getByRole('link', { name: 'asks-3' }).click()
    await page.getByText('Goes on from').getByRole('link', { name: 'asks-2' }).click()
    await page.getByText('Goes on from').getByRole('link', { name: 'asks-1' }).waitFor()
    assertNoProblems(first)
    await first.close()

    const phone = await open('asks-1', { viewport: { width: 390, height: 844 }, hasTouch: true })
    const note = phone.page.getByRole('region', { name: 'What the agent asked' })
    await note.getByText('SQLite, chosen').waitFor()
    const hidden = (part: Box) => [part.scrollHeight - part.clientHeight, part.scrollWidth - part.clientWidth]
    await becomes(() => note.evaluate(hidden), [0, 0])
    await phone.close()
  })

  it('fits on a phone', async () => {
    retell('told-1', CONVERSATION)
    const tab = await open('told-1?tab=conversation', { viewport: { width: 390, height: 844 }, hasTouch: true })
    const { page } = tab
    await page.locator('[data-index]').first().waitFor()
    for (const name of ['Log', 'Changes', 'Details', 'Conversation']) {
      await page.getByRole('tab', { name }).click()
      await page.getByRole('tab', { name, selected: true }).waitFor()
      await becomes(() => page.evaluate('[document.documentElement.scrollWidth, innerWidth]'), [390, 390])
    }
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })
})
