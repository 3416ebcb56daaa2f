import type { Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
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
  { what: 'what is to be different', path: '/tasks/done', opens: 'Ask for changes…', closes: 'Not now' },
  { what: 'what is to be different, in the inbox', path: '/', opens: 'Ask for changes…', closes: 'Not now' },
]

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('the focus, when a part that took it closes', function () {
  const { open } = inBrowser({
    async prepare({ server, installation }) {
      await server.create('paint', 'true')
      const { path } = makeRemote(installation.folder, { 'README.md': '# shop\n' })
      await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: path })
      await server.create('done', 'true', { project: 'shop' })
      await server.run('done')
      await server.reaches('done', 'READY')
      await server.call('POST', '/api/epics', { name: 'Checkout' })
      await server.call('POST', '/api/stories', { id: 'till', name: 'Pay with a voucher', spec: 'On the server.' })
    },
  })

  for (const { what, path, opens, closes } of PLACES)
    for (const by of ['its button', 'Escape'])
      it(`is on the button that opened ${what} when ${by} has closed it`, async () => {
        const tab = await open(path)
        const { page } = tab
        await enter(page, button(page, opens))
        if (by === 'Escape') {
          // The key closes the part that has the focus.
          await button(page, closes).waitFor()
          await button(page, opens).and(page.locator(':focus')).waitFor({ state: 'detached' })
        } else await tabTo(page, button(page, closes))
        await page.keyboard.press(by === 'Escape' ? 'Escape' : 'Enter')
        await button(page, opens).and(page.locator(':focus')).waitFor()
        assertNoProblems(tab)
        await tab.close()
      })
})
