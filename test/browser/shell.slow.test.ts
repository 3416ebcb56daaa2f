import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const EXPECTED = [/401|WebSocket connection/]

describe('what surrounds every view', function () {
  const installation = makeInstallation({ SLIPWAY_TOKEN: 'the-token' })
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    await server.call('POST', '/api/stories', { id: 'one', name: 'Story one', status: 'BACKLOG' })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const signIn = async (page: Page): Promise<void> => {
    await page.getByLabel('Token').fill('the-token')
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Keeps the page's connections from being made while it is held. */
  const holdConnections = async (page: Page) => {
    let gate = Promise.resolve()
    await page.routeWebSocket(/\/api\/ws/, async (socket) => {
      await gate
      socket.connectToServer()
    })
    return (): (() => void) => {
      let release = (): void => undefined
      gate = new Promise((resolve) => (release = resolve))
      return release
    }
  }

  it('shows the next session as connected, and its lists, when the connection of that session stands', async () => {
    const tab = await openTab(browser, `${server.program.url}/settings`, { expected: EXPECTED })
    const { page } = tab
    const hold = await holdConnections(page)
    await page.reload()
    await signIn(page)
    await page.getByText('Live', { exact: true }).waitFor()
    const release = hold()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page)
    await page.getByText('Connecting…').waitFor()
    await page.getByRole('link', { name: 'Stories' }).click()
    await page
      .getByLabel(/being read/)
      .first()
      .waitFor()
    // Nothing tells the page of this story but the list itself.
    await server.call('POST', '/api/stories', { id: 'two', name: 'Story two', status: 'BACKLOG' })
    release()
    await page.locator('[data-story="two"]').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows on a phone whether it is connected, and marks one link for the view of a new task', async () => {
    const tab = await openTab(browser, server.program.url, { ...PHONE, expected: EXPECTED })
    const { page } = tab
    const release = (await holdConnections(page))()
    await page.reload()
    await signIn(page)
    const dock = page.getByRole('navigation', { name: 'Views' })
    await dock.getByText('Connecting…').waitFor()
    release()
    await dock.getByText('Connecting…').waitFor({ state: 'detached' })
    await becomes(() => dock.getByRole('status').textContent(), 'Live')
    await dock.getByRole('link', { name: 'New' }).click()
    await page.getByRole('heading', { name: 'New task' }).waitFor()
    await becomes(() => dock.locator('[aria-current="page"]').allTextContents(), ['New'])
    await assertAccessibleInBothThemes(page)
    assertNoProblems(tab)
    await tab.close()
  })

  it('names the files of a view beside the page, so that none of them is asked for by another one', async () => {
    for (const path of ['/stories', '/tasks/some-task', '/executions/some-execution', '/stats']) {
      const page = await (await browser.newContext()).newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      const response = await page.goto(`${server.program.url}${path}`)
      const named = [...((await response?.headerValue('link')) ?? '').matchAll(/<([^>]+)>/g)].map(([, name]) => name)
      await page.getByLabel('Token').waitFor()
      await page.waitForLoadState('networkidle')
      const assets = asked.filter((name) => name.startsWith('/assets/'))
      assert.ok(named.length > 3, path)
      assert.equal(new Set(assets).size, assets.length, `${path}: a file is loaded twice`)
      assert.deepEqual(
        assets.filter((name) => !named.includes(name)),
        [],
        path,
      )
      await page.context().close()
    }
  })
})
