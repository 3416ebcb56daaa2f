import type { Locator, Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { assertAccessible } from './axe.ts'
import { assertNoProblems, becomes, sendNow } from './browser.ts'
import { inBrowser } from './suite.ts'

/** A window of 1280 by 1024 pixels at 400 % (WCAG 2.2, 1.4.10). */
const VIEWPORT = { width: 320, height: 256 }

const ASK =
  'if [ -n "$SERVICE_ANSWER" ]; then echo "$SERVICE_ANSWER" > answer; else echo \'{"text":"Which?","options":["First","Second"]}\' > "$SERVICE_QUESTION_FILE"; fi'

/** Presses what can be reached by scrolling up and down alone. */
async function press(page: Page, target: Locator): Promise<void> {
  await until('it is in the window', async () => {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    return box !== null && box.x >= 0 && box.x + box.width <= VIEWPORT.width
  })
  await becomes(() => page.evaluate('document.documentElement.scrollWidth'), VIEWPORT.width)
  await target.click()
}

describe('a page at 400 percent', function () {
  const { open, server } = inBrowser({
    async prepare({ server: made, installation }) {
      const { path } = makeRemote(installation.folder, { 'README.md': '# shop\n' })
      await made.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: path })
      for (const [id, script, state] of [
        ['good', 'echo x > x', 'READY'],
        ['bad', 'echo y > y', 'READY'],
        ['asks', ASK, 'BLOCKED'],
      ] as const) {
        await made.create(id, script, { project: 'shop' })
        await made.run(id)
        await made.reaches(id, state)
      }
    },
  })

  const at = async (path: string, work: (page: Page) => Promise<void>): Promise<void> => {
    const tab = await open(path, { viewport: VIEWPORT })
    await work(tab.page)
    await assertAccessible(tab.page)
    assertNoProblems(tab)
    await tab.close()
  }

  const reaches = (id: string, state: string) => becomes(async () => (await server.task(id))['state'], state)

  it('takes the acceptance of work', () =>
    at('/tasks/good', async (page) => {
      await press(page, page.getByRole('button', { name: 'Accept', exact: true }))
      await sendNow(page)
      await reaches('good', 'COMPLETED')
    }))

  it('takes a rejection with its comment', () =>
    at('/tasks/bad', async (page) => {
      await press(page, page.getByRole('button', { name: 'Ask for changes…' }))
      await page.getByRole('textbox').first().fill('Not like this')
      await press(page, page.getByRole('button', { name: 'Reject', exact: true }))
      await reaches('bad', 'PENDING')
    }))

  it('takes an answer', () =>
    at('/tasks/asks', async (page) => {
      await press(page, page.getByRole('button', { name: 'Second' }))
      await sendNow(page)
      await reaches('asks', 'READY')
    }))

  for (const path of [
    '/',
    '/tasks',
    '/agents',
    '/projects',
    '/epics',
    '/stats',
    '/drops',
    '/scripts',
    '/settings',
    '/tasks/new',
  ])
    it(`needs no scrolling to the side at ${path}`, () =>
      at(path, async (page) => {
        await page.getByRole('heading', { level: 1 }).waitFor()
        await becomes(() => page.evaluate('document.documentElement.scrollWidth'), VIEWPORT.width)
        await becomes(() => page.evaluate('document.querySelector("main").scrollWidth'), VIEWPORT.width)
      }))
})
