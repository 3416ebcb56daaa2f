import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, demandBrowser, launch, openTab } from './browser.ts'

describe('a story of very many tasks in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    await makeStory('large', 300)
    await makeStory('fair', 200)
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  /** Chains of ten tasks beside each other; each names the one before it, which has to be there. */
  const makeStory = async (id: string, size: number): Promise<void> => {
    await server.call('POST', '/api/stories', { id, name: `The ${id} story` })
    const chains = Array.from({ length: size / 10 }, (_, chain) => chain * 10)
    for (let depth = 0; depth < 10; depth += 1)
      await Promise.all(
        chains.map((first) =>
          server.create(`${id}-${first + depth}`, 'true', {
            story_id: id,
            ...(depth === 0 ? {} : { depends_on: [`${id}-${first + depth - 1}`] }),
          }),
        ),
      )
  }
  const open = (id: string) => openTab(browser, `${server.program.url}/stories/${id}`)

  it('is shown as a list, which says why, and the page answers', async () => {
    const tab = await open('large')
    const { page } = tab
    await page.getByText('300 tasks are too many for a picture').waitFor()
    assert.equal(await page.locator('svg [data-node]').count(), 0)
    const list = page.getByRole('region', { name: 'Tasks and what they wait for' })
    await list.getByRole('heading', { name: /^Not started/ }).waitFor()
    await list.getByRole('button', { name: 'large-0', exact: true }).click()
    await page.getByRole('complementary', { name: 'Details of the task' }).waitFor()
    await page.keyboard.press('Escape')
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('is drawn up to two hundred tasks', async () => {
    const tab = await open('fair')
    const { page } = tab
    await page.locator('svg [data-node]').nth(199).waitFor()
    await page.locator('svg [data-node]').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Details of the task' }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})
