import type { Page } from 'playwright-core'
import { assertNoProblems } from './browser.ts'
import { enter, tabTo } from './keyboard.ts'
import { inBrowser } from './suite.ts'

/** What opens in its place, the button that opens it, and the one that closes it undone. */
const PLACES = [
  { what: 'the question before a task is deleted', path: '/tasks/paint', opens: 'Delete…', closes: 'No' },
  { what: 'a new epic', path: '/epics', opens: 'New epic', closes: 'Cancel' },
  { what: 'an epic that is edited', path: '/epics', opens: 'Edit Checkout', closes: 'Cancel' },
  { what: 'a part of a story that is edited', path: '/stories/till', opens: 'Edit: Specification', closes: 'Cancel' },
  { what: 'a new task of a story', path: '/stories/till', opens: 'Add task', closes: 'Cancel' },
]

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('the focus, when a part that took it closes', function () {
  this.timeout(180_000)
  const { open } = inBrowser({
    async prepare({ server }) {
      await server.create('paint', 'true')
      await server.call('POST', '/api/epics', { name: 'Checkout' })
      await server.call('POST', '/api/stories', { id: 'till', name: 'Pay with a voucher', spec: 'On the server.' })
    },
  })

  for (const { what, path, opens, closes } of PLACES)
    it(`is on the button that opened ${what}`, async () => {
      const tab = await open(path)
      const { page } = tab
      await enter(page, button(page, opens))
      await tabTo(page, button(page, closes))
      await page.keyboard.press('Enter')
      await button(page, opens).and(page.locator(':focus')).waitFor()
      assertNoProblems(tab)
      await tab.close()
    })

  it('is there too when Escape has closed it', async () => {
    const tab = await open('/tasks/paint')
    const { page } = tab
    await enter(page, button(page, 'Delete…'))
    await button(page, 'No').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await button(page, 'Delete…').and(page.locator(':focus')).waitFor()
    await tab.close()
  })
})
