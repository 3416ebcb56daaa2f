import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { type Program, startProgram } from '../contract/program.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab, sendNow } from './browser.ts'

describe('what needs a person, in a browser', function () {
  let browser: Browser
  let program: Program

  before(async function () {
    browser = await launch(demandBrowser(this))
    program = await startProgram()
  })
  after(async () => {
    await browser?.close()
    await program?.dispose()
  })

  const given = async (id: string): Promise<void> => {
    const { server, remote } = program
    const task = { id, name: id, description: 'ASK-ME', repository_url: remote.path, agent: { type: 'claude' } }
    assert.equal((await server.call('POST', '/api/tasks', task)).status, 201)
    await server.run(id)
    await server.reaches(id, 'BLOCKED')
  }
  const titled = (page: Page, title: string) => becomes(() => page.title(), title)
  /** The number that is drawn on the icon of the tab; undefined: the icon without one. */
  const countOnIcon = async (page: Page): Promise<string | undefined> => {
    const address = await page.locator('link[rel="icon"]').getAttribute('href')
    return /<text[^>]*>(\d+)<\/text>/.exec(decodeURIComponent(address ?? ''))?.[1]
  }

  it('is counted in the title and on the icon of the tab', async () => {
    await given('first')
    const tab = await openTab(browser, `${program.server.program.url}/tasks`)
    const { page } = tab
    await titled(page, '(1) Slipway')
    await becomes(() => countOnIcon(page), '1')
    await given('second')
    await titled(page, '(2) Slipway')
    await becomes(() => countOnIcon(page), '2')
    // Decided elsewhere, in another tab or by another person.
    for (const id of ['first', 'second']) await program.server.call('POST', `/api/tasks/${id}/cancel`)
    await titled(page, 'Slipway')
    await becomes(() => countOnIcon(page), undefined)
    assertNoProblems(tab)
    await tab.close()
  })

  it('is a question that is answered on the page of its execution, and stands there with its answer', async () => {
    await given('asks')
    const tab = await openTab(browser, `${program.server.program.url}/executions/asks-1`)
    const { page } = tab
    const question = page.getByRole('region', { name: 'Question of the agent' })
    await question.getByText('Which color?').waitFor()
    await assertAccessibleInBothThemes(page)
    await question.getByRole('button', { name: 'blue' }).click()
    await sendNow(page)
    await page.getByText('asks: task queued for resume').waitFor()
    await question.waitFor({ state: 'detached' })
    for (const name of ['What the agent asked', 'Conversation']) {
      const region = page.getByRole('region', { name })
      await region.getByText('Which color?').waitFor()
      await region.getByText(/answered$/).waitFor()
    }
    await program.server.reaches('asks', 'READY')
    assertNoProblems(tab)
    await tab.close()
  })
})
