import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { type Program, startProgram } from '../contract/program.ts'
import { until } from '../helpers/until.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab, sendNow } from './browser.ts'

const PLAN = {
  name: 'Exports as CSV',
  branch_name: 'story/exports',
  spec: 'The report can be **saved**.',
  acceptance_criteria: ['The export HOLDS.'],
  tasks: [
    { name: 'Write the export', description: 'In report.ts.', agent: 'claude', subtasks: [] },
    { name: 'Describe it', description: 'In the README.', agent: 'claude', subtasks: [] },
  ],
  validation: { type: 'test', steps: ['npm test'], success_criteria: 'All pass.' },
}

/** What the stand-in for Claude Code reads in a prompt, it does (test/fixtures/agents/claude.mjs). */
describe('a new story in a browser', function () {
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

  const openNew = async (expected: readonly RegExp[] = []) => {
    const tab = await openTab(browser, `${program.server.program.url}/stories/new`, { expected })
    await tab.page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
    return tab
  }
  const wish = (page: Page) => page.getByLabel('What do you want?')

  it('goes from a wish over a plan to DONE, in the browser alone', async () => {
    const tab = await openNew()
    const { page } = tab
    await wish(page).fill(`ANSWER-WITH ${JSON.stringify(PLAN)}`)
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Let an agent plan it' }).click()
    await page
      .getByText(/An agent plans the story/)
      .first()
      .waitFor()

    const name = page.getByLabel('Name', { exact: true }).first()
    await name.waitFor()
    await becomes(() => name.inputValue(), PLAN.name)
    await name.fill('Exports for spreadsheets')
    // The graph follows the edits.
    await page.getByRole('button', { name: 'Remove: Task 2' }).click()
    await page.getByRole('group', { name: 'Graph of the plan: 1 tasks' }).waitFor()
    await page.reload()
    await page.getByRole('group', { name: 'Graph of the plan: 1 tasks' }).waitFor()
    await becomes(() => page.getByLabel('Name', { exact: true }).first().inputValue(), 'Exports for spreadsheets')
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Approve the plan' }).click()

    await page.getByRole('heading', { name: 'Exports for spreadsheets' }).waitFor()
    assert.notEqual(program.remote.git('rev-parse', 'story/exports'), '')
    await page.getByRole('button', { name: 'Run 1 waiting task' }).click()
    await page.getByText('1 of 1 task finished').waitFor()
    await page.getByRole('button', { name: 'Have it validated' }).click()
    await page.getByText('1 of 1 hold').waitFor()
    await page.getByText('work.txt is there').first().waitFor()
    await page.getByRole('button', { name: 'Accept the story' }).click()
    await sendNow(page)
    await page.getByText(/: story accepted/).waitFor()
    await page.getByText('Done', { exact: true }).waitFor()
    // What an agent proposes at the end becomes an epic in one step.
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByText('The story was accepted').waitFor()
    await page.getByRole('link', { name: 'Make it an epic…' }).click()
    await page.getByRole('button', { name: 'Create the epic' }).click()
    await page.getByRole('heading', { name: 'Measure it' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps a wish that was typed before the server said who this is', async () => {
    const tab = await openTab(browser, 'about:blank')
    const { page } = tab
    let release = (): void => undefined
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/session', async (route) => {
      await isReleased
      await route.continue()
    })
    await page.goto(`${program.server.program.url}/stories/new`)
    await wish(page).fill('Typed early')
    const known = page.waitForResponse('**/api/session')
    release()
    await known
    await page.getByRole('link', { name: 'New task' }).first().waitFor()
    await becomes(() => wish(page).inputValue(), 'Typed early')
    await page.reload()
    await becomes(() => wish(page).inputValue(), 'Typed early')
    assertNoProblems(tab)
    await tab.close()
  })

  it('can be cancelled while the agent plans, and keeps the wish', async () => {
    const tab = await openNew()
    const { page } = tab
    await wish(page).fill('TAKE-FOREVER')
    await page.getByRole('button', { name: 'Let an agent plan it' }).click()
    await page
      .getByText(/An agent plans the story/)
      .first()
      .waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await becomes(() => wish(page).inputValue(), 'TAKE-FOREVER')
    await until('the agent has been stopped', async () => {
      const list: unknown = JSON.parse((await program.server.call('GET', '/api/executions')).text)
      return Array.isArray(list) && list.every((each) => !['PENDING', 'RUNNING'].includes(String(each.state)))
    })
    assertNoProblems(tab)
    await tab.close()
  })

  it('is planned by hand, with the refusals at their fields', async () => {
    const tab = await openNew([/400/])
    const { page } = tab
    await wish(page).fill('By hand')
    await page.getByRole('button', { name: 'Write the plan myself' }).click()
    await page.getByLabel('Name', { exact: true }).first().fill('By hand')
    await page.getByRole('button', { name: 'Approve the plan' }).click()
    const taskName = page.getByRole('group', { name: 'Task 1', exact: true }).getByLabel('Name', { exact: true })
    await page.locator('[aria-invalid]').waitFor()
    await becomes(() => taskName.getAttribute('aria-invalid'), 'true')
    await assertAccessibleInBothThemes(page)
    await taskName.fill('First')
    await page.getByRole('button', { name: 'Add a subtask: Task 1' }).click()
    await page.getByRole('group', { name: 'Subtask 1.1', exact: true }).getByLabel('Name', { exact: true }).fill('Part')
    await page.getByRole('button', { name: 'Approve the plan' }).click()
    await page.getByRole('heading', { name: 'By hand' }).waitFor()
    await page.getByRole('button', { name: /^Part, subtask/ }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('is created without tasks', async () => {
    const tab = await openNew()
    const { page } = tab
    await page.getByRole('button', { name: 'Only a story, no tasks yet' }).click()
    await page.getByLabel('Name', { exact: true }).fill('An idea')
    await page.getByRole('button', { name: 'Create the story' }).click()
    await page.getByRole('heading', { name: 'An idea' }).waitFor()
    await page.getByText('Backlog', { exact: true }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})
