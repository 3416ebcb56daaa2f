import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, sendNow } from './browser.ts'
import { inBrowser } from './suite.ts'

const ASK =
  'if [ -n "$SERVICE_ANSWER" ]; then echo "$SERVICE_ANSWER" > answer; else echo \'{"text":"Which?","options":["First","Second"]}\' > "$SERVICE_QUESTION_FILE"; fi'

describe('the inbox in a browser', function () {
  const { server, open } = inBrowser({
    prepare: async ({ server, installation }) => {
      const remote = makeRemote(installation.folder, { 'a.txt': 'a\n' })
      await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote.path })
    },
  })

  const given = async (id: string, script: string, state: string): Promise<void> => {
    await server.create(id, script, { project: 'shop' })
    await server.run(id)
    await server.reaches(id, state)
  }
  const item = (page: Page, id: string): Locator =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name: id }) })
  const openInbox = async () => {
    const tab = await open('/')
    await tab.page.getByText('Live', { exact: true }).waitFor()
    return tab
  }

  it('accepts work that is ready, and counts in the title what waits', async () => {
    await given('accepted', 'echo x > x', 'READY')
    const tab = await openInbox()
    await item(tab.page, 'accepted').waitFor()
    await becomes(() => tab.page.title(), '(1) Slipway')
    // The second of two keys is no decision about the row that has the focus.
    await tab.page.keyboard.press('j')
    await tab.page.keyboard.press('g')
    await tab.page.keyboard.press('a')
    await tab.page.waitForURL('**/agents')
    await tab.page.goBack()
    await item(tab.page, 'accepted').waitFor()
    await tab.page.keyboard.press('j')
    await tab.page.keyboard.press('a')
    await sendNow(tab.page)
    await tab.page.getByText('accepted: task accepted').waitFor()
    await item(tab.page, 'accepted').waitFor({ state: 'detached' })
    await becomes(() => tab.page.title(), 'Slipway')
    assert.equal((await server.task('accepted'))['state'], 'COMPLETED')
    assertNoProblems(tab)
    await tab.close()
  })

  it('says what waits behind a limit on reviews, until somebody decides', async () => {
    const { remote_url } = JSON.parse((await server.call('GET', '/api/projects/shop')).text)
    await server.call('POST', '/api/projects', { id: 'narrow', name: 'Narrow', remote_url, max_awaiting_review: 1 })
    await server.create('shown-first', 'echo x > x', { project: 'narrow' })
    await server.run('shown-first')
    await server.reaches('shown-first', 'READY')
    await server.create('behind', 'echo y > y', { project: 'narrow' })
    await server.run('behind')
    const tab = await openInbox()
    const { page } = tab
    const note = page.getByRole('note').filter({ hasText: 'review shown-first first' })
    await note
      .getByText(/^Project narrow has 1 task that waits for a person .* 1 task waits behind, 1 slot is idle\.$/)
      .waitFor()
    await assertAccessibleInBothThemes(page)
    await item(page, 'shown-first').getByRole('button', { name: 'Accept' }).click()
    await sendNow(page)
    await note.waitFor({ state: 'detached' })
    await server.reaches('behind', 'READY')
    await server.call('POST', '/api/tasks/behind/accept')
    await page.goto(`${new URL(page.url()).origin}/projects/narrow`)
    await becomes(() => page.getByLabel('Tasks that may wait for review').inputValue(), '1')
    assertNoProblems(tab)
    await tab.close()
  })

  it('asks for changes in a comment, whose draft survives a reload', async () => {
    await given('mended', 'echo y > y', 'READY')
    const tab = await openInbox()
    const { page } = tab
    await item(page, 'mended').getByRole('button', { name: 'Ask for changes…' }).click()
    await page.getByLabel('What is to be different').fill('Call it z')
    await page.reload()
    await item(page, 'mended').getByRole('button', { name: 'Ask for changes…' }).click()
    await becomes(() => page.getByLabel('What is to be different').inputValue(), 'Call it z')
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Ask for changes' }).click()
    await page.getByText('mended: task queued for resume').waitFor()
    await until(
      () => 'the agent has gone on',
      async () => (await server.executions('mended')).length === 2,
    )
    await server.reaches('mended', 'READY')
    const resumed = (await server.executions('mended')).filter(({ purpose }) => purpose === 'resume')
    assert.equal(resumed.length, 1)
    assert.ok(JSON.stringify(resumed).includes('Call it z'))
    assertNoProblems(tab)
    await tab.close()
  })

  it('answers a question by its option and in own words', async () => {
    await given('asks-option', ASK, 'BLOCKED')
    await given('asks-words', ASK, 'BLOCKED')
    const tab = await openInbox()
    const { page } = tab
    await assertAccessibleInBothThemes(page)
    await item(page, 'asks-option').getByRole('button', { name: 'Second' }).click()
    await sendNow(page)
    await page.getByText(/^asks-option: /).waitFor()
    await item(page, 'asks-words').getByLabel('Answer in your own words').fill('Neither')
    await item(page, 'asks-words').getByRole('button', { name: 'Send the answer' }).click()
    await sendNow(page)
    await page.getByText(/^asks-words: /).waitFor()
    await server.reaches('asks-option', 'READY')
    await server.reaches('asks-words', 'READY')
    for (const [id, answer] of [
      ['asks-option', 'Second'],
      ['asks-words', 'Neither'],
    ] as const) {
      const decisions = (await server.task(id))['decisions'] as { action: string; comment?: string }[]
      assert.equal(decisions.find(({ action }) => action === 'answer')?.comment, answer)
    }
    // Ready now, they come back for review without a reload.
    await item(page, 'asks-option').getByRole('button', { name: 'Accept' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('does not decide about what is no longer what the person saw, and says what changed', async () => {
    await given('changed', 'echo z > z', 'READY')
    const tab = await openInbox()
    const { page } = tab
    await item(page, 'changed').waitFor()
    // Another person is faster, and the page hears of it only with its own request.
    await page.route('**/api/tasks/changed', async (route) => {
      await server.call('PUT', '/api/tasks/changed', { description: 'something else' })
      await route.continue()
    })
    await item(page, 'changed').getByRole('button', { name: 'Accept' }).click()
    await page.getByText(/has changed while you looked at it \(description\)/).waitFor()
    assert.equal((await server.task('changed'))['state'], 'READY')
    assertNoProblems(tab)
    await tab.close()
  })

  it('resumes what failed, with the reason beside it', async () => {
    await given('fails', 'test -e again || { touch again; echo broken pipe >&2; exit 1; }', 'FAILED')
    const tab = await openInbox()
    const { page } = tab
    await item(page, 'fails').getByText('broken pipe').waitFor()
    await item(page, 'fails').getByRole('button', { name: 'Resume' }).click()
    await page.getByText(/^fails: /).waitFor()
    await server.reaches('fails', 'READY')
    assertNoProblems(tab)
    await tab.close()
  })

  it('undrains an agent', async () => {
    await server.call('POST', '/api/agents', { id: 'fragile', adapter: 'script' })
    for (const id of ['drain-1', 'drain-2', 'drain-3']) {
      const agent = { type: 'fragile', instructions: 'exit 1' }
      await server.call('POST', '/api/tasks', { id, name: id, project: 'shop', agent })
      await server.run(id)
      await server.reaches(id, 'FAILED')
    }
    const tab = await openInbox()
    const { page } = tab
    await item(page, 'fragile is drained').getByRole('button', { name: 'Undrain' }).click()
    await item(page, 'fragile is drained').waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })
})
