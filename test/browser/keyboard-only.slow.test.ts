import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type Program, startProgram } from '../contract/program.ts'
import { until } from '../helpers/until.ts'
import { assertNoProblems, becomes, demandBrowser, holdDecision, launch, openTab } from './browser.ts'
import { choose, enter, openTabNamed, tabTo } from './keyboard.ts'

describe('the whole way of a task with the keyboard alone', function () {
  let browser: Browser
  let program: Program

  before(async function () {
    browser = await launch(demandBrowser(this))
    program = await startProgram()
    await program.server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: program.remote.path })
  })
  after(async () => {
    await browser?.close()
    await program?.dispose()
  })

  it('leads from a new task over a question and changes to what it cost', async () => {
    const { server } = program
    const tab = await openTab(browser, `${server.program.url}/tasks`, { reducedMotion: 'no-preference' })
    const { page } = tab
    const { keyboard } = page
    await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })

    // A task.
    await keyboard.press('c')
    await page.getByRole('textbox', { name: 'Title' }).and(page.locator(':focus')).waitFor()
    await keyboard.type('Paint the shop')
    await keyboard.press('Tab')
    await keyboard.type('ASK-ME for the color. WAITS-FOR paint')
    await choose(page, page.getByRole('combobox', { name: 'Agent' }), 'claude')
    await tabTo(page, page.getByRole('combobox', { name: 'Project' }), 'Shift+Tab')
    await keyboard.type('Shop')
    await keyboard.press('Control+Enter')
    await page.waitForURL(/\/tasks\/(?!new)/)
    await page.getByRole('heading', { name: 'Paint the shop' }).waitFor()
    const id = new URL(page.url()).pathname.replace('/tasks/', '')

    // Away, and back to it by its name; what the agent says while it works.
    await keyboard.press('g')
    await keyboard.press('i')
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
    await keyboard.press('Control+k')
    await page
      .getByRole('combobox', { name: /^Name of a view/ })
      .and(page.locator(':focus'))
      .waitFor()
    await keyboard.type('Paint')
    await page.getByRole('option', { name: /Paint the shop/, selected: true }).waitFor()
    await keyboard.press('Enter')
    await enter(page, page.getByRole('link', { name: 'Watch it work' }))
    await page.getByText('I wait for paint.').waitFor()
    writeFileSync(join(program.installation.dataDir, 'volume', 'drops', 'paint'), '')

    // Its question, in the inbox.
    await server.reaches(id, 'BLOCKED')
    await keyboard.press('g')
    await keyboard.press('i')
    await page.getByText('Which color?').waitFor()
    await keyboard.press('j')
    await keyboard.press('2')
    await page.getByText(/queued for resume/).waitFor()

    // The diff, and a comment on a line of it.
    await server.reaches(id, 'READY')
    await page.getByRole('heading', { name: 'Ready for review' }).waitFor()
    await keyboard.press('j')
    await keyboard.press('Enter')
    await page.locator('[data-file="work.txt"]').waitFor()
    await keyboard.press('j')
    await keyboard.press('ArrowDown')
    await keyboard.press('c')
    await page
      .getByRole('textbox', { name: /Comment on line 1/ })
      .and(page.locator(':focus'))
      .waitFor()
    await keyboard.type('Name the color')
    await keyboard.press('Escape')
    await keyboard.press('r')
    await page.getByLabel('What is to be different').and(page.locator(':focus')).waitFor()
    await keyboard.type('Once more')
    await enter(page, page.getByRole('button', { name: 'Ask for changes with 1 comment on a line' }))
    await until(
      () => 'the agent has made something of it',
      async () => (await server.executions(id)).length === 3 && (await server.task(id))['state'] === 'READY',
    )
    const asked = JSON.stringify((await server.task(id))['decisions'])
    assert.ok(asked.includes(JSON.stringify('Once more\n\nwork.txt:1: Name the color')))

    // What it made of that, both side by side, and the end.
    await page.getByText('Ready for review', { exact: true }).first().waitFor()
    await openTabNamed(page, /^Attempts 3/)
    await enter(page, page.getByRole('button', { name: 'compare the last two' }))
    await page.getByRole('region', { name: /^Attempt .* and Attempt / }).waitFor()
    const release = await holdDecision(page, id)
    await keyboard.press('a')
    await enter(page, page.getByRole('button', { name: 'Send now' }))
    release()
    await page.getByText('Accepted', { exact: true }).first().waitFor()

    // What it cost: beside each attempt, for the task, and for the project.
    const attempts = page.getByRole('table', { name: 'Attempts, newest first' })
    await becomes(() => attempts.getByRole('cell', { name: '$0.25' }).count(), 3)
    await page.getByText('$0.75').first().waitFor()
    await keyboard.press('g')
    await keyboard.press('m')
    await page.getByRole('row', { name: /Shop/i }).getByText('$0.75').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})
